import { HeldBytes, type HeldLimits, type Holder } from './held-bytes.ts'

/** Why the connection of a transfer is closed: too slow, or above the limit of its network or of the gateway. */
export type TransferFault = 'slow' | 'excess'

/** A message whose speed the client determines: a request's body, or an answer. */
export interface Transfer extends Holder {
  /** Bytes transferred so far; null while the gateway is not waiting for the client. */
  readonly movedBytes: number | null
  /** Whether the connection has ended without an event for this transfer, as for a pipelined request. */
  readonly isOver: boolean
  /** Closes the connection. */
  close(fault: TransferFault): void
}

/** Time after which a transfer without progress is closed, in ms. Packets of a weak mobile connection are late by seconds. */
const STALLED_MS = 12_000
/** Slowest permitted transfer, on average, in bytes per ms: 1 KiB/s. The text of a page then takes half a minute. */
const MIN_BYTES_PER_MS = 1.024
const CHECK_EVERY_MS = 1000

/** Progress of one transfer. Each byte postpones the deadline, up to {@link STALLED_MS} from now. */
interface Pace {
  deadlineMs: number
  movedBytes: number
}

/**
 * Transfers that wait for their client. Each must make progress, and together they may hold a bounded number of bytes for
 * each client network and in total. Time is measured by this class alone: a timeout of a parser would not run while the
 * parser is paused, as Node pauses it until an answer is read.
 */
export class Transfers {
  readonly #held: HeldBytes<Transfer>
  readonly #paces = new Map<Transfer, Pace>()
  readonly #onClosed: (fault: TransferFault) => void
  readonly #now: () => number
  #timer: NodeJS.Timeout | undefined
  #checkedAtMs: number
  /** Time for which this process ran. A process that was suspended must not blame its clients. */
  #runningMs = 0

  /** `now`: monotonic clock in ms. */
  constructor(limits: HeldLimits, now: () => number, onClosed: (fault: TransferFault) => void) {
    this.#held = new HeldBytes(limits, (transfer) => this.#close(transfer, 'excess'))
    this.#onClosed = onClosed
    this.#now = now
    this.#checkedAtMs = now()
  }

  /** Bytes held for clients. */
  get bytes(): number {
    return this.#held.bytes
  }

  start(): void {
    this.#timer = setInterval(() => this.check(), CHECK_EVERY_MS)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Sets the bytes that are held for a transfer, and begins one that is new. May close it, or others. */
  hold(transfer: Transfer, bytes: number): void {
    if (!this.#paces.has(transfer))
      this.#paces.set(transfer, { deadlineMs: this.#runningMs + STALLED_MS, movedBytes: 0 })
    this.#held.set(transfer, bytes)
  }

  end(transfer: Transfer): void {
    this.#paces.delete(transfer)
    this.#held.release(transfer)
  }

  /** Closes the connections of transfers that are too slow. */
  check(): void {
    const nowMs = this.#now()
    this.#runningMs += Math.min(nowMs - this.#checkedAtMs, 2 * CHECK_EVERY_MS)
    this.#checkedAtMs = nowMs
    for (const [transfer, pace] of this.#paces) {
      if (transfer.isOver) this.end(transfer)
      else if (this.#isLate(transfer, pace)) this.#close(transfer, 'slow')
    }
  }

  #isLate({ movedBytes }: Transfer, pace: Pace): boolean {
    const latestMs = this.#runningMs + STALLED_MS
    if (movedBytes === null) {
      pace.deadlineMs = latestMs
      return false
    }
    const creditMs = (movedBytes - pace.movedBytes) / MIN_BYTES_PER_MS
    pace.movedBytes = movedBytes
    pace.deadlineMs = Math.min(latestMs, pace.deadlineMs + creditMs)
    return this.#runningMs >= pace.deadlineMs
  }

  #close(transfer: Transfer, fault: TransferFault): void {
    this.end(transfer)
    if (transfer.isOver) return
    this.#onClosed(fault)
    transfer.close(fault)
  }
}
