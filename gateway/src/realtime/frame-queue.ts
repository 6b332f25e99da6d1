import type { ClientFrame } from './codec.ts'

/** Frames, and their bytes on the wire, that a socket may have waiting while a join or token is checked. */
const MAX_FRAMES = 200
const MAX_BYTES = 262_144

/** Frames of a socket that wait for an earlier one, in their order. */
export class FrameQueue {
  readonly #waiting: { frame: ClientFrame; bytes: number }[] = []
  #bytes = 0

  /** False, and nothing is added, when too much waits already. */
  push(frame: ClientFrame, bytes: number): boolean {
    if (this.#waiting.length >= MAX_FRAMES || this.#bytes + bytes > MAX_BYTES) return false
    this.#waiting.push({ frame, bytes })
    this.#bytes += bytes
    return true
  }

  shift(): ClientFrame | undefined {
    const next = this.#waiting.shift()
    this.#bytes -= next?.bytes ?? 0
    return next?.frame
  }
}
