import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FuzzFixture } from '../support/fuzz/fixture.ts'
import { UNSTORABLE } from '../support/fuzz/hostile-texts.ts'
import { RawConnection } from '../support/fuzz/raw-http.ts'
import type { HostileRequest } from '../support/fuzz/requests.ts'
import { faultsOfRefusal } from '../support/fuzz/response-faults.ts'
import type { Route } from '../support/fuzz/routes.ts'
import { type JsonSchema, valuesOf } from '../support/fuzz/schema-values.ts'
import { seed } from '../support/fuzz/seed.ts'
import { sized } from '../support/sizes.ts'

const DEPTH = 100_000

/** A request to a route with all path parameters filled, sent by an admin, who has the most permissions. */
function requestTo(route: Route, fixture: FuzzFixture, body: string, query = ''): HostileRequest {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const place = route.params.find((one) => one.name === name)
    return encodeURIComponent(String(sampleOf(place?.schema ?? {}, fixture)))
  })
  const headers = { 'content-type': 'application/json' }
  const requester = /^\/auth\/v1\/(admin\/|invite$)/.test(route.path) ? 'operator' : 'admin'
  return { requester, method: route.method, path: path + query, headers, body }
}

const sampleOf = (schema: JsonSchema, { from }: FuzzFixture): unknown =>
  fc.sample(valuesOf(schema, from), { numRuns: 1, seed })[0]

const takingBodies = ({ routes }: FuzzFixture): Route[] =>
  routes.filter(({ body }) => body?.properties !== undefined)

/** The places of free texts in a body, each as a function that sets one. */
function textPlaces(schema: JsonSchema): ((body: unknown, text: string) => unknown)[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(textPlaces)
  if (schema.type === 'string' && schema.enum === undefined) return [(_body, text) => text]
  if (schema.type === 'array')
    return textPlaces(schema.items ?? {}).map((put) => (_body, text) => [put(undefined, text)])
  if (schema.type !== 'object') return []
  return Object.entries(schema.properties ?? {}).flatMap(([name, one]) =>
    textPlaces(one).map((put) => (body: unknown, text: string) => ({
      ...(body as Record<string, unknown>),
      [name]: put((body as Record<string, unknown> | undefined)?.[name], text),
    })),
  )
}

/** Bodies that cost more than their size suggests, or contain texts that cannot be stored. */
export function describeBodies(fixture: () => FuzzFixture): void {
  describe('a body', () => {
    it(`of ${DEPTH} levels is refused by every route, at any place of the body`, async () => {
      const deep = ['['.repeat(DEPTH) + ']'.repeat(DEPTH), `${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}`]
      const requests = takingBodies(fixture()).flatMap((route) => [
        ...deep.map((text) => requestTo(route, fixture(), text)),
        ...Object.entries(route.body?.properties ?? {})
          .filter(
            ([, { type, additionalProperties }]) => type !== undefined && additionalProperties === undefined,
          )
          .flatMap(([name, { type }]) => [
            requestTo(route, fixture(), `{${JSON.stringify(name)}:${deep[0]}}`),
            ...(type === 'array'
              ? [requestTo(route, fixture(), `{${JSON.stringify(name)}:[${deep[0]}]}`)]
              : []),
          ]),
      ])
      expect(await fixture().sender.findFaults(requests, faultsOfRefusal)).toEqual([])
    })

    it('with tens of thousands of repeated or invalid items costs no more than its size', async () => {
      const id = '"01900000-0000-7000-8000-000000000000"'
      const items = [`${id},`.repeat(5000) + id, `${'1,'.repeat(60_000)}1`, `${'{},'.repeat(40_000)}{}`]
      const requests = takingBodies(fixture()).flatMap((route) =>
        Object.entries(route.body?.properties ?? {})
          .filter(([, { type }]) => type === 'array')
          .flatMap(([name]) =>
            items.map((text) => requestTo(route, fixture(), `{${JSON.stringify(name)}:[${text}]}`)),
          ),
      )
      expect(requests.length).toBeGreaterThan(0)
      // A blocked service answers no request, so the sender would report a time-out.
      expect(await fixture().sender.findFaults(requests, faultsOfRefusal)).toEqual([])
    })

    it('with NUL or a lone surrogate in any text of any route is refused before any query', async () => {
      const requests = takingBodies(fixture()).flatMap((route) =>
        textPlaces(route.body ?? {}).flatMap((put) =>
          sized<readonly string[]>(['a\0b', '\ud800'], UNSTORABLE).map((text) =>
            requestTo(route, fixture(), JSON.stringify(put(sampleOf(route.body ?? {}, fixture()), text))),
          ),
        ),
      )
      expect(requests.length).toBeGreaterThan(100)
      const faults = await fixture().sender.findFaults(requests, (request, answer) => [
        ...faultsOfRefusal(request, answer),
        ...(answer.status === 400 || answer.status === 404 ? [] : [`${answer.status} instead of 400`]),
      ])
      expect(faults).toEqual([])
    })

    it('with a duplicate key is validated by its last value, which is the one used', async () => {
      const { sender } = fixture()
      const send = (body: string) =>
        sender.send({
          requester: 'user',
          method: 'POST',
          path: '/api/playlists',
          headers: { 'content-type': 'application/json' },
          body,
        })
      expect((await send('{"name":"Good","name":""}')).status).toBe(400)
      expect((await send('{"name":"Good","name":{"a":1}}')).status).toBe(400)
      expect((await send('{"name":"Good","__proto__":{"name":"x"},"__proto__":1}')).status).toBe(400)
      const answer = await send('{"name":7,"name":"The last one"}')
      expect(JSON.parse(answer.text)).toMatchObject({ name: 'The last one' })
    })

    it('that is compressed is not decompressed', async () => {
      const { sender } = fixture()
      const zeros = Buffer.alloc(50_000_000)
      const packed = { gzip: gzipSync(zeros), deflate: deflateSync(zeros), br: brotliCompressSync(zeros) }
      for (const [coding, bytes] of Object.entries(packed)) {
        for (const [method, path, type] of [
          ['POST', '/api/playlists', 'application/json'],
          ['POST', '/auth/v1/signup', 'application/json'],
          ['POST', '/api/csp-reports', 'application/csp-report'],
          ['PUT', '/api/me/avatar', 'image/png'],
        ] as const) {
          const headers = { 'content-type': type, 'content-encoding': coding }
          const answer = await sender.sendBytes(
            { requester: 'user', method, path, headers, body: undefined },
            bytes,
          )
          const isTold = path === '/api/csp-reports' ? [204, 413] : [400, 413, 415]
          expect([path, coding, isTold.includes(answer.status), answer.status]).toEqual([
            path,
            coding,
            true,
            answer.status,
          ])
        }
      }
    })

    it.each([
      'POST /api/playlists',
      'PUT /api/theme',
      'PUT /api/me/avatar',
      'POST /auth/v1/signup',
      'POST /api/csp-reports',
    ])('that is too large is refused: %s', async (route) => {
      const [method = '', path = ''] = route.split(' ')
      const { sender, station } = fixture()
      const headers = { 'content-type': path.endsWith('avatar') ? 'image/png' : 'application/json' }
      const answer = await sender.send({
        requester: 'admin',
        method,
        path,
        headers,
        body: 'x'.repeat(2_000_000),
      })
      expect(answer.status).toBe(413)
      // The same without a content length: the connection is closed, or the request refused, while it is sent.
      const connection = new RawConnection(station.url)
      const auth = `Authorization: Bearer ${fixture().tokens.admin}\r\n`
      connection.write(
        `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${auth}Content-Type: ${headers['content-type']}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`,
      )
      const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
      for (let sent = 0; sent < 40; sent += 1) connection.write(chunk)
      connection.write('0\r\n\r\n')
      await connection.whenClosed()
      expect([[], [413]]).toContainEqual(connection.statuses)
    })
  })
}
