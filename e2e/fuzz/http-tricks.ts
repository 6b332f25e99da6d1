import { until } from '@looptide/testkit/until'
import { describe, expect, it } from 'vitest'
import type { FuzzFixture } from '../support/fuzz/fixture.ts'
import { exchange, getTarget } from '../support/fuzz/raw-http.ts'

const SECOND = 'GET /api/config HTTP/1.1\r\nHost: localhost\r\n\r\n'
const POST =
  'POST /api/channels/test-card/reports HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'

/** Ambiguous requests (request smuggling): a second parser could read `SECOND` as another request. */
const AMBIGUOUS: readonly (readonly [what: string, bytes: string])[] = [
  ['a length and chunks', `${POST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SECOND}`],
  ['chunks and a length', `${POST}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${SECOND}`],
  ['two lengths', `${POST}Content-Length: 0\r\nContent-Length: ${SECOND.length}\r\n\r\n${SECOND}`],
  ['a list of lengths', `${POST}Content-Length: 0, ${SECOND.length}\r\n\r\n${SECOND}`],
  ['a length with a sign', `${POST}Content-Length: +0\r\n\r\n${SECOND}`],
  ['a negative length', `${POST}Content-Length: -1\r\n\r\n${SECOND}`],
  ['a length in hexadecimal', `${POST}Content-Length: 0x0\r\n\r\n${SECOND}`],
  ['an unknown coding', `${POST}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${SECOND}`],
  [
    'chunks that are not the last coding',
    `${POST}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${SECOND}`,
  ],
  [
    'two codings in two headers',
    `${POST}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${SECOND}`,
  ],
  ['a space before the colon', `${POST}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${SECOND}`],
  ['a folded header', `${POST}Transfer-Encoding:\r\n chunked\r\nContent-Length: 0\r\n\r\n${SECOND}`],
  ['a chunk of no size', `${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n${SECOND}`],
  ['a chunk of a negative size', `${POST}Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n${SECOND}`],
  ['a bare carriage return in a header', `${POST}X-A: b\rContent-Length: 0\r\n\r\n${SECOND}`],
  ['a zero byte in a header', `${POST}X-A: b\0c\r\n\r\n${SECOND}`],
  ['a header without a name', `${POST}: b\r\n\r\n${SECOND}`],
  ['an unknown version', `GET /api/config HTTP/9.9\r\nHost: localhost\r\n\r\n${SECOND}`],
  ['no method', `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${SECOND}`],
  ['an HTTP/2 preface', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${SECOND}`],
]

/** Malformed and ambiguous HTTP requests. */
export function describeHttpTricks(fixture: () => FuzzFixture): void {
  describe('a request', () => {
    it.each(AMBIGUOUS)(
      'with %s is refused once, and the bytes after it are not read',
      async (_what, bytes) => {
        const { statuses, text } = await exchange(fixture().station.url, bytes)
        expect(statuses).toEqual([400])
        expect(text).toMatch(/\r\n\r\n\{"code":"[a-z_]+","message":"[^"]+","requestId":"[^"]+"\}$/)
      },
    )

    it('with a raw # or \\ in its target is refused before any lookup or caching', async () => {
      const { station } = fixture()
      for (const target of [
        '/api/home#1',
        '/api/search?q=a#b',
        '/api/channels/test-card/guide?hours=2#x',
        '/#/live',
        '/api\\home',
        '/assets\\..\\..\\package.json',
        '/live?channel=\\',
      ]) {
        const { statuses, text } = await getTarget(station.url, target)
        expect([target, statuses]).toEqual([target, [400]])
        expect(text).toContain('"code":"bad_request"')
      }
    })

    it.each(['gzip, chunked', 'gzip\r\nTransfer-Encoding: chunked'])(
      'with the transfer coding %j is refused once, and the bytes after it are not read',
      async (codings) => {
        const bytes = `${POST}Transfer-Encoding: ${codings}\r\n\r\n0\r\n\r\n${SECOND}`
        const { statuses, text } = await exchange(fixture().station.url, bytes)
        expect(statuses).toEqual([501])
        expect(text).toContain('"code":"unsupported_transfer_coding"')
      },
    )

    it('with no host is refused', async () => {
      const { statuses } = await exchange(fixture().station.url, `GET /api/config HTTP/1.1\r\n\r\n${SECOND}`)
      expect(statuses).toEqual([400])
    })

    it('with too large headers is refused with 431 in the error format of the API', async () => {
      const { station } = fixture()
      for (const head of [
        `X-A: ${'x'.repeat(20_000)}`,
        ...Array.from({ length: 1 }, () => 'A: b\r\n'.repeat(5000).trimEnd()),
      ]) {
        const { statuses, text } = await exchange(
          station.url,
          `GET / HTTP/1.1\r\nHost: localhost\r\n${head}\r\n\r\n`,
        )
        expect(statuses).toEqual([431])
        expect(text).toContain('"code":"headers_too_large"')
      }
      const { statuses } = await getTarget(station.url, `/api/search?q=${'x'.repeat(20_000)}`)
      expect(statuses).toEqual([431])
    })

    it.each(['TRACE', 'CONNECT', 'PROPFIND', 'PURGE', 'OPTIONS', 'M-SEARCH'])(
      'by %s does nothing',
      async (method) => {
        const { station } = fixture()
        const { statuses, text } = await exchange(
          station.url,
          `${method} ${method === 'CONNECT' ? 'localhost:80' : '/api/videos'} HTTP/1.1\r\nHost: localhost\r\nX-Marker: echoed\r\nConnection: close\r\n\r\n`,
        )
        for (const status of statuses) expect([404, 405, 204, 400]).toContain(status)
        expect(text).not.toContain('echoed')
      },
    )

    it('to upgrade to another protocol is answered as if it did not ask for that', async () => {
      const { station } = fixture()
      for (const [path, protocol, status] of [
        ['/api/config', 'h2c', 200],
        ['/api/videos', 'websocket', 200],
        ['/', 'TLS/1.0', 200],
        ['/nothing.js', 'h2c', 404],
        ['/realtime/v1/websocket', 'tcp', 426],
      ]) {
        const { statuses } = await exchange(
          station.url,
          `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: ${protocol}\r\nHTTP2-Settings: AAMAAABk\r\n\r\n`,
        )
        expect([path, statuses]).toEqual([path, [status]])
      }
    })

    it.each(['100-continue', '200-ok'])('that expects %s is answered', async (expectation) => {
      const body = JSON.stringify({ email: 'nobody@example.test', password: 'wrong password' })
      const { statuses } = await exchange(
        fixture().station.url,
        `POST /auth/v1/token?grant_type=password HTTP/1.1\r\nHost: localhost\r\nExpect: ${expectation}\r\nKeep-Alive: timeout=5\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      )
      expect(statuses.filter((status) => status !== 100)).toEqual([400])
    })
  })

  describe('a header', () => {
    it('cannot be added to a response through a redirect URL', async () => {
      const { station } = fixture()
      for (const evil of [
        '%0d%0aSet-Cookie:%20a=b',
        '%0aSet-Cookie:%20a=b',
        '%E5%98%8D%E5%98%8ASet-Cookie:%20a=b',
      ]) {
        const target = `/auth/v1/verify?token=x&type=signup&redirect_to=${encodeURIComponent(station.url)}/${evil}`
        const { statuses, text } = await getTarget(station.url, target)
        expect(statuses).toEqual([303])
        expect(text).not.toMatch(/^set-cookie:/im)
      }
      const { text } = await getTarget(station.url, '/api/config', [
        'Host: localhost',
        'X-Request-Id: a%0d%0ab: c',
      ])
      expect(text).not.toContain('b: c')
    })

    it('that names another host does not change the response', async () => {
      const { station } = fixture()
      const lies = [
        'X-Forwarded-Host: evil.test',
        'X-Forwarded-Proto: https',
        'X-Forwarded-For: 127.0.0.1',
        'Forwarded: host=evil.test',
        'X-Original-URL: /internal/access',
        'X-Rewrite-URL: /internal/access',
        'X-HTTP-Method-Override: DELETE',
      ]
      for (const path of [
        '/',
        '/robots.txt',
        '/sitemap.xml',
        '/api/config',
        '/api/guide.xml',
        '/docs/json',
        '/manifest.webmanifest',
      ]) {
        const { statuses, text } = await getTarget(station.url, path, ['Host: evil.test', ...lies])
        expect(statuses[0]).toBeLessThan(500)
        expect([path, text.includes('evil.test')]).toEqual([path, false])
        expect(text).not.toContain('revokedSessions')
      }
    })

    it('that names another host does not appear in mails', async () => {
      const { station, user } = fixture()
      const body = JSON.stringify({ email: user.email })
      const { statuses } = await exchange(
        station.url,
        `POST /auth/v1/recover?redirect_to=https%3A%2F%2Fevil.test%2F HTTP/1.1\r\nHost: evil.test\r\nX-Forwarded-Host: evil.test\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      )
      expect(statuses).toEqual([200])
      const mail = await until('the mail has arrived', async () => {
        const mails = (await (await fetch(`${station.mailUrl}/api/email`)).json()) as {
          to: { address: string }[]
        }[]
        const own = mails.filter(({ to }) => to.some(({ address }) => address === user.email))
        return own.find((mail) => JSON.stringify(mail).includes('type=recovery'))
      })
      expect(JSON.stringify(mail)).toContain(station.url)
      expect(JSON.stringify(mail)).not.toContain('evil.test')
    })
  })
}
