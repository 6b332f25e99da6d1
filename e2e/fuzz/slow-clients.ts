import { request } from 'node:http'
import { testAdmin } from '@looptide/test-station/station'
import { until } from '@looptide/testkit/until'
import { describe, expect, it } from 'vitest'
import type { FuzzFixture } from '../support/fuzz/fixture.ts'
import { textFrame } from '../support/fuzz/frames.ts'
import { HostileSocket } from '../support/fuzz/hostile-socket.ts'
import { RawConnection } from '../support/fuzz/raw-http.ts'
import { signIn } from '../support/people.ts'
import { sized } from '../support/sizes.ts'

/** Time in which the station ends every slow connection: its longest limit and the interval of its checks, in ms. */
const ENDED_AFTER_MS = 15_000
const HOST = 'Host: localhost\r\n'
const OF_EACH = sized(30, 300)
/** Answers that one connection requests without reading any. */
const UNREAD = 50

/** Requests that begin and then get a byte a second. */
const DRIPS = {
  silence: { head: '', drip: '' },
  headers: { head: `GET /api/config HTTP/1.1\r\n${HOST}`, drip: 'X' },
  body: { head: halfSent('POST', '/api/channels/test-card/reports'), drip: ' ' },
} as const
type Kind = keyof typeof DRIPS

function halfSent(method: string, path: string): string {
  return `${method} ${path} HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`
}

/** Connections that send a byte every second, opened before all other tests and checked after them. */
export class SlowClients {
  readonly connections = new Map<Kind, RawConnection[]>()
  readonly #timer: NodeJS.Timeout

  constructor(stationUrl: string) {
    for (const [kind, { head }] of Object.entries(DRIPS)) {
      const some = Array.from({ length: OF_EACH }, () => new RawConnection(stationUrl))
      for (const connection of some) connection.write(head)
      this.connections.set(kind as Kind, some)
    }
    this.#timer = setInterval(() => this.#drip(), 1000)
  }

  #drip(): void {
    for (const [kind, some] of this.connections)
      for (const connection of some) connection.write(DRIPS[kind].drip)
  }

  stop(): void {
    clearInterval(this.#timer)
    for (const some of this.connections.values()) for (const connection of some) connection.destroy()
  }
}

/** Paths that the station answers itself or from files, and that its description does not list. */
const UNDESCRIBED = [
  ...[
    '/',
    '/home',
    '/live',
    '/guide',
    '/videos',
    '/members/admin',
    '/control',
    '/nowhere',
    '/docs',
    '/docs/json',
    '/docs/yaml',
  ],
  ...['/robots.txt', '/sitemap.xml', '/manifest.webmanifest', '/livez', '/readyz', '/openapi.json'],
  ...['/test-card/circle.mp4', '/test-card/nothing.mp4', '/realtime/v1/websocket', '/metrics'],
]

/** Every route of the description, with an id in place of each parameter. */
const pathsOf = ({ routes, from }: FuzzFixture, isRead: boolean): { method: string; path: string }[] =>
  routes
    .filter(({ method }) => (method === 'GET') === isRead)
    .map(({ method, path }) => ({ method, path: path.replace(/\{[^}]+\}/g, from.ids[0] ?? 'x') }))

/** The scripts and styles of the built page. */
async function filesOf(stationUrl: string): Promise<string[]> {
  const html = await (await fetch(stationUrl)).text()
  return [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '')
}

/** Reads a few public resources as a viewer without a kept-alive connection does. */
async function readAsViewer(stationUrl: string): Promise<number[]> {
  const paths = ['/', '/api/channels/test-card/now', '/api/search?q=a', '/api/profiles/none']
  return Promise.all(
    paths.map(
      (path) =>
        new Promise<number>((resolve, reject) => {
          const sent = request(stationUrl + path, { agent: false }, (response) => {
            response.resume().on('end', () => resolve(response.statusCode ?? 0))
          })
          sent.setTimeout(5000, () => sent.destroy(new Error(`${path} was not answered`)))
          sent.on('error', reject).end()
        }),
    ),
  )
}

/** Runs last: all other requests were answered while these connections were open. */
export function describeSlowClients(fixture: () => FuzzFixture, slow: () => SlowClients): void {
  describe('a client that sends one byte a second', () => {
    it.each(['silence', 'headers', 'body'] as const)(
      'is disconnected: %s',
      { timeout: 60_000 },
      async (kind) => {
        const some = slow().connections.get(kind) ?? []
        expect(some).toHaveLength(OF_EACH)
        await Promise.all(some.map((connection) => connection.whenClosed(ENDED_AFTER_MS + 10_000)))
        for (const { text, statuses } of some) {
          expect(statuses).toEqual([408])
          expect(text).toContain('"code":"request_timeout"')
        }
      },
    )
  })

  describe('clients of every route that do not continue', () => {
    it('are disconnected, and others are answered meanwhile', { timeout: 120_000 }, async () => {
      const { station } = fixture()
      const writers = pathsOf(fixture(), false).map(({ method, path }) => {
        const connection = new RawConnection(station.url)
        connection.write(halfSent(method, path))
        return { name: `${method} ${path}`, connection }
      })
      const paths = [
        ...pathsOf(fixture(), true).map(({ path }) => path),
        ...[...UNDESCRIBED, ...(await filesOf(station.url))],
      ]
      const readers = paths.map((path) => {
        const connection = new RawConnection(station.url)
        connection.pause()
        connection.write(`GET ${path} HTTP/1.1\r\n${HOST}\r\n`.repeat(UNREAD))
        return { name: path, connection }
      })
      const socket = await HostileSocket.open(station.url)
      // A frame of 40 bytes of which 30 are sent.
      socket.write(textFrame(' '.repeat(34)).subarray(0, 30))

      expect(await signIn(station.url, testAdmin.email, testAdmin.password)).toContain('.')
      for (const status of await readAsViewer(station.url)) expect(status).toBeLessThan(500)
      for (const { name, connection } of writers) {
        await connection.whenClosed(ENDED_AFTER_MS + 10_000)
        expect([name, connection.statuses]).toEqual([name, [408]])
      }
      expect(await socket.whenClosed()).toBe(4029)
      // What fits into the buffers of the system has left the station; it waits for nothing more than that.
      await until('no answer is held', async () => (await heldBytes(fixture())) === 0, {
        timeoutMs: ENDED_AFTER_MS + 10_000,
      })
      for (const status of await readAsViewer(station.url)) expect(status).toBeLessThan(500)
      for (const { connection } of readers) connection.destroy()
    })
  })
}

/** Bytes of request bodies and answers that the gateway holds for clients. */
async function heldBytes({ gatewayMetricsUrl }: FuzzFixture): Promise<number> {
  const text = await (await fetch(`${gatewayMetricsUrl}/metrics`)).text()
  const values = [...text.matchAll(/^looptide_transfers_held_bytes\{.*\} (\d+)$/gm)].map(([, value]) =>
    Number(value),
  )
  expect(values).toHaveLength(2)
  return values.reduce((sum, value) => sum + value, 0)
}
