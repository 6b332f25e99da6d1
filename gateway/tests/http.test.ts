import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { until } from '@looptide/testkit/until'
import { request as ask } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { PROXY_ROUTES } from '../src/http/proxy-routes.ts'
import { type GatewayHarness, nowState, startGatewayHarness } from './_harness.ts'
import { RawClient } from './_raw-client.ts'

let harness: GatewayHarness

beforeAll(async () => {
  harness = await startGatewayHarness()
})
afterAll(() => harness.close())

const get = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(harness.gateway.url + path, init)

/** Sends texts one after the other on one connection, and returns the responses. */
async function exchange(...texts: string[]): Promise<string[]> {
  const socket = connect(Number(new URL(harness.gateway.url).port), '127.0.0.1')
  let received = ''
  socket.on('data', (data) => {
    received += data.toString('latin1')
  })
  const responses: string[] = []
  for (const text of texts) {
    received = ''
    socket.write(text)
    responses.push(await until('the response is complete', () => completeResponse(received)))
  }
  socket.destroy()
  return responses
}

/** Sends a text and returns everything received until the connection is closed. */
async function receiveUntilClosed(text: string): Promise<string> {
  const socket = connect(Number(new URL(harness.gateway.url).port), '127.0.0.1')
  socket.write(text)
  return (await socket.toArray()).join('')
}

/** The response without `100 Continue` before it; undefined while it is incomplete. */
function completeResponse(received: string): string | undefined {
  const response = received.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '')
  const end = response.indexOf('\r\n\r\n')
  const length = Number(/content-length: (\d+)/i.exec(response)?.[1])
  return end > 0 && response.length >= end + 4 + length ? response : undefined
}

describe('proxied requests', () => {
  it('reach the service with body, query and request id, without reserved headers', async () => {
    harness.catalogue.respond = () => ({ status: 201, body: { ok: true } })
    const response = await get('/api/videos/add?x=1&x=2', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-request-id': 'request-1234',
        'x-internal-token': 'stolen',
        'x-forwarded-for': '6.6.6.6',
        authorization: 'Bearer abc',
      },
      body: '{"url":"https://youtu.be/x"}',
    })
    expect(response.status).toBe(201)
    expect(await response.json()).toEqual({ ok: true })
    expect(response.headers.get('x-request-id')).toBe('request-1234')
    const received = harness.catalogue.requests.at(-1)
    expect(received).toMatchObject({
      method: 'POST',
      url: '/api/videos/add?x=1&x=2',
      body: '{"url":"https://youtu.be/x"}',
    })
    expect(received?.headers).toMatchObject({ authorization: 'Bearer abc', 'x-request-id': 'request-1234' })
    expect(received?.headers['x-internal-token']).toBeUndefined()
    expect(received?.headers['x-forwarded-for']).toBe('127.0.0.1')
  })

  it('preserve a POST with a content type and without a body', async () => {
    const response = await get('/api/videos/x/view', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    })
    expect(response.status).toBe(201)
    expect(harness.catalogue.requests.at(-1)?.body).toBe('')
  })

  it.each(PROXY_ROUTES.filter(({ service }) => service !== 'audience'))(
    '$prefix has a service',
    ({ service }) => {
      expect(harness.config.upstreams[service]).toMatch(/^http/)
    },
  )

  it.each(['/api/requests/x', '/api/export/requests', '/api/dead-letters/audience'])(
    '%s is unknown where the station accepts no requests',
    async (path) => {
      const response = await get(path)
      expect([response.status, await response.json()]).toEqual([
        404,
        expect.objectContaining({ code: 'not_found' }),
      ])
    },
  )

  it.each([
    '/internal/access',
    '/api/../internal/access',
    '/api/videos/../../internal/guard',
    '/api/videos/..%2f..%2finternal/guard',
    '/api/videos/%2e%2e/%2e%2e/internal/guard',
    '/auth/v1/..%5c..%5cinternal/access',
  ])('%s reaches no service', async (path) => {
    const before = harness.catalogue.requests.length
    const response = await get(path)
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(response.status).toBeLessThan(500)
    expect(harness.catalogue.requests.length).toBe(before)
  })

  it('fail with 503 in our error format while the service is down, and succeed afterwards', async () => {
    await harness.catalogue.stop()
    const response = await get('/api/videos')
    expect(response.status).toBe(503)
    expect(await response.json()).toEqual({
      code: 'service_unavailable',
      message: expect.any(String),
      requestId: response.headers.get('x-request-id'),
    })
    await harness.catalogue.restart()
    await until('the service is reachable again', async () => (await get('/api/videos')).status === 201)
  })

  it('for an XMLTV file that is larger than any held answer succeed, with and without compression', async () => {
    const text = `<programme start="20261121140305 +0000"><title>Song</title></programme>\n`.repeat(300_000)
    const { respond } = harness.scheduler
    harness.scheduler.respond = ({ headers }) => ({
      status: 200,
      body: headers['accept-encoding'] === 'gzip' ? gzipSync(text) : Buffer.from(text),
      headers: { 'content-type': 'application/xml', 'content-encoding': 'gzip', vary: 'accept-encoding' },
    })
    const url = `${harness.gateway.url}/api/guide.xml`
    const plain = await ask(url)
    expect([plain.statusCode, plain.headers['content-encoding']]).toEqual([200, undefined])
    expect((await plain.body.text()) === text).toBe(true)
    const compressed = await ask(url, { headers: { 'accept-encoding': 'gzip, deflate' } })
    expect(compressed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
    expect(gunzipSync(await compressed.body.arrayBuffer()).length).toBe(text.length)
    const head = await ask(url, { method: 'HEAD' })
    expect([head.statusCode, head.headers['content-encoding'], await head.body.text()]).toEqual([
      200,
      undefined,
      '',
    ])
    harness.scheduler.respond = respond
  })

  it('of one connection reach the service one after the other, and a connection that sends very many is closed', async () => {
    let [running, most] = [0, 0]
    harness.catalogue.respond = async ({ url = '' }) => {
      running += 1
      most = Math.max(most, running)
      await new Promise(setImmediate)
      running -= 1
      return { status: 201, body: { url } }
    }
    const pipelined = (count: number) => {
      const socket = connect(Number(new URL(harness.gateway.url).port), '127.0.0.1')
      const paths = Array.from({ length: count }, (_, n) => `/api/submissions/${n}`)
      socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''))
      return socket
    }
    const socket = pipelined(20)
    let received = ''
    socket.on('data', (data) => {
      received += data.toString()
    })
    await until('all are answered', () => received.includes('/19"}'))
    const answers = received.matchAll(/"\/api\/submissions\/(\d+)"/g).map(([, number]) => Number(number))
    expect([most, [...answers]]).toEqual([1, Array.from({ length: 20 }, (_, n) => n)])
    socket.destroy()
    await once(pipelined(100).resume(), 'close')
    harness.catalogue.respond = () => ({ status: 201, body: { ok: true } })
  })

  it('are refused when the body is too large', async () => {
    const response = await get('/api/videos', { method: 'POST', body: 'x'.repeat(1_100_000) })
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ code: 'payload_too_large' })
  })

  it('are refused when the body is too large and has no content length', async () => {
    const clientRequest = request(`${harness.gateway.url}/api/videos`, { method: 'POST', agent: false })
    clientRequest.write(Buffer.alloc(1_048_576))
    clientRequest.end('x')
    const [response] = (await once(clientRequest, 'response')) as [IncomingMessage]
    const body: unknown = JSON.parse((await response.toArray()).join(''))
    expect([response.statusCode, body]).toMatchObject([413, { code: 'payload_too_large' }])
  })

  it('may be aborted by the client within the body', async () => {
    for (const bytes of [0, 1, 70_000]) {
      const clientRequest = request(`${harness.gateway.url}/api/videos`, { method: 'POST', agent: false })
      clientRequest.on('error', () => undefined)
      clientRequest.flushHeaders()
      await once(clientRequest, 'socket')
      await new Promise((resolve) => clientRequest.write(Buffer.alloc(bytes), resolve))
      clientRequest.destroy()
    }
    const broken = connect(Number(new URL(harness.gateway.url).port), '127.0.0.1')
    broken.write('POST /api/videos HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n')
    await once(broken.resume(), 'close')
    expect((await get('/api/videos')).status).toBe(201)
  })

  it('get no headers of the connection between gateway and service', async () => {
    const clientRequest = request(`${harness.gateway.url}/api/videos`, {
      agent: false,
      headers: { connection: 'close' },
    })
    clientRequest.end()
    const [response] = (await once(clientRequest, 'response')) as [IncomingMessage]
    response.resume()
    expect(response.headers.connection).toBe('close')
    expect(response.headers['keep-alive']).toBeUndefined()
  })

  it.each([
    ['Expect: 100-continue'],
    ['Expect: 200-ok'],
    ['Keep-Alive: timeout=5'],
    ['TE: trailers'],
    ['Trailer: x-checksum'],
    ['Proxy-Connection: keep-alive'],
    ['Proxy-Authorization: Basic eA=='],
    ['Connection: keep-alive, X-Hop\r\nX-Hop: 1'],
    ['Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk'],
    ['Connection: Upgrade\r\nUpgrade: websocket'],
    ['Connection: Upgrade\r\nUpgrade: TLS/1.0'],
  ])('reach the service without the headers of the connection: %s', async (header) => {
    harness.catalogue.respond = () => ({ status: 201, body: { ok: true } })
    for (const [method, body] of [
      ['POST', '{"a":1}'],
      ['GET', ''],
      // Some search clients send a body with a GET; no service reads it.
      ['GET', '{"a":1}'],
    ]) {
      const text = `${method} /api/playlists HTTP/1.1\r\nHost: x\r\n${header}\r\nContent-Type: application/json\r\nContent-Length: ${body?.length}\r\n\r\n${body}`
      for (const response of await exchange(text, text)) expect(response).toMatch(/^HTTP\/1\.1 201 /)
      const { headers, body: received } = harness.catalogue.requests.at(-1)!
      expect(received).toBe(method === 'GET' ? '' : body)
      const names = header.split('\r\n').map((line) => line.split(':')[0]?.toLowerCase() ?? '')
      for (const name of names.filter((name) => name !== 'connection')) expect(headers[name]).toBeUndefined()
      expect(headers.connection).toBe('keep-alive')
    }
  })

  it('with Upgrade: h2c are answered like others by every route', async () => {
    for (const path of ['/', '/api/config', '/api/channels/default/now', '/test-card/a.mp4', '/docs/json']) {
      const [text = ''] = await exchange(
        `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n`,
      )
      expect([path, text.slice(0, 12)]).toEqual([path, 'HTTP/1.1 200'])
    }
  })

  it.each(['gzip, chunked', 'identity, chunked', 'gzip\r\nTransfer-Encoding: chunked'])(
    'are refused in the transfer coding %j before they reach a service',
    async (codings) => {
      const before = harness.catalogue.requests.length
      for (const path of ['/api/playlists', '/api/config', '/']) {
        const text = await receiveUntilClosed(
          `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: ${codings}\r\n\r\n5\r\nabcde\r\n0\r\n\r\nGET /api/playlists HTTP/1.1\r\nHost: x\r\n\r\n`,
        )
        expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 501'])
        expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n')))).toEqual({
          code: 'unsupported_transfer_coding',
          message: expect.any(String),
          requestId: expect.any(String),
        })
      }
      expect(harness.catalogue.requests.length).toBe(before)
    },
  )

  it.each(['', 'Host: x\r\nHost: y\r\n'])('are refused with the host lines %j', async (hosts) => {
    for (const path of ['/api/playlists', '/api/config', '/api/config', '/']) {
      const text = await receiveUntilClosed(`GET ${path} HTTP/1.1\r\n${hosts}\r\n`)
      expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400'])
      expect(text).toContain('"code":"bad_request"')
    }
  })

  it('that are aborted by the client are no outage of the service', async () => {
    const failures = async (): Promise<string[]> => {
      const metrics = await (await fetch(`${harness.gateway.metricsUrl}/metrics`)).text()
      return metrics.split('\n').filter((line) => /http_request_seconds_count.*status="5/.test(line))
    }
    const before = await failures()
    harness.catalogue.respond = () => ({ status: 201, body: { ok: true } })
    for (const head of [
      'POST /api/playlists HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{',
      'POST /api/playlists HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{',
      'GET /api/playlists/a/../b HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET http://elsewhere.test/api/playlists HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET /api/playlists?q=\xe9 HTTP/1.1\r\nHost: x\r\n\r\n',
    ]) {
      const socket = connect(Number(new URL(harness.gateway.url).port), '127.0.0.1')
      socket.end(Buffer.from(head, 'latin1'))
      await once(socket.resume(), 'close')
    }
    expect(await failures()).toEqual(before)
  })

  it.each([200, 202, 204, 304])('get an empty response of status %i unchanged', async (status) => {
    harness.catalogue.respond = () => ({ status })
    const response = await ask(`${harness.gateway.url}/api/playlists`)
    expect([response.statusCode, await response.body.text()]).toEqual([status, ''])
    expect(response.headers['content-type']).toBeUndefined()
    expect(response.headers['content-length']).toBe(status < 204 ? '0' : undefined)
  })

  it('get error responses of the service unchanged', async () => {
    harness.catalogue.respond = () => ({
      status: 403,
      body: { code: 'forbidden', message: 'No', requestId: 'x' },
    })
    const response = await get('/api/videos')
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ code: 'forbidden' })
  })
})

describe('the auth API from another origin', () => {
  it('is allowed, with the version header exposed', async () => {
    const headers = { origin: 'https://elsewhere.test', 'access-control-request-method': 'POST' }
    const preflight = await get('/auth/v1/token', { method: 'OPTIONS', headers })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    for (const name of ['authorization', 'apikey', 'content-type', 'x-client-info', 'x-supabase-api-version'])
      expect(preflight.headers.get('access-control-allow-headers')).toContain(name)
    const answer = await get('/auth/v1/.well-known/jwks.json', { headers })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-expose-headers')).toContain('x-supabase-api-version')
  })

  it('is the only API with CORS', async () => {
    const response = await get('/api/config', { headers: { origin: 'https://elsewhere.test' } })
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('the gateway itself serves', () => {
  it('now from memory, also while the scheduler is down', async () => {
    const first = await get('/api/channels/default/now')
    expect(first.status).toBe(200)
    expect(await first.json()).toMatchObject({ channelId: 'default', timelineVersion: 1 })
    const requested = () =>
      harness.scheduler.requests.filter(({ url }) => url === '/api/channels/default/now')
    const requestsBefore = requested().length
    await harness.scheduler.stop()
    const sentAtMs = Date.now()
    const again = (await (await get('/api/channels/default/now')).json()) as { serverNowMs: number }
    expect(again.serverNowMs).toBeGreaterThan(sentAtMs - 2000)
    expect(again.serverNowMs).toBeLessThan(Date.now() + 2000)
    expect((await get(`/api/channels/${randomUUID()}/now`)).status).toBe(503)
    await harness.scheduler.restart()
    expect(requested()).toHaveLength(requestsBefore)
  })

  it('now with the change of an event that the client has received', async () => {
    const path = '/api/channels/test-card/now'
    expect(await (await get(path)).json()).toMatchObject({ status: 'live' })
    const before = harness.scheduler.respond
    const stopped = nowState('test-card', { status: 'idle', timelineVersion: 2, programmes: [] })
    const { promise: gate, resolve: openGate } = Promise.withResolvers<void>()
    let isRequested = false
    harness.scheduler.respond = async () => {
      isRequested = true
      await gate
      return { status: 200, body: stopped }
    }
    harness.publish('stream.status.changed.v1', { channelId: 'test-card', status: 'idle' })
    await until('the gateway sends a request to the scheduler', () => isRequested)
    const answer = get(path)
    // A later request is served, so the first one would be too if it did not wait.
    await get('/api/config')
    openGate()
    expect(await (await answer).json()).toMatchObject({ status: 'idle', programmes: [] })
    harness.scheduler.respond = before
  })

  it('now with the change of an event that arrives during the first lookup', async () => {
    const guide = await new RawClient(harness.realtimeUrl).open()
    await guide.join('realtime:guide')
    const started = 'just-started'
    const unplanned = nowState(started, { timelineVersion: 0, programmes: [] })
    const planned = nowState(started, { timelineVersion: 1 })
    const first = await responseAroundEvent(guide, started, { status: 200, body: unplanned }, planned, () =>
      harness.publish('stream.timeline.changed.v1', { channelId: started, timelineVersion: 1, fromSeq: 1 }),
    )
    expect(first).toMatchObject({ timelineVersion: 1 })
    const created = 'just-created'
    const second = await responseAroundEvent(
      guide,
      created,
      { status: 404, body: {} },
      nowState(created),
      () =>
        harness.publish('stream.channel.created.v1', { channelId: created, name: 'Created', isActive: true }),
    )
    expect(second).toMatchObject({ channelId: created, status: 'live' })
    guide.close()
  })

  /** The gateway's response when an event arrives between its request to the scheduler and the stale response. */
  async function responseAroundEvent(
    guide: RawClient,
    channelId: string,
    stale: { status: number; body: unknown },
    fresh: unknown,
    publishEvent: () => void,
  ): Promise<unknown> {
    const before = harness.scheduler.respond
    const { promise: gate, resolve: openGate } = Promise.withResolvers<void>()
    let requests = 0
    harness.scheduler.respond = async () => {
      requests += 1
      if (requests > 1) return { status: 200, body: fresh }
      await gate
      return stale
    }
    const answer = get(`/api/channels/${channelId}/now`)
    await until('the gateway sends a request to the scheduler', () => requests === 1)
    publishEvent()
    // Members of the guide topic are notified after the gateway has applied the event.
    await guide.find((m) => m[3] === 'broadcast' && JSON.stringify(m[4]).includes(channelId))
    openGate()
    const body: unknown = await (await answer).json()
    harness.scheduler.respond = before
    return body
  }

  it('now compressed on request, and never with an outdated version', async () => {
    harness.channels.set('small', nowState('small'))
    const plain = await (
      await get('/api/channels/small/now', { headers: { 'accept-encoding': 'identity' } })
    ).text()
    const sizeAndVersion = async () => {
      const { headers, body } = await ask(`${harness.gateway.url}/api/channels/small/now`, {
        headers: { 'accept-encoding': 'gzip' },
      })
      expect(headers['content-encoding']).toBe('gzip')
      const bytes = Buffer.from(await body.arrayBuffer())
      const state = JSON.parse(gunzipSync(bytes).toString()) as { timelineVersion: number }
      return { size: bytes.length, version: state.timelineVersion }
    }
    const first = await sizeAndVersion()
    expect(first.size).toBeLessThan(plain.length / 3)
    expect(first.version).toBe(1)
    harness.channels.set('small', nowState('small', { timelineVersion: 2 }))
    harness.publish('stream.timeline.changed.v1', { channelId: 'small', timelineVersion: 2, fromSeq: 1 })
    await until('the change is served', async () => (await sizeAndVersion()).version === 2)
  })

  it('now without ended programmes', async () => {
    const state = nowState('ending')
    harness.channels.set('ending', {
      ...state,
      programmes: state.programmes.map((programme) => ({
        ...programme,
        startsAtMs: programme.startsAtMs - 600_000,
        endsAtMs: programme.endsAtMs - 600_000,
      })),
    })
    const { programmes } = (await (await get('/api/channels/ending/now')).json()) as {
      programmes: { seq: number }[]
    }
    expect(programmes[0]?.seq).toBe(10)
  })

  it('404 for an unknown channel, 400 for an invalid id', async () => {
    expect((await get('/api/channels/nowhere/now')).status).toBe(404)
    expect((await get('/api/channels/NO!/now')).status).toBe(400)
  })

  it('the health of every service', async () => {
    await until('the services are checked', async () => {
      const { results } = (await (await get('/api/health')).json()) as {
        results: { service: string; healthy: boolean; detail?: string }[]
      }
      expect(results.map(({ service }) => service)).toEqual([
        'gateway',
        'auth',
        'catalogue',
        'stream-scheduler',
        'chat',
        'admin-audit',
        'metadata-worker',
      ])
      const healthy = (name: string) => results.find(({ service }) => service === name)?.healthy
      return healthy('chat') === true && healthy('metadata-worker') === false
    })
  })

  it('the settings of the web app', async () => {
    expect(await (await get('/api/config')).json()).toEqual({
      brand: expect.objectContaining({ name: 'Looptide TV' }),
      apiKey: 'looptide-public',
      youtubeBaseUrl: 'https://www.youtube.com',
      mailConfirmation: true,
      signUp: 'open',
      defaultChannelId: 'default',
      fallbackChannelId: 'test-card',
      requests: false,
      firestick: { apkUrl: null, guideUrl: null },
      cast: null,
    })
  })

  it('the merged OpenAPI description of all services, without internal endpoints', async () => {
    expect((await get('/docs')).status).toBe(200)
    await until('the descriptions are merged', async () => {
      const { paths } = (await (await get('/docs/json')).json()) as { paths: Record<string, unknown> }
      expect(Object.keys(paths)).toContain('/api/health')
      expect(Object.keys(paths).some((path) => path.startsWith('/internal'))).toBe(false)
      return '/api/videos' in paths
    })
  })

  it('the same description as JSON and as YAML, not sent to a client that has it', async () => {
    await until('the descriptions are merged', async () =>
      (await (await get('/docs/json')).text()).includes('/api/videos'),
    )
    const json = await get('/docs/json')
    const yaml = await get('/docs/yaml')
    expect(parse(await yaml.text())).toEqual(await json.json())
    expect([json, yaml].map(({ headers }) => headers.get('content-type'))).toEqual([
      'application/json; charset=utf-8',
      'application/yaml; charset=utf-8',
    ])
    for (const [path, first] of [
      ['/docs/json', json],
      ['/docs/yaml', yaml],
    ] as const) {
      const etag = first.headers.get('etag') ?? ''
      expect(etag).not.toBe('')
      expect((await get(path, { headers: { 'if-none-match': etag } })).status).toBe(304)
    }
  })

  it('the files of the API pages compressed, and not to a client that has them', async () => {
    const page = await (await get('/docs')).text()
    const paths = [...page.matchAll(/(?:src|href)="(\/docs\/static\/[^"]+)"/g)].map(([, path = '']) => path)
    expect(paths).toContain('/docs/static/swagger-ui-bundle.js')
    for (const path of paths.filter((name) => /swagger-ui.*\.(js|css)$/.test(name))) {
      const { headers, statusCode, body } = await ask(harness.gateway.url + path, {
        headers: { 'accept-encoding': 'gzip' },
      })
      const packed = Buffer.from(await body.arrayBuffer())
      const plain = Buffer.from(await (await ask(harness.gateway.url + path)).body.arrayBuffer())
      expect([statusCode, headers['content-encoding'], headers.vary]).toEqual([
        200,
        'gzip',
        'accept-encoding',
      ])
      expect(gunzipSync(packed).equals(plain)).toBe(true)
      const etag = String(headers.etag)
      expect((await get(path, { headers: { 'if-none-match': etag } })).status).toBe(304)
    }
    for (const path of paths) expect([path, (await get(path)).status]).toEqual([path, 200])
    expect((await get('/docs/static/nothing.js')).status).toBe(404)
    expect((await get('/docs/static/..%2fpackage.json')).status).toBe(404)
  })

  it('probes on the public port, metrics only on the metrics port', async () => {
    expect((await get('/livez')).status).toBe(200)
    expect((await get('/readyz')).status).toBe(200)
    expect((await get('/metrics')).status).toBe(404)
    const metrics = await (await fetch(`${harness.gateway.metricsUrl}/metrics`)).text()
    expect(metrics).toContain('looptide_sockets')
  })
})

describe('the web app', () => {
  it('is the same page on every page path', async () => {
    for (const path of ['/', '/live', '/auth/reset', '/control?tab=1', '/search/']) {
      const response = await get(path)
      expect([path, response.status]).toEqual([path, 200])
      expect(await response.text()).toContain('id="station-config"')
      expect(response.headers.get('cache-control')).toBe('no-cache')
    }
  })

  it.each([
    '/api/nothing',
    '/missing.js',
    '/assets/missing',
    '/.env',
    '/..%2f..%2fetc/passwd',
    '/%00',
    '/a%5Cb',
  ])('responds 404 to %s', async (path) => {
    const response = await get(path)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ code: 'not_found' })
  })

  it('responds 400 in our error format to an undecodable path', async () => {
    const response = await get('/%ff')
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'bad_json', requestId: expect.any(String) })
  })

  it('lets browsers cache files with a content hash', async () => {
    const response = await get('/assets/app-abc123.js')
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('content-type')).toContain('javascript')
  })

  it('sends scripts with nosniff and without headers for documents', async () => {
    const { headers } = await get('/assets/app-abc123.js')
    for (const name of ['content-security-policy', 'permissions-policy', 'x-frame-options'])
      expect(headers.get(name)).toBeNull()
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect((await get('/test-card/a.mp4')).headers.get('content-security-policy')).toContain(
      "default-src 'self'",
    )
  })

  it('serves files from memory as from disk, and conditional requests, ranges and HEAD from disk', async () => {
    const { webRoot } = harness.config
    await writeFile(join(webRoot, 'assets/kept-abc123.js'), 'export {}')
    await writeFile(join(webRoot, 'assets/kept-abc123.js.br'), brotliCompressSync('export {}'))
    // A `fetch` with conditions would ask for a new copy, too.
    const answerTo = async (headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') => {
      const response = await ask(`${harness.gateway.url}/assets/kept-abc123.js`, { method, headers })
      const perRequest = new Set(['date', 'x-request-id', 'connection', 'keep-alive'])
      const kept = Object.entries(response.headers).filter(([name]) => !perRequest.has(name))
      const body = Buffer.from(await response.body.arrayBuffer())
      return { status: response.statusCode, body, headers: Object.fromEntries(kept) }
    }
    for (const coding of ['br', 'identity']) {
      const headers = { 'accept-encoding': coding }
      const body = coding === 'br' ? brotliCompressSync('export {}') : Buffer.from('export {}')
      const fromDisk = await answerTo(headers)
      expect(fromDisk).toMatchObject({ status: 200, body })
      expect(fromDisk.headers['content-encoding']).toBe(coding === 'br' ? 'br' : undefined)
      expect(await answerTo(headers)).toEqual(fromDisk)
      expect(await answerTo(headers, 'HEAD')).toEqual({ ...fromDisk, body: Buffer.alloc(0) })
      const known = await answerTo({ ...headers, 'if-none-match': String(fromDisk.headers.etag) })
      expect(known).toMatchObject({ status: 304, body: Buffer.alloc(0) })
      const part = await answerTo({ ...headers, range: 'bytes=0-2' })
      expect(part).toMatchObject({ status: 206, body: Buffer.from('exp') })
    }
    await rm(join(webRoot, 'assets/kept-abc123.js'))
    await rm(join(webRoot, 'assets/kept-abc123.js.br'))
    const fromMemory = await answerTo({ 'accept-encoding': 'identity' })
    expect(fromMemory).toMatchObject({ status: 200, body: Buffer.from('export {}') })
    expect(await answerTo({ 'accept-encoding': 'gzip' })).toMatchObject({ status: 404 })
  })

  it('serves byte ranges', async () => {
    const response = await get('/test-card/a.mp4', { headers: { range: 'bytes=2-4' } })
    expect(response.status).toBe(206)
    expect(response.headers.get('content-range')).toBe('bytes 2-4/10')
    expect(await response.text()).toBe('234')
  })

  it.each([
    ['bytes=8-99', 206, 'bytes 8-9/10', '89'],
    ['bytes=-3', 206, 'bytes 7-9/10', '789'],
    ['bytes=-99', 206, 'bytes 0-9/10', '0123456789'],
    ['bytes=0-0, 10-12', 206, 'bytes 0-0/10', '0'],
    ['Bytes=, 1-1,', 206, 'bytes 1-1/10', '1'],
    ['bytes=10-', 416, 'bytes */10', null],
    ['bytes=99999999999999999999-', 416, 'bytes */10', null],
    ['bytes=20-30,40-', 416, 'bytes */10', null],
    ['bytes=-0', 416, 'bytes */10', null],
    // Ignored: several ranges, invalid ones, and other units.
    ['bytes=0-1,5-6', 200, null, '0123456789'],
    ['bytes=4-2', 200, null, '0123456789'],
    ['bytes=2', 200, null, '0123456789'],
    ['bytes=', 200, null, '0123456789'],
    ['bytes=a-b', 200, null, '0123456789'],
    ['bytes=1-2x', 200, null, '0123456789'],
    ['bytes=--5', 200, null, '0123456789'],
    ['bytes 0-1', 200, null, '0123456789'],
    ['rows=0-1', 200, null, '0123456789'],
  ])('answers the range “%s” with %i', async (range, status, contentRange, body) => {
    const response = await get('/test-card/a.mp4', { headers: { range } })
    expect([response.status, response.headers.get('content-range')]).toEqual([status, contentRange])
    const text = await response.text()
    if (body === null) expect(JSON.parse(text)).toMatchObject({ code: 'range_not_satisfiable' })
    else expect(text).toBe(body)
  })

  it('ignores ranges of HEAD and of pages, and sends no range of a file that has changed', async () => {
    const range = 'bytes=20-'
    expect((await get('/test-card/a.mp4', { method: 'HEAD', headers: { range } })).status).toBe(200)
    expect((await get('/', { headers: { range } })).status).toBe(200)
    expect((await get('/docs/static/swagger-ui.css', { headers: { range: 'bytes=99999999-' } })).status).toBe(
      200,
    )
    const changed = { range, 'if-range': 'Thu, 01 Jan 1970 00:00:00 GMT' }
    expect((await get('/test-card/a.mp4', { headers: changed })).status).toBe(200)
    const outdated = await get('/test-card/a.mp4', { headers: { 'if-match': '"x"' } })
    expect([outdated.status, await outdated.json()]).toMatchObject([412, { code: 'precondition_failed' }])
  })

  it('has a strict Content Security Policy that allows YouTube', async () => {
    const { headers } = await get('/')
    const policy = Object.fromEntries(
      (headers.get('content-security-policy') ?? '').split(';').map((part) => {
        const [name = '', ...sources] = part.trim().split(' ')
        return [name, sources]
      }),
    )
    expect(policy['script-src']).toEqual([
      "'self'",
      'https://www.youtube.com/iframe_api',
      'https://www.youtube.com/s/player/',
    ])
    expect(policy['frame-src']).toEqual(['https://www.youtube.com', 'https://www.youtube-nocookie.com'])
    expect(policy['style-src-attr']).toEqual(["'none'"])
    expect(policy['report-uri']).toEqual(['/api/csp-reports'])
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe-/)
    expect(headers.get('permissions-policy')).toContain(
      'autoplay=(self "https://www.youtube.com" "https://www.youtube-nocookie.com")',
    )
    expect(policy['img-src']).toContain('https://i.ytimg.com')
    expect(policy['object-src']).toEqual(["'none'"])
    expect(policy['frame-ancestors']).toEqual(["'none'"])
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('does not let API responses load, run or be framed', async () => {
    const { headers } = await get('/api/channels')
    expect(headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-frame-options')).toBe('DENY')
  })
})
