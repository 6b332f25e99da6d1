import { STREAM_TOPIC } from '../fan-out/messages.ts'
import { VISITOR, Viewers } from '../fan-out/viewers.ts'
import { clientFrame } from '../sockets/wire.ts'

/** As the web app does (docs/product/viewer.md §9; the realtime client's heartbeat). */
const POLL_MS = 15_000
const HEARTBEAT_MS = 25_000

const heartbeat = clientFrame(JSON.stringify([null, 'b', 'phoenix', 'heartbeat', {}]))

/** Other viewers who only watch: they poll and send heartbeats, each at its own phase. */
export class IdleViewers {
  readonly #viewers = new Viewers()
  readonly #ending = new AbortController()

  /** Resolves when all have joined. `timelineVersion` is the version they know. */
  async join(port: number, size: number, timelineVersion: number): Promise<void> {
    await this.#viewers.arrive(
      port,
      Array.from({ length: size }, () => VISITOR),
    )
    const poll = { type: 'broadcast', event: 'poll', payload: { timelineVersion } }
    void this.#repeat(clientFrame(JSON.stringify(['1', null, STREAM_TOPIC, 'broadcast', poll])), POLL_MS)
    void this.#repeat(heartbeat, HEARTBEAT_MS)
  }

  leave(): void {
    this.#ending.abort()
    this.#viewers.leave()
  }

  async #repeat(frame: Buffer, everyMs: number): Promise<void> {
    const { signal } = this.#ending
    while (!signal.aborted && this.#viewers.size > 0) await this.#viewers.sendInTurn(frame, everyMs, signal)
  }
}
