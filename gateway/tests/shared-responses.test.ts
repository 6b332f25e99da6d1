import { randomUUID } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { bearerOf } from '@looptide/testkit/client'
import { until } from '@looptide/testkit/until'
import { request } from 'undici'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type GatewayHarness, startGatewayHarness } from './_harness.ts'

let harness: GatewayHarness
let requested: string[]

beforeAll(async () => {
  harness = await startGatewayHarness()
})
afterAll(() => harness.close())
beforeEach(() => {
  requested = []
  let count = 0
  harness.catalogue.respond = ({ url }) => {
    requested.push(url ?? '')
    count += 1
    return { status: 200, body: { count } }
  }
})

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(harness.gateway.url + path, { headers })
/** Time for which a response is valid shortly after an invalidation, as by an earlier test, in ms. */
const SHORTEST_TTL_MS = 200
/**
 * Repeats a check until it takes less time than a response is valid: on a busy machine the responses may expire before they
 * are invalidated.
 */
const beforeItExpires = (check: () => Promise<void>) =>
  until('the check is done before a response expires', async () => {
    const startedAtMs = performance.now()
    await check()
    return performance.now() - startedAtMs < 800
  })
/** A URL that no other test requests. */
const home = () => `/api/home?seed=${randomUUID()}`

describe('shared responses', () => {
  it('cause one request for any number of concurrent clients with any token', async () => {
    const path = home()
    const bodies = await Promise.all(
      Array.from({ length: 50 }, async (_, index) =>
        (await get(path, index % 2 === 0 ? bearerOf(String(index)) : {})).json(),
      ),
    )
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
    expect(requested).toEqual([path])
    await get(home())
    expect(requested).toHaveLength(2)
  })

  it('are 304 for a client that has them', async () => {
    const path = home()
    const first = await get(path)
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^W\/"/)
    expect(first.headers.get('cache-control')).toBe('no-cache')
    const again = await get(path, { 'if-none-match': etag })
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200)
  })

  it('are compressed on request', async () => {
    harness.catalogue.respond = () => ({ status: 200, body: { text: 'x'.repeat(20_000) } })
    const { headers, body: sent } = await request(harness.gateway.url + home(), {
      headers: { 'accept-encoding': 'gzip' },
    })
    const body = Buffer.from(await sent.arrayBuffer())
    expect(headers['content-encoding']).toBe('gzip')
    expect(headers.vary).toContain('accept-encoding')
    expect(body.length).toBeLessThan(1000)
    expect(JSON.parse(gunzipSync(body).toString())).toEqual({ text: 'x'.repeat(20_000) })
  })

  it('have the same headers from the service and from memory, except those of one request', async () => {
    const path = home()
    const headerLists = await Promise.all(
      [get(path), get(path).then(() => get(path))].map(async (response) => {
        const { headers } = await response
        const perRequest = new Set(['date', 'x-request-id'])
        return [...headers].filter(([name]) => !perRequest.has(name)).toSorted()
      }),
    )
    expect(headerLists[1]).toEqual(headerLists[0])
    const [first, second] = [await get(path), await get(path)].map(({ headers }) =>
      headers.get('x-request-id'),
    )
    expect(first).toMatch(/^[\w-]{8,64}$/)
    expect(second).not.toBe(first)
    expect((await get(path, { 'x-request-id': 'client-request-id' })).headers.get('x-request-id')).toBe(
      'client-request-id',
    )
    expect(requested).toEqual([path])
  })

  it.each(['/api/config', '/api/health', '/api/viewers', '/api/channels/default/now'])(
    'of the gateway itself are the same from the route and from memory, and are counted: %s',
    async (path) => {
      const operation = `gateway.${path.split('/').at(-1)}.read`
      const counted = async (): Promise<number> => {
        const metrics = await (await fetch(`${harness.gateway.metricsUrl}/metrics`)).text()
        const count = new RegExp(`request_seconds_count\\{[^}]*"${operation}",status="200"[^}]*\\} (\\d+)`)
        return Number(count.exec(metrics)?.[1] ?? 0)
      }
      const before = await counted()
      // A query that the route does not know makes the route answer.
      const [fromRoute, ...fromMemory] = [
        await get(`${path}?x`),
        await get(path),
        await get(path),
        await get(path),
      ]
      const perRequest = new Set(['date', 'x-request-id', 'etag', 'content-length'])
      const headersOf = ({ headers }: Response) =>
        [...headers].filter(([name]) => !perRequest.has(name)).toSorted()
      for (const response of fromMemory) {
        expect(response.status).toBe(200)
        expect(headersOf(response)).toEqual(headersOf(fromRoute!))
        expect(response.headers.get('x-request-id')).toMatch(/^[\w-]{8,64}$/)
        expect(Object.keys((await response.json()) as object)).not.toEqual([])
      }
      await until('all are counted', async () => (await counted()) === before + 4)
    },
  )

  // These tests come last: for three seconds after an invalidation, responses are cached for 0.2 s only.
  it('are invalidated by a change through the gateway, before its response, but not by a view', async () => {
    const path = home()
    await get(path)
    await fetch(`${harness.gateway.url}/api/videos/x/views`, { method: 'POST' })
    await get(path)
    expect(requested.filter((url) => url === path)).toHaveLength(1)
    await fetch(`${harness.gateway.url}/api/videos/x`, { method: 'DELETE' })
    await get(path)
    expect(requested.filter((url) => url === path)).toHaveLength(2)
  })

  it('are invalidated by an event of the catalogue', async () => {
    const path = home()
    await get(path)
    harness.publish('catalogue.home.changed.v1', {})
    await until('it is fetched again', async () => {
      await get(path)
      return requested.filter((url) => url === path).length > 1
    })
  })

  it('do not include errors, which come from the service each time', async () => {
    const path = `/api/search?q=${randomUUID()}`
    const error = { code: 'validation_failed', message: 'Give a text.' }
    harness.catalogue.respond = () => ({ status: 400, body: { error } })
    const refused = await get(path)
    expect([refused.status, await refused.json()]).toEqual([400, { error }])
    harness.catalogue.respond = () => ({ status: 200, body: { videos: [] } })
    expect((await get(path)).status).toBe(200)
  })
})

describe('shared routes', () => {
  const channel = () => `c-${randomUUID()}`
  /** Makes a stub count its responses. Returns the list of requested URLs. */
  function countRequests(stub: GatewayHarness['chat']): string[] {
    const urls: string[] = []
    stub.respond = ({ url = '' }) => {
      urls.push(url)
      return { status: 200, body: { count: urls.length } }
    }
    return urls
  }

  it.each([
    ['a guide', () => `/api/channels/${channel()}/guide?hours=2`, () => harness.scheduler],
    [
      'the substitutes of a programme',
      () => `/api/channels/${channel()}/programmes/x.1.1/substitutes`,
      () => harness.scheduler,
    ],
    ['all guides', () => `/api/guide?fromMs=${Date.now()}`, () => harness.scheduler],
    ['a page of chat', () => `/api/chat/channels/${channel()}/messages?after=3`, () => harness.chat],
    ['the theme', () => '/api/theme', () => harness.admin],
    ['a page of all videos', () => `/api/videos?sort=title&cursor=${randomUUID()}`, () => harness.catalogue],
    ['a search in the list of videos', () => `/api/videos?q=${randomUUID()}`, () => harness.catalogue],
    ['a page of channels', () => `/api/channels?cursor=${randomUUID()}`, () => harness.scheduler],
    ['a page of the air log', () => `/api/channels/${channel()}/air-log`, () => harness.scheduler],
  ])('%s is fetched once while it is valid', async (_what, createPath, stub) => {
    const urls = countRequests(stub())
    const path = createPath()
    const startedAtMs = performance.now()
    await Promise.all(Array.from({ length: 20 }, () => get(path)))
    // On a busy machine the requests may take longer than a response is valid.
    const expired = Math.floor((performance.now() - startedAtMs) / SHORTEST_TTL_MS)
    const fetched = urls.filter((url) => url === path).length
    expect(fetched).toBeGreaterThanOrEqual(1)
    expect(fetched).toBeLessThanOrEqual(1 + expired)
  })

  it('a personal response is fetched each time', async () => {
    const urls = countRequests(harness.chat)
    const path = `/api/chat/channels/${channel()}/permissions`
    await Promise.all([get(path), get(path)])
    expect(urls).toEqual([path, path])
  })

  it.each([
    ['the list of all videos', '/api/videos?all=true', () => harness.catalogue],
    ['the same, its parameter escaped', '/api/videos?%61ll=true', () => harness.catalogue],
    ['the list of channels', '/api/channels?limit=7', () => harness.scheduler],
  ])('an admin gets their own response to %s, and no other client gets it', async (_what, path, stub) => {
    const admin = await harness.identity.createUser('admin')
    harness.publish('auth.role.changed.v1', { userId: admin.id, role: 'admin' })
    const isPublicToo = path.startsWith('/api/channels')
    stub().respond = ({ headers }) =>
      headers.authorization === admin.headers.authorization
        ? { status: 200, body: { of: 'admin' } }
        : { status: isPublicToo ? 200 : 401, body: { of: 'public' } }
    await until('the role is effective', async () => {
      await get(path)
      return ((await (await get(path, admin.headers)).json()) as { of: string }).of === 'admin'
    })
    const user = await harness.identity.createUser()
    for (const headers of [{}, user.headers, {}])
      expect(await (await get(path, headers)).json()).toEqual({ of: 'public' })
    expect(await (await get(path, admin.headers)).json()).toEqual({ of: 'admin' })
  })

  it('a request with an unreadable token is proxied where admins get a different response', async () => {
    const urls = countRequests(harness.scheduler)
    const path = '/api/channels?limit=8'
    for (const token of ['x', 'a.b.c', `a.${Buffer.from('{"sub":1}').toString('base64url')}.c`])
      await get(path, bearerOf(token))
    expect(urls.filter((url) => url === path)).toHaveLength(3)
  })

  it('the start of a programme invalidates the air log, but not the guide', async () => {
    const urls = countRequests(harness.scheduler)
    const times = (path: string) => urls.filter((url) => url === path).length
    await beforeItExpires(async () => {
      const [guide, log] = [`/api/channels/${channel()}/guide`, `/api/channels/${channel()}/air-log`]
      await Promise.all([get(guide), get(log)])
      harness.publish('stream.programme.started.v1', {
        ...{ channelId: 'default', programmeId: 'default.1.1', seq: 1, videoId: randomUUID() },
        ...{ startsAtMs: 1, endsAtMs: 2 },
      })
      await until('the air log is fetched again', async () => {
        await get(log)
        return times(log) > 1
      })
      await get(guide)
      expect(times(guide)).toBe(1)
    })
  })

  it('are invalidated by an event of the service before they expire', async () => {
    const [pages, guides] = [countRequests(harness.chat), countRequests(harness.scheduler)]
    await beforeItExpires(async () => {
      const [page, guide] = [`/api/chat/channels/${channel()}/messages`, `/api/channels/${channel()}/guide`]
      await Promise.all([get(page), get(guide)])
      harness.publish('chat.settings.changed.v1', { channelId: 'default', slowModeS: 3 })
      harness.publish('stream.timeline.changed.v1', { channelId: 'default', timelineVersion: 2, fromSeq: 1 })
      await until('both are fetched again', async () => {
        await Promise.all([get(page), get(guide)])
        return [pages.filter((url) => url === page), guides.filter((url) => url === guide)].every(
          ({ length }) => length > 1,
        )
      })
    })
  })
})
