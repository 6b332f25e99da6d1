import { clientNetworkOf } from '@looptide/service-kit/limits/client-network'
import { expect, it } from 'vitest'
import { IncompleteMessages } from './incomplete-messages.ts'

const LIMITS = { maxMs: 10_000, networkBytes: 100, totalBytes: 1000 }

class TestSender {
  readonly client
  isClosed = false

  constructor(ip: string) {
    this.client = clientNetworkOf(ip)
  }

  close(): void {
    this.isClosed = true
  }
}

/** Begins a message of this many bytes from each IP address, and returns the indices of the closed sockets. */
function closedOf(messages: IncompleteMessages, bytes: number, ips: readonly string[]): number[] {
  const senders = ips.map((ip) => new TestSender(ip))
  for (const sender of senders) messages.begin(sender, bytes, 0)
  return [...senders.keys()].filter((index) => senders[index]!.isClosed)
}

it('closes the sockets of a network that have been sending for longest, above its limit', () => {
  const messages = new IncompleteMessages(LIMITS)
  expect(closedOf(messages, 30, Array(5).fill('192.0.2.1'))).toEqual([0, 1])
  expect(closedOf(messages, 30, Array(3).fill('192.0.2.2'))).toEqual([])
  expect(messages.bytes).toBe(180)
})

it('allows an IPv6 /48 four times as much', () => {
  const messages = new IncompleteMessages(LIMITS)
  const ips = Array.from({ length: 12 }, (_, n) => `2001:db8:1:${n}::1`)
  expect(closedOf(messages, 40, ips)).toEqual([0, 1])
  expect(messages.bytes).toBe(400)
})

it('closes those that have been sending for longest, above the limit of the gateway', () => {
  const messages = new IncompleteMessages(LIMITS)
  const ips = Array.from({ length: 12 }, (_, n) => `192.0.2.${n}`)
  expect(closedOf(messages, 100, ips)).toEqual([0, 1])
  expect(messages.bytes).toBe(1000)
})

it('counts a message until it is complete, and keeps nothing of it afterwards', () => {
  const messages = new IncompleteMessages(LIMITS)
  const [slow, quick] = [new TestSender('192.0.2.1'), new TestSender('192.0.2.1')]
  messages.begin(slow, 10, 0)
  for (let n = 0; n < 100; n += 1) {
    messages.begin(quick, 60, n)
    messages.grow(quick, 90)
    messages.remove(quick)
  }
  expect(slow.isClosed).toBe(false)
  messages.grow(slow, 101)
  expect(slow.isClosed).toBe(true)
  expect(messages.bytes).toBe(0)
})

it('closes a socket whose message is incomplete after ten seconds, even if it grows', () => {
  const messages = new IncompleteMessages(LIMITS)
  const [old, later] = [new TestSender('192.0.2.1'), new TestSender('192.0.2.2')]
  messages.begin(old, 10, 0)
  messages.begin(later, 10, 5000)
  messages.grow(old, 20)
  messages.closeExpired(9999)
  expect(old.isClosed).toBe(false)
  messages.closeExpired(10_000)
  expect([old.isClosed, later.isClosed]).toEqual([true, false])
})
