import { describe, expect, it } from 'vitest'
import { RawConnection } from '../support/fuzz/raw-http.ts'
import { sized } from '../support/sizes.ts'

/** Kinds of slow requests. `cutAfterMs`: the station's time limit plus its check interval (packages/service-kit/src/http/server.ts). */
const KINDS = {
  silence: { head: '', cutAfterMs: 12_000 },
  headers: { head: 'GET /api/config HTTP/1.1\r\nHost: localhost\r\n', cutAfterMs: 12_000 },
  body: {
    head: 'POST /api/channels/test-card/reports HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n',
    cutAfterMs: 32_000,
  },
} as const
type Kind = keyof typeof KINDS

/** The time limit of bodies is longer than the short form of the test. */
const OPENED: readonly Kind[] = sized(['silence', 'headers'], ['silence', 'headers', 'body'])
const OF_EACH = sized(30, 300)

/** Connections that send a byte every second, opened before all other tests and checked after them. */
export class SlowClients {
  readonly connections = new Map<Kind, RawConnection[]>()
  readonly #timer: NodeJS.Timeout

  constructor(stationUrl: string) {
    for (const kind of OPENED) {
      const some = Array.from({ length: OF_EACH }, () => new RawConnection(stationUrl))
      for (const connection of some) connection.write(KINDS[kind].head)
      this.connections.set(kind, some)
    }
    this.#timer = setInterval(() => this.#drip(), 1000)
  }

  #drip(): void {
    for (const kind of ['headers', 'body'] as const)
      for (const connection of this.connections.get(kind) ?? [])
        connection.write(kind === 'headers' ? 'X' : ' ')
  }

  stop(): void {
    clearInterval(this.#timer)
    for (const some of this.connections.values()) for (const connection of some) connection.destroy()
  }
}

/** Runs last: all other requests were answered while these connections were open. */
export function describeSlowClients(slow: () => SlowClients): void {
  describe('a client that sends one byte a second', () => {
    it.each(OPENED)('is disconnected: %s', { timeout: 60_000 }, async (kind) => {
      const some = slow().connections.get(kind) ?? []
      expect(some).toHaveLength(OF_EACH)
      await Promise.all(some.map((connection) => connection.whenClosed(KINDS[kind].cutAfterMs + 10_000)))
      for (const { text, statuses } of some) {
        expect(statuses).toEqual([408])
        expect(text).toContain('"code":"request_timeout"')
      }
    })
  })
}
