import { clientNetworkOf } from '@looptide/service-kit/limits/client-network'
import { expect, it } from 'vitest'
import { type Transfer, type TransferFault, Transfers } from './transfers.ts'

const LIMITS = { networkBytes: 100, totalBytes: 1000 }

class TestTransfer implements Transfer {
  readonly client
  movedBytes: number | null = 0
  isOver = false
  closed: TransferFault | null = null

  constructor(ip = '192.0.2.1') {
    this.client = clientNetworkOf(ip)
  }

  close(fault: TransferFault): void {
    this.closed = fault
    this.isOver = true
  }
}

/** Transfers whose clock a test advances, checked every second. */
class TestTransfers {
  #nowMs = 0
  readonly faults: TransferFault[] = []
  readonly transfers = new Transfers(
    LIMITS,
    () => this.#nowMs,
    (fault) => this.faults.push(fault),
  )

  /** Lets seconds pass. `each` is called before each check. */
  pass(seconds: number, each: () => void = () => undefined): void {
    for (let second = 0; second < seconds; second += 1) {
      this.#nowMs += 1000
      each()
      this.transfers.check()
    }
  }

  /** Suspends the process. */
  suspend(seconds: number): void {
    this.#nowMs += seconds * 1000
    this.transfers.check()
  }
}

it('closes a transfer that makes no progress for twelve seconds', () => {
  const test = new TestTransfers()
  const stalled = new TestTransfer()
  test.transfers.hold(stalled, 10)
  test.pass(11)
  expect(stalled.closed).toBeNull()
  test.pass(1)
  expect(stalled.closed).toBe('slow')
  expect([test.transfers.bytes, test.faults]).toEqual([0, ['slow']])
})

it.each([
  ['a byte a second', 1],
  ['half of the minimum rate', 512],
])('closes a transfer of %s', (_rate, bytesPerSecond) => {
  const test = new TestTransfers()
  const slow = new TestTransfer()
  test.transfers.hold(slow, 10)
  test.pass(30, () => {
    slow.movedBytes = (slow.movedBytes ?? 0) + bytesPerSecond
  })
  expect(slow.closed).toBe('slow')
})

it('keeps a transfer at the minimum rate, and one that pauses for ten seconds', () => {
  const test = new TestTransfers()
  const steady = new TestTransfer()
  const bursts = new TestTransfer()
  test.transfers.hold(steady, 10)
  test.transfers.hold(bursts, 10)
  let second = 0
  test.pass(120, () => {
    second += 1
    steady.movedBytes = second * 1024
    bursts.movedBytes = Math.floor(second / 10) * 16_384
  })
  expect([steady.closed, bursts.closed]).toEqual([null, null])
})

it('a quick start does not pay for a long pause', () => {
  const test = new TestTransfers()
  const stopped = new TestTransfer()
  test.transfers.hold(stopped, 10)
  stopped.movedBytes = 1_000_000
  test.pass(12)
  expect(stopped.closed).toBeNull()
  test.pass(1)
  expect(stopped.closed).toBe('slow')
})

it('counts no time while the gateway does not wait for the client, nor while the process is suspended', () => {
  const test = new TestTransfers()
  const answered = new TestTransfer()
  const reading = new TestTransfer()
  answered.movedBytes = null
  test.transfers.hold(answered, 10)
  test.pass(60)
  test.transfers.hold(reading, 10)
  test.suspend(3600)
  expect([answered.closed, reading.closed]).toEqual([null, null])
})

it('closes the oldest transfers of a network above its limit, and releases those that have ended', () => {
  const test = new TestTransfers()
  const [first, second, third] = [new TestTransfer(), new TestTransfer(), new TestTransfer()]
  const other = new TestTransfer('192.0.2.2')
  for (const transfer of [first, second, other, third]) test.transfers.hold(transfer, 40)
  expect([first, second, third, other].map(({ closed }) => closed)).toEqual(['excess', null, null, null])
  test.transfers.end(second)
  third.isOver = true
  test.pass(1)
  expect([test.transfers.bytes, test.faults]).toEqual([40, ['excess']])
})

it('above the total, closes the oldest transfers of the network that holds most, and nobody else', () => {
  const test = new TestTransfers()
  const viewer = new TestTransfer('203.0.113.1')
  test.transfers.hold(viewer, 50)
  const attackers = Array.from({ length: 48 }, (_, n) => new TestTransfer(`192.0.2.${n % 12}`))
  for (const attacker of attackers) test.transfers.hold(attacker, 25)
  expect(viewer.closed).toBeNull()
  expect(test.transfers.bytes).toBeLessThanOrEqual(LIMITS.totalBytes)
  const left = attackers.filter(({ closed }) => closed === null)
  expect(left).toHaveLength(38)
  expect(left).toContain(attackers.at(-1))
})
