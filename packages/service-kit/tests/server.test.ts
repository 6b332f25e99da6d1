import { connect } from 'node:net'
import { Line } from '@looptide/contracts/text-fields'
import { until } from '@looptide/testkit/until'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../src/http/app.ts'
import { AppError } from '../src/http/errors.ts'
import { buildServer } from '../src/http/server.ts'
import { createMetrics } from '../src/telemetry/metrics.ts'
import { logger, notesDatabase } from './fixtures.ts'

let app: App
let url: string
let port: number
let database: Awaited<ReturnType<typeof notesDatabase>>

beforeAll(async () => {
  database = await notesDatabase()
  app = buildServer({ name: 'test', logger, metrics: createMetrics('test'), bodyLimit: 1000 })
  const Body = Type.Object(
    { text: Line({ maxLength: 100 }), count: Type.Optional(Type.Integer()) },
    { additionalProperties: false },
  )
  app.post('/notes', { schema: { body: Body } }, async (request) => request.body)
  app.post('/loose', async (request) => ({ body: request.body ?? null }))
  app.get(
    '/notes/:id',
    {
      schema: {
        params: Type.Object({ id: Type.String({ format: 'uuid' }) }),
        querystring: Type.Object(
          {
            limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, default: 5 })),
            old: Type.Optional(Type.Boolean()),
          },
          { additionalProperties: false },
        ),
      },
    },
    async (request) => request.query,
  )
  app.post('/stored', { schema: { body: Body } }, async ({ body }) => {
    await sql`insert into notes (id, text) values (${body.text}, '')`.execute(database.db)
    return {}
  })
  const ids = Type.Array(Line(), { uniqueItems: true, maxItems: 1000 })
  app.post('/ids', { bodyLimit: 1_000_000, schema: { body: Type.Object({ ids }) } }, async () => ({}))
  app.post('/numbers', { schema: { body: Type.Object({ n: Type.Number() }) } }, async ({ body }) => {
    const { rows } = await sql`select ${String(body.n)}::bigint as n`.execute(database.db)
    return rows[0]
  })
  app.get('/broken', async () => {
    throw new Error('the secret is swordfish')
  })
  app.get('/deleted', async () => {
    throw Object.assign(new Error('violates foreign key constraint "notes_topic_fkey"'), { code: '23503' })
  })
  app.get('/refused', async () => {
    throw new AppError('rate_limited', 'Too many requests.', { retryAfterMs: 1500 })
  })
  app.get('/outage', async () => {
    throw Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' })
  })
  url = await app.listen({ host: '127.0.0.1', port: 0 })
  port = Number(new URL(url).port)
})
afterAll(async () => {
  await app.close()
  await database.drop()
})

interface Answer {
  status: number
  headers: Headers
  body: { code: string; message: string; requestId: string; details?: unknown[]; retryAfterMs?: number }
}

async function send(path: string, body?: string, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    ...(body === undefined ? {} : { method: 'POST', body }),
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
  })
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Answer['body'],
  }
}

const ID = '0192d3a0-0000-7000-8000-000000000000'
const codeOf = ({ status, body }: Answer): [number, string] => [status, body.code]

describe('a body', () => {
  it('is accepted when it is valid', async () => {
    expect((await send('/notes', '{"text":"a"}')).body).toEqual({ text: 'a' })
  })

  it.each([
    '',
    '{',
    '{"text":',
    'nonsense',
    '{"text":"a"} x',
    '{"__proto__":{"x":1}}',
    '{"constructor":{"prototype":{}}}',
  ])('%j is refused', async (body) => {
    const answer = await send('/notes', body)
    expect(answer.status).toBe(400)
    expect(['bad_json', 'validation_failed']).toContain(answer.body.code)
  })

  it.each([
    '{}',
    'null',
    '[]',
    '"text"',
    '7',
    '{"text":7}',
    '{"text":"a","more":1}',
    '{"text":"a","count":"1"}',
    '{"text":"a","count":1.5}',
    `{"text":"${'x'.repeat(101)}"}`,
  ])('%s is refused by its schema', async (body) => {
    const answer = await send('/notes', body)
    expect(codeOf(answer)).toEqual([400, 'validation_failed'])
    expect(answer.body.requestId).toBeTruthy()
  })

  it('is refused with the path of the invalid value', async () => {
    const { body } = await send('/notes', '{"text":"a","count":"1"}')
    expect(body.details).toMatchObject([{ path: '/count' }])
  })

  it('is refused with the name of each field that is unknown or missing', async () => {
    const { body } = await send('/notes', '{"more":1,"a/b":2}')
    expect(body.details).toEqual([
      { path: '/text', message: 'is missing' },
      { path: '/more', message: 'is not a field of this request' },
      { path: '/a~1b', message: 'is not a field of this request' },
    ])
  })

  it('is normalised before it is checked: its limits apply to what is stored', async () => {
    const text = `${'e\u0301'.repeat(100)}\u200b`
    expect((await send('/notes', JSON.stringify({ text }))).body).toEqual({ text: 'é'.repeat(100) })
  })

  it('may be empty if the route needs none, as auth clients in browsers send it', async () => {
    expect((await send('/loose', '')).body).toEqual({ body: null })
  })

  it('that is too large is answered 413, one of another media type 415', async () => {
    expect(codeOf(await send('/notes', `{"text":"${'x'.repeat(1000)}"}`))).toEqual([413, 'payload_too_large'])
    const xml = await send('/notes', '<a/>', { 'content-type': 'text/xml' })
    expect(codeOf(xml)).toEqual([415, 'unsupported_media_type'])
  })

  it('with values that no column can store is answered 400, not 500', async () => {
    expect(codeOf(await send('/stored', '{"text":"a\\u0000b"}'))).toEqual([400, 'validation_failed'])
    expect(codeOf(await send('/numbers', '{"n":1e30}'))).toEqual([400, 'validation_failed'])
  })
})

it('a refusal does not reset the connection of a client that is still sending', async () => {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  const errors: Error[] = []
  socket.on('data', (chunk) => {
    text += chunk.toString()
  })
  socket.on('error', (error) => errors.push(error))
  socket.write(
    'POST /notes HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500000\r\n\r\n',
  )
  for (let sent = 0; sent < 500_000; sent += 50_000) {
    await new Promise((resolve) => socket.write('x'.repeat(50_000), resolve))
    expect(errors).toEqual([])
  }
  await until('the server closes the connection', () => socket.closed)
  expect(text).toMatch(/^HTTP\/1\.1 413 /)
  expect(errors).toEqual([])
})

describe('a body whose errors are costly to list', () => {
  const items = (text: string): string => `{"ids":[${text}]}`
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)

  it.each([
    ['a hundred thousand levels', deep],
    ['a hundred thousand levels in place of a list', `{"ids":${deep}}`],
    ['a hundred thousand levels in a list of unique items', items(deep)],
    ['sixty thousand equal items', items(`${'"x",'.repeat(60_000)}"x"`)],
  ])('is refused without a list of errors: %s', async (_what, body) => {
    const answer = await send('/ids', body)
    expect(codeOf(answer)).toEqual([400, 'validation_failed'])
    expect(answer.body.details).toEqual([])
  })

  it('is refused with a list of errors when it is small', async () => {
    const { body } = await send('/ids', items('"x","x"'))
    expect(body.details).toMatchObject([{ path: '/ids' }])
  })
})

describe('a URL', () => {
  it('is parsed to numbers, booleans and defaults', async () => {
    expect((await send(`/notes/${ID}?old=true`)).body).toEqual({ old: true, limit: 5 })
    expect((await send(`/notes/${ID}?limit=3`)).body).toEqual({ limit: 3 })
  })

  it.each([
    'limit=0',
    'limit=11',
    'limit=x',
    'limit=1.5',
    'limit=',
    'old=perhaps',
    'who=me',
    'limit=1&limit=2',
  ])('is refused with ?%s', async (query) => {
    expect(codeOf(await send(`/notes/${ID}?${query}`))).toEqual([400, 'validation_failed'])
  })

  it('with an invalid id is refused', async () => {
    expect(codeOf(await send('/notes/x'))).toEqual([400, 'validation_failed'])
  })

  it('without a route is answered 404, a malformed one 400, both with the error format of the API', async () => {
    expect(codeOf(await send('/nowhere'))).toEqual([404, 'not_found'])
    expect(codeOf(await send('/notes', undefined))).toEqual([404, 'not_found'])
    const bad = await send('/notes/%zz')
    expect(bad.status).toBe(400)
    expect(bad.body).toMatchObject({ code: expect.any(String), requestId: expect.any(String) })
  })
})

describe('an error', () => {
  it('of the server does not expose internal details', async () => {
    const answer = await send('/broken')
    expect(codeOf(answer)).toEqual([500, 'internal_error'])
    expect(JSON.stringify(answer.body)).not.toContain('swordfish')
  })

  it('of a reference to a deleted row is answered 409, without the name of the constraint', async () => {
    const answer = await send('/deleted')
    expect(codeOf(answer)).toEqual([409, 'conflict'])
    expect(JSON.stringify(answer.body)).not.toContain('notes_topic')
  })

  it('contains the time after which to retry', async () => {
    const answer = await send('/refused')
    expect(codeOf(answer)).toEqual([429, 'rate_limited'])
    expect(answer.body.retryAfterMs).toBe(1500)
    expect(answer.headers.get('retry-after')).toBe('2')
  })

  it('of an internal connection is answered 503, without its address', async () => {
    const answer = await send('/outage')
    expect(codeOf(answer)).toEqual([503, 'service_unavailable'])
    expect(JSON.stringify(answer.body)).not.toContain('10.0.0.7')
  })

  it('has the request id of the client if it is valid, otherwise a new one', async () => {
    expect((await send('/nowhere', undefined, { 'x-request-id': 'caller-id-1' })).body.requestId).toBe(
      'caller-id-1',
    )
    const long = 'x'.repeat(200)
    expect((await send('/nowhere', undefined, { 'x-request-id': long })).body.requestId).not.toBe(long)
  })
})

it('data that is not HTTP is answered 400, and other requests are still served', async () => {
  const answer = await new Promise<string>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('HELO\r\n\r\n'))
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString()
    })
    socket.on('close', () => resolve(text))
  })
  expect(answer).toMatch(/^HTTP\/1\.1 400/)
  expect((await send('/notes', '{"text":"a"}')).status).toBe(200)
})

describe('closing', () => {
  const MINUTE_MS = 60_000

  it('does not wait for idle connections: one without a request, and one whose request has ended', async () => {
    const timeouts = { headersMs: MINUTE_MS, requestMs: MINUTE_MS, checkEveryMs: MINUTE_MS }
    const closing = buildServer({ name: 'closing', logger, metrics: createMetrics('closing'), timeouts })
    const requestStarted = Promise.withResolvers<void>()
    const requestReleased = Promise.withResolvers<void>()
    closing.get('/slow', async () => {
      requestStarted.resolve()
      await requestReleased.promise
      return 'answered'
    })
    const address = await closing.listen({ host: '127.0.0.1', port: 0 })
    const answer = fetch(`${address}/slow`)
    await requestStarted.promise
    const accepted = new Promise((resolve) => closing.server.once('connection', resolve))
    const unused = connect(Number(new URL(address).port), '127.0.0.1')
    await accepted
    const closed = closing.close()
    await until('the server closes the connection', () => unused.closed)
    requestReleased.resolve()
    expect(await (await answer).text()).toBe('answered')
    await closed
  })
})
