import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type GatewayHarness, startGatewayHarness, WEB_PAGE } from './_harness.ts'

let harness: GatewayHarness

beforeAll(async () => {
  harness = await startGatewayHarness()
})
afterAll(() => harness.close())

const FIRST_STYLES = '<link rel="stylesheet" crossorigin href="/assets/first.css">'

const get = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(harness.gateway.url + path, init)
const page = async (path: string): Promise<string> => (await get(path)).text()
const titleOf = (html: string): string | undefined => /<title>([^<]*)<\/title>/.exec(html)?.[1]
const metaOf = (html: string, name: string): string | undefined =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)">`).exec(html)?.[1]

const video = (changes: object = {}) => ({
  id: randomUUID(),
  title: 'Rock & <Roll>',
  artistName: 'The "Quotes"',
  description: 'Live at home.',
  durationMs: 215_000,
  startAtMs: 0,
  endAtMs: null,
  thumbnailUrl: 'https://i.ytimg.com/vi/abc/hqdefault.jpg',
  isPublic: true,
  ...changes,
})

describe('the page for televisions', () => {
  it('is sent for its path alone, filled in and with the headers of pages, and never as a file', async () => {
    await writeFile(
      join(harness.config.webRoot, '.vite/tv.html'),
      WEB_PAGE.replace('<body>', '<body>television'),
    )
    const response = await get('/tv?channel=default')
    const html = await response.text()
    expect(html).toContain('<body>television')
    expect(html).toContain('id="station-config"')
    expect(metaOf(html, 'robots')).toBe('noindex')
    const app = await get('/live')
    for (const name of ['cache-control', 'permissions-policy', 'x-frame-options', 'referrer-policy'])
      expect(response.headers.get(name), name).toBe(app.headers.get(name))
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(await app.text()).not.toContain('television')
    expect(await page('/tvs')).not.toContain('television')
    expect((await get('/.vite/tv.html')).status).toBe(404)
  })
})

describe('the metadata of a page', () => {
  it('/live: the current programme, from memory', async () => {
    const programme = harness.channels
      .get('default')
      ?.programmes.find(({ endsAtMs }) => endsAtMs > Date.now())
    const html = await page('/live')
    expect(titleOf(html)).toContain(`${programme?.video?.title} – ${programme?.video?.artistName} · LIVE on`)
    expect(metaOf(html, 'og:type')).toBe('video.other')
    expect(metaOf(html, 'twitter:card')).toBe('summary_large_image')
    const requested = () => harness.scheduler.requests.filter(({ url }) => url.endsWith('/now'))
    const requestsBefore = requested().length
    await Promise.all(Array.from({ length: 20 }, () => page('/live')))
    expect(requested()).toHaveLength(requestsBefore)
  })

  it('/live: the picture of the current programme until the app renders; none on other pages', async () => {
    const shell = /<div id="root">(.*?)<\/div>/
    expect(shell.exec(await page('/live'))?.[1]).toBe(
      '<img class="first-picture" src="https://i.ytimg.com/vi/a/hqdefault.jpg?x=1&amp;y=2" alt="" fetchpriority="high">',
    )
    expect(shell.exec(await page('/videos'))?.[1]).toBe('')
  })

  it('/live without a scheduler: default metadata', async () => {
    const { respond } = harness.scheduler
    harness.scheduler.respond = () => ({ status: 503, body: {} })
    const response = await get('/live?channel=other')
    harness.scheduler.respond = respond
    expect(response.status).toBe(200)
    expect(titleOf(await response.text())).toContain('Live TV')
  })

  it('a video: its title, text, picture and length, escaped', async () => {
    const shown = video()
    harness.catalogue.respond = () => ({ status: 200, body: shown })
    const html = await page(`/videos/${shown.id}`)
    expect(titleOf(html)).toMatch(/^Rock &amp; &lt;Roll&gt; – The &quot;Quotes&quot; · /)
    expect(metaOf(html, 'og:image')).toBe(shown.thumbnailUrl)
    expect(metaOf(html, 'video:duration')).toBe('215')
    expect(metaOf(html, 'description')).toBe('Live at home.')
    expect(html).not.toContain('noindex')
    const last = harness.catalogue.requests.at(-1)
    expect(last?.url).toBe(`/api/videos/${shown.id}`)
    expect(last?.headers.authorization).toBeUndefined()
  })

  it('a hidden, missing or unreachable video: default metadata, and noindex', async () => {
    for (const response of [
      { status: 200, body: video({ isPublic: false }) },
      { status: 404, body: {} },
      { status: 200, body: { odd: true } },
      null,
    ]) {
      harness.catalogue.respond = () => response
      const html = await page(`/videos/${randomUUID()}`)
      expect(titleOf(html)).not.toContain('Rock')
      expect(metaOf(html, 'robots')).toBe('noindex')
    }
  })

  it('a public playlist: its name and number of videos', async () => {
    const id = randomUUID()
    const body = { id, name: 'Sunday', description: null, itemCount: 12, isPublic: true }
    harness.catalogue.respond = () => ({ status: 200, body })
    const html = await page(`/playlists/${id}`)
    expect(titleOf(html)).toMatch(/^Sunday · /)
    expect(metaOf(html, 'og:description')).toBe('A playlist of 12 videos.')
  })

  it('a programme that was on: its title, artist and time, with a picture; an instant without one: the default', async () => {
    const startedAtMs = Date.UTC(2026, 10, 27, 21, 15)
    const { respond } = harness.scheduler
    const entry = {
      ...{ title: 'Africa', artistName: 'Toto', thumbnailUrl: null },
      ...{ startedAtMs, endedAtMs: startedAtMs + 240_000 },
    }
    harness.scheduler.respond = (request, text) =>
      request.url?.includes('/air-log') ? { status: 200, body: { items: [entry] } } : respond(request, text)
    const at = (instant: number) => `/history?channel=rock&at=${instant}`
    const html = await page(at(startedAtMs + 1))
    expect(titleOf(html)).toMatch(/^Africa – Toto · What was on · /)
    expect(metaOf(html, 'description')).toBe('On the air on 27 November 2026 at 21:15 UTC: Africa – Toto.')
    const image = new URL((metaOf(html, 'og:image') ?? '').replaceAll('&amp;', '&'))
    expect(image.searchParams.get('path')).toBe(at(startedAtMs + 1))
    expect((await get(image.pathname + image.search)).headers.get('content-type')).toBe('image/png')
    const own = `/history/rock/${startedAtMs}`
    const ofOwn = await page(own)
    expect(titleOf(ofOwn)).toBe(titleOf(html))
    expect(ofOwn).toContain(`${encodeURIComponent(own)}`)
    for (const path of [
      at(entry.endedAtMs),
      `/history/rock/${entry.endedAtMs}`,
      at(0).replace('at=0', 'at=1e3'),
      at(1).replace('rock', '..%2Fx'),
    ])
      expect(titleOf(await page(path)), path).toMatch(/^What was on · /)
    harness.scheduler.respond = respond
  })

  it('the pictures of /live and of a playlist are drawn, unless no font has a letter', async () => {
    const id = randomUUID()
    const body = { id, name: 'Sunday', description: null, itemCount: 12, isPublic: true }
    harness.catalogue.respond = () => ({ status: 200, body })
    for (const path of ['/live', `/playlists/${id}`]) {
      const image = new URL((metaOf(await page(path), 'og:image') ?? '').replaceAll('&amp;', '&'))
      expect([image.pathname, image.searchParams.get('path')]).toEqual(['/api/cards', path])
      const response = await get(image.pathname + image.search)
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
      expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
      expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(10_000)
    }
    const other = randomUUID()
    harness.catalogue.respond = () => ({ status: 200, body: { ...body, id: other, name: 'ᚠᚢᚦ' } })
    expect(metaOf(await page(`/playlists/${other}`), 'og:image')).toMatch(/\/share\.jpg$/)
    for (const path of [`/playlists/${other}`, '/admin', '//other.example/'])
      expect((await get(`/api/cards?${new URLSearchParams({ path })}`)).ok).toBe(false)
    for (const path of ['//other.example/', '/\\[', '/\t/[', '/\n/a:b', 'live', ''])
      expect([path, (await get(`/api/cards?${new URLSearchParams({ path })}`)).status]).toEqual([path, 400])
  })

  it('personal pages: noindex', async () => {
    for (const path of ['/members', '/admin', '/search?q=x', '/no-such-page']) {
      expect(metaOf(await page(path), 'robots')).toBe('noindex')
    }
    expect(metaOf(await page('/'), 'robots')).toBeUndefined()
  })
})

describe('the page itself', () => {
  it('contains the settings, and a new nonce that the policy allows', async () => {
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const response = await get('/')
        const html = await response.text()
        const config = /id="station-config">([^<]*)</.exec(html)?.[1] ?? ''
        expect(JSON.parse(config)).toMatchObject({ defaultChannelId: 'default' })
        const nonce = /nonce="([^"]+)"/.exec(html)?.[1]
        expect(response.headers.get('content-security-policy')).toContain(`style-src 'self' 'nonce-${nonce}'`)
        expect(response.headers.get('cache-control')).toBe('no-cache')
        return nonce
      }),
    )
    expect(nonces[0]).not.toBe(nonces[1])
  })

  it('preloads the files of its view, and changes with a new build', async () => {
    const preloads = {
      '/': { files: ['/assets/both.js'], signedIn: ['/assets/in.js'], signedOut: ['/assets/out.js'] },
      '/live': { files: ['/assets/live.js', '/assets/all.css'], contained: '/assets/first.css' },
    }
    const { webRoot } = harness.config
    await writeFile(join(webRoot, '.vite/preloads.json'), JSON.stringify(preloads))
    await writeFile(join(webRoot, 'index.html'), WEB_PAGE.replace('<body>', `${FIRST_STYLES}<body>second`))
    const html = await until('the new page is served', async () => {
      const text = await page('/live')
      return text.includes('second') && text
    })
    expect(html).toContain('<link rel="modulepreload" crossorigin href="/assets/live.js">')
    expect(html).toContain('<link rel="stylesheet" href="/assets/all.css">')
    expect(html).not.toContain(FIRST_STYLES)
    expect(html).toContain(FIRST_STYLES.replace('>', ' disabled>'))
    expect(html).not.toContain('/assets/both.js')
    const root = await page('/')
    expect(root).toContain('<link rel="modulepreload" crossorigin href="/assets/both.js">')
    expect(root).not.toContain('href="/assets/in.js"')
    expect(root).toContain(FIRST_STYLES)
    const files = /<script type="application\/json" id="page-files">(.*?)<\/script>/.exec(root)?.[1] ?? ''
    expect(JSON.parse(files)).toEqual({ signedIn: ['/assets/in.js'], signedOut: ['/assets/out.js'] })
  })

  it('is compressed on request', async () => {
    const response = await get('/', { headers: { 'accept-encoding': 'gzip' } })
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(await response.text()).toContain('<title>')
  })
})

describe('for robots and devices', () => {
  it('a web app manifest', async () => {
    const response = await get('/manifest.webmanifest')
    expect(response.headers.get('content-type')).toContain('application/manifest+json')
    const manifest = (await response.json()) as {
      icons: { purpose: string; sizes: string }[]
      shortcuts: object[]
    }
    expect(manifest.icons.map(({ purpose, sizes }) => `${purpose} ${sizes}`)).toEqual([
      'any 192x192',
      'any 512x512',
      'maskable 192x192',
      'maskable 512x512',
    ])
    expect(manifest.shortcuts).toHaveLength(2)
  })

  it('robots.txt with a site map of public pages and videos', async () => {
    const robots = await page('/robots.txt')
    expect(robots).toMatch(/^Sitemap: http\S+\/sitemap\.xml$/m)
    expect(robots).toContain('Disallow: /admin')
    const id = randomUUID()
    harness.catalogue.respond = () => ({
      status: 200,
      body: { items: [{ id }], nextCursor: null },
    })
    const sitemap = await page('/sitemap.xml')
    expect(sitemap).toMatch(new RegExp(`<loc>http[^<]+/videos/${id}</loc>`))
    expect(sitemap).toContain('/live</loc>')
  })

  it('a policy violation is counted, and an invalid report is ignored', async () => {
    const report = (body: string) =>
      get('/api/csp-reports', { method: 'POST', headers: { 'content-type': 'application/csp-report' }, body })
    const violation = {
      'effective-directive': 'script-src-elem',
      'blocked-uri': 'https://evil.example/x.js?token=1',
    }
    expect((await report(JSON.stringify({ 'csp-report': violation }))).status).toBe(204)
    expect((await report('no json')).status).toBe(204)
    const metrics = await (await fetch(`${harness.gateway.metricsUrl}/metrics`)).text()
    expect(metrics).toMatch(
      /looptide_gateway_csp_violations_total\{[^}]*directive="script-src-elem"[^}]*\} 1/,
    )
  })
})
