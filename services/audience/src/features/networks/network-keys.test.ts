import { expect, it } from 'vitest'
import { networkKeysOf } from './network-keys.ts'

const SECRET = 'a secret of the station'
const NOON = Date.parse('2026-11-28T12:00:00Z')
const HOUR_MS = 3_600_000
const keys = (ip: string, atMs = NOON, secret = SECRET) => networkKeysOf(ip, secret, atMs)

it('accounts of one network have the same keys, and those of others different ones', () => {
  expect(keys('198.51.100.7')).toEqual(keys('::ffff:198.51.100.7'))
  expect(keys('2001:db8:1:2::3')).toEqual(keys('2001:db8:1:9::1'))
  expect(keys('198.51.100.7').networkKey).not.toBe(keys('198.51.100.8').networkKey)
})

it('the key of the next day is the one that the network has then', () => {
  const before = keys('198.51.100.7', Date.parse('2026-11-28T23:59:59Z'))
  const after = keys('198.51.100.7', Date.parse('2026-11-29T00:00:01Z'))
  expect([before.day, after.day]).toEqual(['2026-11-28', '2026-11-29'])
  expect(before.nextNetworkKey).toBe(after.networkKey)
  expect(before.networkKey).not.toBe(after.networkKey)
})

it('the keys do not contain the address, depend on the secret, and stay the same for a day', () => {
  const { networkKey } = keys('198.51.100.7')
  expect(networkKey).not.toContain('198')
  expect(keys('198.51.100.7', NOON + 11 * HOUR_MS).networkKey).toBe(networkKey)
  expect(keys('198.51.100.7', NOON, 'another').networkKey).not.toBe(networkKey)
})
