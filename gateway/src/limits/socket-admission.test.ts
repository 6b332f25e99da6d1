import { clientNetworkOf } from '@looptide/service-kit/limits/client-network'
import { expect, it } from 'vitest'
import { SocketAdmission } from './socket-admission.ts'

const client = (ip: string) => clientNetworkOf(ip)

function openAll(admission: SocketAdmission, ips: readonly string[]): number {
  let opened = 0
  for (const ip of ips) {
    if (admission.admit(client(ip)) !== 'ok') continue
    admission.opened(client(ip))
    opened += 1
  }
  return opened
}

it('allows an IPv6 /64 as many sockets as an IPv4 address, and a /48 four times as many', () => {
  const ips = (ip: (n: string) => string) => Array.from({ length: 100 }, (_, n) => ip(n.toString(16)))
  const createAdmission = () => new SocketAdmission({ maxPerNetwork: 5, now: () => 0 })
  expect(
    openAll(
      createAdmission(),
      ips(() => '192.0.2.1'),
    ),
  ).toBe(5)
  expect(
    openAll(
      createAdmission(),
      ips((n) => `2001:db8:1:1::${n}`),
    ),
  ).toBe(5)
  expect(
    openAll(
      createAdmission(),
      ips((n) => `2001:db8:1:${n}::1`),
    ),
  ).toBe(20)
})

it('allows a new socket after one is closed', () => {
  let nowMs = 0
  const admission = new SocketAdmission({ maxPerNetwork: 2, now: () => nowMs })
  const one = client('2001:db8::1')
  expect(openAll(admission, ['2001:db8::1', '2001:db8::2'])).toBe(2)
  nowMs = 60_000
  expect(admission.admit(one)).toBe('too many sockets')
  admission.closed(one)
  expect(admission.admit(one)).toBe('ok')
})

it('counts handshakes whose socket is closed again', () => {
  let nowMs = 0
  const admission = new SocketAdmission({ maxPerNetwork: 10, now: () => nowMs })
  const results = Array.from({ length: 30 }, () => {
    const result = admission.admit(client('192.0.2.1'))
    if (result === 'ok') {
      admission.opened(client('192.0.2.1'))
      admission.closed(client('192.0.2.1'))
    }
    return result
  })
  expect(results.filter((result) => result === 'ok')).toHaveLength(10)
  expect(results.at(-1)).toBe('too many handshakes')
  expect(admission.admit(client('192.0.2.2'))).toBe('ok')
  nowMs = 1000
  expect(admission.admit(client('192.0.2.1'))).toBe('ok')
})
