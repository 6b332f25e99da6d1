import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anonymousVisitorId, clientNetworkOf, shownNetworkOf } from './client-network.ts'

test('an IPv4 address is its own network and site', () => {
  expect(clientNetworkOf('192.0.2.1')).toEqual({ network: '192.0.2.1', site: '192.0.2.1' })
})

test('an IPv4-mapped IPv6 address counts as the IPv4 address', () => {
  for (const mapped of ['::ffff:192.0.2.1', '::FFFF:c000:201', '0:0:0:0:0:ffff:192.0.2.1'])
    expect(clientNetworkOf(mapped)).toEqual(clientNetworkOf('192.0.2.1'))
})

test('an IPv6 address counts by its /64 and its /48', () => {
  const { network, site } = clientNetworkOf('2001:db8:1:2:3:4:5:6')
  expect(network).toBe('2001:db8:1:2::/64')
  expect(site).toBe('2001:db8:1::/48')
})

test('the shown network is the IPv4 /24 or IPv6 /48', () => {
  expect(['192.0.2.77', '::ffff:192.0.2.1', '2001:db8:1:2::7', 'unknown'].map(shownNetworkOf)).toEqual([
    '192.0.2.0/24',
    '192.0.2.0/24',
    '2001:db8:1::/48',
    null,
  ])
})

test('all notations of an address give the same networks', () => {
  const expected = clientNetworkOf('2001:db8::1')
  for (const same of ['2001:0DB8::1', '2001:db8:0:0:ffff::9', 'fe80::1%eth0'.replace('fe80', '2001:db8')])
    expect(clientNetworkOf(same)).toEqual(expected)
})

test('all addresses of one /64 have one network, others have another', () => {
  const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16))
  const prefix = fc.tuple(fc.constant('2001'), group, group, group)
  const host = fc.tuple(group, group, group, group)
  fc.assert(
    fc.property(prefix, prefix, host, host, (one, other, first, second) => {
      const at = (groups: string[], rest: string[]) => clientNetworkOf([...groups, ...rest].join(':'))
      expect(at(one, first)).toEqual(at(one, second))
      expect(at(one, first).network === at(other, first).network).toBe(one.join() === other.join())
    }),
  )
})

test('text that is not an address is its own network', () => {
  expect(clientNetworkOf('unknown')).toEqual({ network: 'unknown', site: 'unknown' })
})

test('addresses of one IPv6 /48 have the same visitor id', () => {
  const visitor = (address: string) => anonymousVisitorId(address, 'key')
  const one = visitor('2001:db8:0:1::1')
  for (const same of ['2001:db8:0:1:ffff::2', '2001:0db8:0000:0002:0:0:0:9', '2001:db8::1'])
    expect(visitor(same)).toBe(one)
  for (const other of ['2001:db8:1::1', '2001:db9::1', '::1']) expect(visitor(other)).not.toBe(one)
})

test('a visitor id does not contain the address and depends on the key', () => {
  expect(anonymousVisitorId('192.0.2.1', 'key')).not.toBe(anonymousVisitorId('192.0.2.2', 'key'))
  expect(anonymousVisitorId('192.0.2.1', 'key')).not.toBe(anonymousVisitorId('192.0.2.1', 'another key'))
  expect(anonymousVisitorId('192.0.2.1', 'key')).not.toContain('192')
})
