import type { ClientFrame } from '../protocol/codec.ts'

/** Limits on the frames, and their bytes on the wire, that one socket queues while a join or token is verified. */
const MAX_FRAMES = 200
const MAX_BYTES = 262_144

/** Frames of one socket that wait until an earlier frame is handled, in order of arrival. */
export class FrameQueue {
  readonly #entries: { frame: ClientFrame; bytes: number }[] = []
  #bytes = 0

  /** False, and nothing is added, when the queue is full. */
  push(frame: ClientFrame, bytes: number): boolean {
    if (this.#entries.length >= MAX_FRAMES || this.#bytes + bytes > MAX_BYTES) return false
    this.#entries.push({ frame, bytes })
    this.#bytes += bytes
    return true
  }

  shift(): ClientFrame | undefined {
    const next = this.#entries.shift()
    this.#bytes -= next?.bytes ?? 0
    return next?.frame
  }
}
