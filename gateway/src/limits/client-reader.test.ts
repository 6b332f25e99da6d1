import type { IncomingMessage } from 'node:http'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ClientReader } from './client-reader.ts'

const PEER = '10.0.0.9'
const requestWith = (forwarded?: string): IncomingMessage =>
  ({
    headers: { 'x-forwarded-for': forwarded },
    socket: { remoteAddress: PEER },
  }) as unknown as IncomingMessage
const ipOf = (hops: number, forwarded?: string): string => new ClientReader(hops).ipOf(requestWith(forwarded))

it.each([
  ['without a proxy the connection is used, whatever the header says', 0, '1.1.1.1', PEER],
  ['with one proxy the last entry is used', 1, '6.6.6.6, 1.1.1.1', '1.1.1.1'],
  ['with two proxies the entry of the outer one is used', 2, '6.6.6.6, 1.1.1.1, 10.0.0.2', '1.1.1.1'],
  ['with fewer entries than proxies the connection is used', 2, '6.6.6.6', PEER],
  ['without the header the connection is used', 1, undefined, PEER],
  ['an entry that is not an IP address is not replaced by one the client wrote', 1, '6.6.6.6, unknown', PEER],
  ['an empty entry is not an IP address', 1, '6.6.6.6,', PEER],
  ['the port of an IPv4 entry is removed', 1, '1.1.1.1:4711', '1.1.1.1'],
  ['the port of an IPv6 entry is removed', 1, '[2001:db8::1]:4711', '2001:db8::1'],
])('%s', (_rule, hops, forwarded, expected) => {
  expect(ipOf(hops, forwarded)).toBe(expected)
})

it('entries left of the trusted ones have no effect', () => {
  const entries = fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom('', 'unknown', '"', '0x7f.1')))
  fc.assert(
    fc.property(entries, fc.integer({ min: 1, max: 3 }), (written, hops) => {
      const trusted = ['1.1.1.1', '10.0.0.2', '10.0.0.3'].slice(0, hops)
      expect(ipOf(hops, [...written, ...trusted].join(','))).toBe('1.1.1.1')
    }),
  )
})

it('bounds its cache and still distinguishes networks', () => {
  const reader = new ClientReader(1)
  for (let n = 0; n < 25_000; n += 1)
    expect(reader.networkOf(requestWith(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`)).network).toBe(
      `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`,
    )
})
