import type { IncomingMessage } from 'node:http'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ClientReader } from './client-reader.ts'

const PEER = '10.0.0.9'
const asking = (forwarded?: string): IncomingMessage =>
  ({
    headers: { 'x-forwarded-for': forwarded },
    socket: { remoteAddress: PEER },
  }) as unknown as IncomingMessage
const address = (hops: number, forwarded?: string): string =>
  new ClientReader(hops).addressOf(asking(forwarded))

it.each([
  ['without a proxy the connection counts, whatever the client writes', 0, '1.1.1.1', PEER],
  ['with one proxy its entry, the last, counts', 1, '6.6.6.6, 1.1.1.1', '1.1.1.1'],
  ['with two proxies the entry of the outer one counts', 2, '6.6.6.6, 1.1.1.1, 10.0.0.2', '1.1.1.1'],
  ['with fewer entries than proxies the connection counts', 2, '6.6.6.6', PEER],
  ['without the header the connection counts', 1, undefined, PEER],
  ['an entry that is no address is not replaced by one the client wrote', 1, '6.6.6.6, unknown', PEER],
  ['an empty entry is no address', 1, '6.6.6.6,', PEER],
  ['the port of an IPv4 entry is left out', 1, '1.1.1.1:4711', '1.1.1.1'],
  ['the port of an IPv6 entry is left out', 1, '[2001:db8::1]:4711', '2001:db8::1'],
])('%s', (_rule, hops, forwarded, expected) => {
  expect(address(hops, forwarded)).toBe(expected)
})

it('what stands left of the trusted entries changes nothing', () => {
  const entries = fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom('', 'unknown', '"', '0x7f.1')))
  fc.assert(
    fc.property(entries, fc.integer({ min: 1, max: 3 }), (written, hops) => {
      const trusted = ['1.1.1.1', '10.0.0.2', '10.0.0.3'].slice(0, hops)
      expect(address(hops, [...written, ...trusted].join(','))).toBe('1.1.1.1')
    }),
  )
})

it('remembers no more networks than it has room for, and still tells them apart', () => {
  const reader = new ClientReader(1)
  for (let n = 0; n < 25_000; n += 1)
    expect(reader.networkOf(asking(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`)).network).toBe(
      `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`,
    )
})
