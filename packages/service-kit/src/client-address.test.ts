import { expect, test } from 'vitest'
import { visitorOf } from './client-address.ts'

const visitor = (address: string) => visitorOf(address, 'key')

test('two addresses of one IPv6 /48 are one visitor, however they are written', () => {
  const one = visitor('2001:db8:0:1::1')
  for (const same of ['2001:db8:0:1:ffff::2', '2001:0db8:0000:0002:0:0:0:9', '2001:db8::1']) {
    expect(visitor(same)).toBe(one)
  }
  for (const other of ['2001:db8:1::1', '2001:db9::1', '::1']) expect(visitor(other)).not.toBe(one)
})

test('each IPv4 address is a visitor of its own, and nobody can tell it from the name', () => {
  expect(visitor('192.0.2.1')).not.toBe(visitor('192.0.2.2'))
  expect(visitor('192.0.2.1')).not.toBe(visitorOf('192.0.2.1', 'another key'))
  expect(visitor('192.0.2.1')).not.toContain('192')
})
