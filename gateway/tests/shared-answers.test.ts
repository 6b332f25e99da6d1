import { randomUUID } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { until } from '@looptide/testkit/until'
import { request } from 'undici'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startStation, type TestStation } from './_util.ts'

let station: TestStation
let asked: string[]

beforeAll(async () => {
  station = await startStation()
})
afterAll(() => station.close())
beforeEach(() => {
  asked = []
  let count = 0
  station.catalogue.answer = ({ url }) => {
    asked.push(url ?? '')
    count += 1
    return { status: 200, body: { count } }
  }
})

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(station.gateway.url + path, { headers })
/** An address that no test before has asked for. */
const home = () => `/api/home?seed=${randomUUID()}`

describe('answers that are the same for everybody', () => {
  it('are asked for once, however many come at a time, and whoever they are', async () => {
    const path = home()
    const bodies = await Promise.all(
      Array.from({ length: 50 }, async (_, index) =>
        (await get(path, index % 2 === 0 ? { authorization: `Bearer ${index}` } : {})).json(),
      ),
    )
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
    expect(asked).toEqual([path])
    await get(home())
    expect(asked).toHaveLength(2)
  })

  it('are not sent again to whoever has them', async () => {
    const path = home()
    const first = await get(path)
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^W\/"/)
    expect(first.headers.get('cache-control')).toBe('no-cache')
    const again = await get(path, { 'if-none-match': etag })
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200)
  })

  it('are sent small to whoever takes that', async () => {
    station.catalogue.answer = () => ({ status: 200, body: { text: 'x'.repeat(20_000) } })
    const { headers, body: sent } = await request(station.gateway.url + home(), {
      headers: { 'accept-encoding': 'gzip' },
    })
    const body = Buffer.from(await sent.arrayBuffer())
    expect(headers['content-encoding']).toBe('gzip')
    expect(headers.vary).toContain('accept-encoding')
    expect(body.length).toBeLessThan(1000)
    expect(JSON.parse(gunzipSync(body).toString())).toEqual({ text: 'x'.repeat(20_000) })
  })

  it('have the same head whether they come from the service or from memory, but for what is a request’s own', async () => {
    const path = home()
    const heads = await Promise.all(
      [get(path), get(path).then(() => get(path))].map(async (answer) => {
        const { headers } = await answer
        const own = new Set(['date', 'x-request-id'])
        return [...headers].filter(([name]) => !own.has(name)).toSorted()
      }),
    )
    expect(heads[1]).toEqual(heads[0])
    const [first, second] = [await get(path), await get(path)].map(({ headers }) =>
      headers.get('x-request-id'),
    )
    expect(first).toMatch(/^[\w-]{8,64}$/)
    expect(second).not.toBe(first)
    expect((await get(path, { 'x-request-id': 'asked-by-me' })).headers.get('x-request-id')).toBe(
      'asked-by-me',
    )
    expect(asked).toEqual([path])
  })

  // Forgetting comes last: for three seconds after it answers are kept for 0.2 s only.
  it('are dropped for the user who changes something, before the answer to the change; a view is no such change', async () => {
    const path = home()
    await get(path)
    await fetch(`${station.gateway.url}/api/videos/x/views`, { method: 'POST' })
    await get(path)
    expect(asked.filter((url) => url === path)).toHaveLength(1)
    await fetch(`${station.gateway.url}/api/videos/x`, { method: 'DELETE' })
    await get(path)
    expect(asked.filter((url) => url === path)).toHaveLength(2)
  })

  it('are dropped when the catalogue publishes a change', async () => {
    const path = home()
    await get(path)
    station.publish('catalogue.home.changed.v1', {})
    await until('it is asked for again', async () => {
      await get(path)
      return asked.filter((url) => url === path).length > 1
    })
  })

  it('what is refused is the service’s own word, each time anew', async () => {
    const path = `/api/search?q=${randomUUID()}`
    const error = { code: 'validation_failed', message: 'Give a text.' }
    station.catalogue.answer = () => ({ status: 400, body: { error } })
    const refused = await get(path)
    expect([refused.status, await refused.json()]).toEqual([400, { error }])
    station.catalogue.answer = () => ({ status: 200, body: { videos: [] } })
    expect((await get(path)).status).toBe(200)
  })
})

describe('what else everybody gets alike', () => {
  const channel = () => `c-${randomUUID()}`
  /** Has a stub count its answers; answers the addresses it was asked for. */
  function counting(stub: TestStation['chat']): string[] {
    const urls: string[] = []
    stub.answer = ({ url = '' }) => {
      urls.push(url)
      return { status: 200, body: { count: urls.length } }
    }
    return urls
  }

  it.each([
    ['a guide', () => `/api/channels/${channel()}/guide?hours=2`, () => station.scheduler],
    ['all guides', () => `/api/guide?fromMs=${Date.now()}`, () => station.scheduler],
    ['a page of chat', () => `/api/chat/channels/${channel()}/messages?after=3`, () => station.chat],
    ['the theme', () => '/api/theme', () => station.admin],
    ['a page of all videos', () => `/api/videos?sort=title&cursor=${randomUUID()}`, () => station.catalogue],
    ['a search in the list of videos', () => `/api/videos?q=${randomUUID()}`, () => station.catalogue],
    ['a page of channels', () => `/api/channels?cursor=${randomUUID()}`, () => station.scheduler],
    ['a page of the air log', () => `/api/channels/${channel()}/air-log`, () => station.scheduler],
  ])('%s is asked for once', async (_what, address, stub) => {
    const urls = counting(stub())
    const path = address()
    await Promise.all(Array.from({ length: 20 }, () => get(path)))
    expect(urls.filter((url) => url === path)).toHaveLength(1)
  })

  it('what is somebody’s own is asked for each time', async () => {
    const urls = counting(station.chat)
    const path = `/api/chat/channels/${channel()}/permissions`
    await Promise.all([get(path), get(path)])
    expect(urls).toEqual([path, path])
  })

  it.each([
    ['the list of all videos', '/api/videos?all=true', () => station.catalogue],
    ['the same, its parameter escaped', '/api/videos?%61ll=true', () => station.catalogue],
    ['the list of channels', '/api/channels?limit=7', () => station.scheduler],
  ])('an admin gets their own answer to %s, and nobody else gets that', async (_what, path, stub) => {
    const admin = await station.identity.createUser('admin')
    station.publish('auth.role.changed.v1', { userId: admin.id, role: 'admin' })
    const isPublicToo = path.startsWith('/api/channels')
    stub().answer = ({ headers }) =>
      headers.authorization === admin.headers.authorization
        ? { status: 200, body: { of: 'admin' } }
        : { status: isPublicToo ? 200 : 401, body: { of: 'everybody' } }
    await until('the role is known', async () => {
      await get(path)
      return ((await (await get(path, admin.headers)).json()) as { of: string }).of === 'admin'
    })
    const user = await station.identity.createUser()
    for (const headers of [{}, user.headers, {}])
      expect(await (await get(path, headers)).json()).toEqual({ of: 'everybody' })
    expect(await (await get(path, admin.headers)).json()).toEqual({ of: 'admin' })
  })

  it('a token that cannot be read is for the service to refuse, where admins get another answer', async () => {
    const urls = counting(station.scheduler)
    const path = '/api/channels?limit=8'
    for (const token of ['x', 'a.b.c', `a.${Buffer.from('{"sub":1}').toString('base64url')}.c`])
      await get(path, { authorization: `Bearer ${token}` })
    expect(urls.filter((url) => url === path)).toHaveLength(3)
  })

  it('the air log is forgotten when a programme starts, and the guide is not', async () => {
    const urls = counting(station.scheduler)
    const [guide, log] = [`/api/channels/${channel()}/guide`, `/api/channels/${channel()}/air-log`]
    const times = (path: string) => urls.filter((url) => url === path).length
    await Promise.all([get(guide), get(log)])
    station.publish('stream.programme.started.v1', {
      ...{ channelId: 'default', programmeId: 'default.1.1', seq: 1, videoId: randomUUID() },
      ...{ startsAtMs: 1, endsAtMs: 2 },
    })
    const isAskedAgain = async () => {
      await get(log)
      return times(log) > 1
    }
    await until('the air log is asked for again', isAskedAgain, { timeoutMs: 800 })
    await get(guide)
    expect(times(guide)).toBe(1)
  })

  it('is forgotten with an event of the service, long before it would be by itself', async () => {
    const [pages, guides] = [counting(station.chat), counting(station.scheduler)]
    const [page, guide] = [`/api/chat/channels/${channel()}/messages`, `/api/channels/${channel()}/guide`]
    await Promise.all([get(page), get(guide)])
    station.publish('chat.settings.changed.v1', { channelId: 'default', slowModeS: 3 })
    station.publish('stream.timeline.changed.v1', { channelId: 'default', timelineVersion: 2, fromSeq: 1 })
    const isAskedAgain = async () => {
      await Promise.all([get(page), get(guide)])
      return [pages.filter((url) => url === page), guides.filter((url) => url === guide)].every(
        ({ length }) => length > 1,
      )
    }
    await until('both are asked for again', isAskedAgain, { timeoutMs: 800 })
  })
})
