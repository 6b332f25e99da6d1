import type { EmbedPage } from '@looptide/contracts/http/embeds'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type GatewayHarness, startGatewayHarness } from './_harness.ts'

const SITE = 'http://station.test'
let harness: GatewayHarness

beforeAll(async () => {
  harness = await startGatewayHarness()
  harness.names.set('default', 'Main </title><script>')
})
afterAll(() => harness.close())
beforeEach(() => allow(null))

const get = (path: string): Promise<Response> => fetch(harness.gateway.url + path)
const ancestorsOf = ({ headers }: Response): string | undefined =>
  /frame-ancestors ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1]
const dataOf = async (response: Response): Promise<EmbedPage> =>
  JSON.parse(/id="embed-data">([^<]*)</.exec(await response.text())?.[1] ?? '') as EmbedPage

/** Lets admin-audit answer this list; gateways hear of a change by its audit event. */
function allow(origins: unknown): void {
  harness.admin.respond = ({ url }) =>
    url === '/api/embeds' ? { status: 200, body: { origins } } : { status: 404, body: {} }
  harness.publish('admin.audit.recorded.v1', {
    ...{ action: 'embeds.update', targetType: 'embeds', targetId: null, targetUserId: null },
    ...{ before: null, after: null, details: null },
  })
}
const ancestorsBecome = (expected: string): Promise<unknown> =>
  until(
    `the pages ${expected} may show embeds`,
    async () => ancestorsOf(await get('/embed/default')) === expected,
  )

describe('an embed', () => {
  it('may be shown in frames by all pages, and no other answer by any', async () => {
    await ancestorsBecome('*')
    for (const path of ['/embed/default', '/embed/default/now', '/embed/default/chat']) {
      const response = await get(path)
      expect([path, response.status]).toEqual([path, 200])
      expect(response.headers.get('x-frame-options')).toBeNull()
      expect(ancestorsOf(response)).toBe('*')
      expect(response.headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin')
      expect(response.headers.get('set-cookie')).toBeNull()
    }
    const others = [
      '/',
      '/live',
      '/admin',
      '/embed',
      '/embed/default/other',
      '/embed/default/now/x',
      '/api/oembed',
    ]
    // Pages with buttons that another site could make people press: Allow, the remote, the control room.
    const withButtons = ['/pair?code=BCDF-GHJK', '/tv', '/remote', '/control', '/members/my-devices']
    for (const path of [...others, ...withButtons, '/live?x=/embed/default']) {
      const response = await get(path)
      expect([path, ancestorsOf(response)]).toEqual([path, "'none'"])
      expect(response.headers.get('x-frame-options')).toBe('DENY')
    }
  })

  it('may be shown only by the pages of the listed origins, within seconds after a change', async () => {
    allow(['https://blog.example', 'http://localhost:8000'])
    await ancestorsBecome("'self' https://blog.example http://localhost:8000")
    allow([])
    await ancestorsBecome("'self'")
  })

  it('keeps the last list while admin-audit is down, or answers what is no list', async () => {
    allow(['https://blog.example'])
    await ancestorsBecome("'self' https://blog.example")
    const asked = () => harness.admin.requests.filter(({ url }) => url === '/api/embeds').length
    for (const odd of ['https://a.example; script-src *', 'https://a.example, *', '*', "'unsafe-inline'"]) {
      allow([odd])
      const before = asked()
      await until('the list was asked for', async () => {
        expect(ancestorsOf(await get('/embed/default'))).toBe("'self' https://blog.example")
        return asked() > before
      })
      expect(ancestorsOf(await get('/embed/default'))).toBe("'self' https://blog.example")
    }
    harness.admin.respond = () => ({ status: 503, body: {} })
    expect(ancestorsOf(await get('/embed/default'))).toBe("'self' https://blog.example")
  })

  it('knows its channel before its first request, as data that ends no element', async () => {
    const response = await get('/embed/default/now')
    const html = await response.clone().text()
    expect(html).toContain('<title>Main &lt;/title&gt;&lt;script&gt; · ')
    expect(html).toContain('<meta name="robots" content="noindex">')
    expect(html).not.toContain('<script>')
    const { view, channel } = await dataOf(response)
    expect(view).toBe('now')
    expect(channel).toMatchObject({ id: 'default', watchUrl: `${SITE}/live?channel=default` })
    expect(channel?.now.now_playing.song.title).toMatch(/^Song /)
  })

  it('of an unknown channel is a page that says so', async () => {
    for (const path of ['/embed/nowhere', '/embed/default%2F..%2F..%2Fadmin', '/embed/%3Cb%3E/now']) {
      const response = await get(path)
      expect(response.status).toBe(404)
      expect((await dataOf(response)).channel).toBeNull()
    }
  })
})

describe('oEmbed', () => {
  const ask = (query: Record<string, string>) => get(`/api/oembed?${new URLSearchParams(query)}`)

  it('answers the live page and embeds', async () => {
    const response = await ask({
      url: `${SITE}/live?channel=test-card`,
      maxwidth: '400',
      format: 'json',
      dnt: 'on',
    })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain('application/json')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    const answer = (await response.json()) as { html: string }
    expect(answer).toMatchObject({ type: 'rich', version: '1.0', width: 400, height: 289 })
    expect(answer.html).toContain(`src="${SITE}/embed/test-card"`)
  })

  it('refuses other addresses, channels, formats and odd sizes', async () => {
    const codeOf = async (query: Record<string, string>) => {
      const response = await ask(query)
      return [response.status, ((await response.json()) as { code: string }).code]
    }
    const url = `${SITE}/live`
    expect(await codeOf({ url: 'https://other.example/live' })).toEqual([404, 'not_found'])
    expect(await codeOf({ url: `${SITE}/live?channel=nowhere` })).toEqual([404, 'not_found'])
    expect(await codeOf({ url: 'no address' })).toEqual([404, 'not_found'])
    expect(await codeOf({ url, format: 'xml' })).toEqual([501, 'format_not_supported'])
    expect(await codeOf({ url, maxwidth: '100' })).toEqual([404, 'not_found'])
    expect(await codeOf({ url, maxwidth: 'wide' })).toEqual([400, 'validation_failed'])
    expect(await codeOf({ url: `${url}?${'x'.repeat(3000)}` })).toEqual([400, 'validation_failed'])
    expect(await codeOf({})).toEqual([400, 'validation_failed'])
  })

  it('is found by the link on the live page and on embeds', async () => {
    const embeds = [
      ['/live?channel=test-card', '/embed/test-card'],
      ['/embed/test-card/now', '/embed/test-card/now'],
      ['/embed/test-card?accent=f80&muted&x=1', '/embed/test-card?accent=f80&amp;muted=1'],
    ] as const
    for (const [path, embed] of embeds) {
      const html = await (await get(path)).text()
      const href = /<link rel="alternate" type="application\/json\+oembed" href="([^"]*)"/.exec(html)?.[1]
      const { pathname, search } = new URL((href ?? '').replaceAll('&amp;', '&'))
      const answer = (await (await get(pathname + search)).json()) as { html: string }
      expect(answer.html).toContain(`src="${SITE}${embed}"`)
    }
    expect(await (await get('/videos')).text()).not.toContain('oembed')
  })
})
