import { HeldBytes, type HeldLimits, type Holder } from './held-bytes.ts'

export interface IncompleteLimits extends HeldLimits {
  /** Time within which a message must be complete, in ms. */
  maxMs: number
}

/** A socket whose message is not complete. */
interface Sender extends Holder {
  close(reason: 'incomplete'): void
}

/** Bounds the time and memory of messages that sockets begin and do not complete. */
export class IncompleteMessages {
  readonly #maxMs: number
  /** When each message began, by the clock of the caller. The oldest first. */
  readonly #beganAtMs = new Map<Sender, number>()
  readonly #held: HeldBytes<Sender>

  constructor({ maxMs, ...limits }: IncompleteLimits) {
    this.#maxMs = maxMs
    this.#held = new HeldBytes(limits, (sender) => this.#close(sender))
  }

  /** Bytes of all incomplete messages. */
  get bytes(): number {
    return this.#held.bytes
  }

  /** Counts an incomplete message that has just begun. */
  begin(sender: Sender, bytes: number, nowMs: number): void {
    this.remove(sender)
    this.#beganAtMs.set(sender, nowMs)
    this.#held.set(sender, bytes)
  }

  /** Sets the bytes of an incomplete message. Above a limit, closes the sockets that have been sending for longest. */
  grow(sender: Sender, bytes: number): void {
    if (this.#beganAtMs.has(sender)) this.#held.set(sender, bytes)
  }

  /** Call it when the message is complete, and when the socket is closed. */
  remove(sender: Sender): void {
    this.#beganAtMs.delete(sender)
    this.#held.release(sender)
  }

  /** Closes the sockets whose message has been incomplete for too long. */
  closeExpired(nowMs: number): void {
    for (const [sender, beganAtMs] of this.#beganAtMs) {
      if (nowMs - beganAtMs < this.#maxMs) return
      this.#close(sender)
    }
  }

  #close(sender: Sender): void {
    this.remove(sender)
    sender.close('incomplete')
  }
}
