import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { until } from '@looptide/testkit/until'
import { request as ask } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROXY_ROUTES } from '../src/http/proxy.ts'
import { type GatewayHarness, nowState, RawClient, startGatewayHarness } from './_harness.ts'

let harness: GatewayHarness

beforeAll(async () => {
  harness = await startGatewayHarness()
})
afterAll(() => harness.close())

const get = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(harness.gateway.url + path, init)

describe('what is passed on', () => {
  it('reaches the service with body, query and request id, without what only we may say', async () => {
    harness.catalogue.answer = () => ({ status: 201, body: { ok: true } })
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
    const got = harness.catalogue.requests.at(-1)
    expect(got).toMatchObject({
      method: 'POST',
      url: '/api/videos/add?x=1&x=2',
      body: '{"url":"https://youtu.be/x"}',
    })
    expect(got?.headers).toMatchObject({ authorization: 'Bearer abc', 'x-request-id': 'request-1234' })
    expect(got?.headers['x-internal-token']).toBeUndefined()
    expect(got?.headers['x-forwarded-for']).toBe('127.0.0.1')
  })

  it('keeps a POST without a body but with a content type as it is', async () => {
    const response = await get('/api/videos/x/view', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    })
    expect(response.status).toBe(201)
    expect(harness.catalogue.requests.at(-1)?.body).toBe('')
  })

  it.each(PROXY_ROUTES)('$prefix has a service', ({ service }) => {
    expect(harness.config.upstreams[service]).toMatch(/^http/)
  })

  it.each([
    '/internal/access',
    '/api/../internal/access',
    '/api/videos/../../internal/guard',
    '/api/videos/..%2f..%2finternal/guard',
    '/api/videos/%2e%2e/%2e%2e/internal/guard',
    '/auth/v1/..%5c..%5cinternal/access',
  ])('%s reaches nobody', async (path) => {
    const before = harness.catalogue.requests.length
    const response = await get(path)
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(response.status).toBeLessThan(500)
    expect(harness.catalogue.requests.length).toBe(before)
  })

  it('answers 503 in its own words while a service is away, and is well by itself', async () => {
    await harness.catalogue.stop()
    const response = await get('/api/videos')
    expect(response.status).toBe(503)
    expect(await response.json()).toEqual({
      code: 'service_unavailable',
      message: expect.any(String),
      requestId: response.headers.get('x-request-id'),
    })
    await harness.catalogue.restart()
    await until('the service is reached again', async () => (await get('/api/videos')).status === 201)
  })

  it('refuses what is too large', async () => {
    const response = await get('/api/videos', { method: 'POST', body: 'x'.repeat(1_100_000) })
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ code: 'payload_too_large' })
  })

  it('refuses what is too large although its length was not told', async () => {
    const asking = request(`${harness.gateway.url}/api/videos`, { method: 'POST', agent: false })
    asking.write(Buffer.alloc(1_048_576))
    asking.end('x')
    const [response] = (await once(asking, 'response')) as [IncomingMessage]
    const body: unknown = JSON.parse((await response.toArray()).join(''))
    expect([response.statusCode, body]).toMatchObject([413, { code: 'payload_too_large' }])
  })

  it('bears a client that goes away within such a body', async () => {
    for (const bytes of [0, 1, 70_000]) {
      const asking = request(`${harness.gateway.url}/api/videos`, { method: 'POST', agent: false })
      asking.on('error', () => undefined)
      asking.flushHeaders()
      await once(asking, 'socket')
      await new Promise((resolve) => asking.write(Buffer.alloc(bytes), resolve))
      asking.destroy()
    }
    const broken = connect(Number(new URL(harness.gateway.url).port), '127.0.0.1')
    broken.write('POST /api/videos HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n')
    await once(broken.resume(), 'close')
    expect((await get('/api/videos')).status).toBe(201)
  })

  it('says nothing of the connection between a service and us', async () => {
    const asked = request(`${harness.gateway.url}/api/videos`, {
      agent: false,
      headers: { connection: 'close' },
    })
    asked.end()
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    response.resume()
    expect(response.headers.connection).toBe('close')
    expect(response.headers['keep-alive']).toBeUndefined()
  })

  it('passes a refusal on untouched', async () => {
    harness.catalogue.answer = () => ({
      status: 403,
      body: { code: 'forbidden', message: 'No', requestId: 'x' },
    })
    const response = await get('/api/videos')
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ code: 'forbidden' })
  })
})

describe('auth from another origin', () => {
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

  it('is not allowed elsewhere', async () => {
    const response = await get('/api/config', { headers: { origin: 'https://elsewhere.test' } })
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('what the gateway answers itself', () => {
  it('now, from memory, also while the scheduler is away', async () => {
    const first = await get('/api/channels/default/now')
    expect(first.status).toBe(200)
    expect(await first.json()).toMatchObject({ channelId: 'default', timelineVersion: 1 })
    const asked = harness.scheduler.requests.length
    await harness.scheduler.stop()
    const again = (await (await get('/api/channels/default/now')).json()) as { serverNowMs: number }
    expect(Math.abs(again.serverNowMs - Date.now())).toBeLessThan(2000)
    expect((await get(`/api/channels/${randomUUID()}/now`)).status).toBe(503)
    await harness.scheduler.restart()
    expect(harness.scheduler.requests.length).toBe(asked)
  })

  it('now, not as it was before an event that whoever asks has heard of', async () => {
    const path = '/api/channels/test-card/now'
    expect(await (await get(path)).json()).toMatchObject({ status: 'live' })
    const before = harness.scheduler.answer
    const stopped = nowState('test-card', { status: 'idle', timelineVersion: 2, programmes: [] })
    const { promise: told, resolve: tell } = Promise.withResolvers<void>()
    let isAsked = false
    harness.scheduler.answer = async () => {
      isAsked = true
      await told
      return { status: 200, body: stopped }
    }
    harness.publish('stream.status.changed.v1', { channelId: 'test-card', status: 'idle' })
    await until('the gateway asks the scheduler', () => isAsked)
    const answer = get(path)
    // What comes later has been answered: so would this, if it did not wait.
    await get('/api/config')
    tell()
    expect(await (await answer).json()).toMatchObject({ status: 'idle', programmes: [] })
    harness.scheduler.answer = before
  })

  it('now, not as it was before an event that comes while the scheduler is asked for the first time', async () => {
    const guide = await new RawClient(harness.realtimeUrl).open()
    await guide.join('realtime:guide')
    const begun = 'just-begun'
    const unplanned = nowState(begun, { timelineVersion: 0, programmes: [] })
    const planned = nowState(begun, { timelineVersion: 1 })
    const first = await answerAroundEvent(guide, begun, { status: 200, body: unplanned }, planned, () =>
      harness.publish('stream.timeline.changed.v1', { channelId: begun, timelineVersion: 1, fromSeq: 1 }),
    )
    expect(first).toMatchObject({ timelineVersion: 1 })
    const made = 'just-made'
    const second = await answerAroundEvent(guide, made, { status: 404, body: {} }, nowState(made), () =>
      harness.publish('stream.channel.created.v1', { channelId: made, name: 'Made', isActive: true }),
    )
    expect(second).toMatchObject({ channelId: made, status: 'live' })
    guide.close()
  })

  /** What the gateway answers when the event is heard between the scheduler's being asked and its stale answer. */
  async function answerAroundEvent(
    guide: RawClient,
    channelId: string,
    stale: { status: number; body: unknown },
    fresh: unknown,
    tell: () => void,
  ): Promise<unknown> {
    const before = harness.scheduler.answer
    const { promise: heard, resolve: goOn } = Promise.withResolvers<void>()
    let asked = 0
    harness.scheduler.answer = async () => {
      asked += 1
      if (asked > 1) return { status: 200, body: fresh }
      await heard
      return stale
    }
    const answer = get(`/api/channels/${channelId}/now`)
    await until('the gateway asks the scheduler', () => asked === 1)
    tell()
    // Whoever follows the guide is told after the gateway itself has learnt it.
    await guide.find((m) => m[3] === 'broadcast' && JSON.stringify(m[4]).includes(channelId))
    goOn()
    const body: unknown = await (await answer).json()
    harness.scheduler.answer = before
    return body
  }

  it('now, small to whoever takes that, and never with the programme of before a change', async () => {
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
    await until('the change is told', async () => (await sizeAndVersion()).version === 2)
  })

  it('now without programmes that are over', async () => {
    const state = nowState('ending')
    harness.channels.set('ending', {
      ...state,
      programmes: state.programmes.map((it) => ({
        ...it,
        startsAtMs: it.startsAtMs - 600_000,
        endsAtMs: it.endsAtMs - 600_000,
      })),
    })
    const { programmes } = (await (await get('/api/channels/ending/now')).json()) as {
      programmes: { seq: number }[]
    }
    expect(programmes[0]?.seq).toBe(10)
  })

  it('404 for a channel that is not there, 400 for one that cannot be', async () => {
    expect((await get('/api/channels/nowhere/now')).status).toBe(404)
    expect((await get('/api/channels/NO!/now')).status).toBe(400)
  })

  it('health, with every service by name', async () => {
    await until('the services were asked', async () => {
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

  it('config for the web app', async () => {
    expect(await (await get('/api/config')).json()).toEqual({
      brand: expect.objectContaining({ name: 'Looptide TV' }),
      apiKey: 'looptide-public',
      youtubeBaseUrl: 'https://www.youtube.com',
      mailConfirmation: false,
      defaultChannelId: 'default',
      fallbackChannelId: 'test-card',
      firestick: { apkUrl: null, guideUrl: null },
    })
  })

  it('the merged description of all services, without what is internal', async () => {
    expect((await get('/docs')).status).toBe(200)
    await until('the descriptions are merged', async () => {
      const { paths } = (await (await get('/docs/json')).json()) as { paths: Record<string, unknown> }
      expect(Object.keys(paths)).toContain('/api/health')
      expect(Object.keys(paths).some((path) => path.startsWith('/internal'))).toBe(false)
      return '/api/videos' in paths
    })
  })

  it('probes outside, figures only inside', async () => {
    expect((await get('/livez')).status).toBe(200)
    expect((await get('/readyz')).status).toBe(200)
    expect((await get('/metrics')).status).toBe(404)
    const figures = await (await fetch(`${harness.gateway.metricsUrl}/metrics`)).text()
    expect(figures).toContain('looptide_sockets')
  })
})

describe('the web app', () => {
  it('is one page for every address that is a page', async () => {
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
  ])('has no %s', async (path) => {
    const response = await get(path)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ code: 'not_found' })
  })

  it('says in our words that an address cannot be read', async () => {
    const response = await get('/%ff')
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'bad_json', requestId: expect.any(String) })
  })

  it('lets browsers keep what has its hash in its name', async () => {
    const response = await get('/assets/app-abc123.js')
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('content-type')).toContain('javascript')
  })

  it('sends scripts without the headers that only documents obey, and not to be taken for anything else', async () => {
    const { headers } = await get('/assets/app-abc123.js')
    for (const name of ['content-security-policy', 'permissions-policy', 'x-frame-options'])
      expect(headers.get(name)).toBeNull()
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect((await get('/test-card/a.mp4')).headers.get('content-security-policy')).toContain(
      "default-src 'self'",
    )
  })

  it('serves clips by byte range', async () => {
    const response = await get('/test-card/a.mp4', { headers: { range: 'bytes=2-4' } })
    expect(response.status).toBe(206)
    expect(response.headers.get('content-range')).toBe('bytes 2-4/10')
    expect(await response.text()).toBe('234')
  })

  it('comes with a strict policy that lets YouTube in', async () => {
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

  it('lets nothing of an answer to a program be loaded, run or framed', async () => {
    const { headers } = await get('/api/channels')
    expect(headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-frame-options')).toBe('DENY')
  })
})
