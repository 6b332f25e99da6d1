import type { Brand } from '@looptide/contracts/brand'
import { Page } from '@looptide/contracts/common'
import { Video } from '@looptide/contracts/http/videos'
import type { App } from '@looptide/service-kit/http/app'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { internalFetch } from '@looptide/service-kit/tls/internal-client'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { Memo } from '../http/memo.ts'
import { escapeHtml } from './head-tags.ts'
import { LISTED_PAGES } from './page-metadata-loader.ts'

interface SiteDeps {
  brand: Brand
  siteUrl: string
  catalogueUrl: string
  logger: Logger
  /** Wall clock, epoch ms. */
  now: () => number
}

/** A site map may have 50,000 URLs (sitemaps.org). Search engines find the remaining videos from the newest ones. */
const MAX_VIDEOS = 1000
const PAGE_SIZE = 100
const SITEMAP_TTL_MS = 3_600_000
const TIMEOUT_MS = 3000
/** The fields of a page of videos that the site map uses. */
const ListedVideos = Page(Type.Pick(Video, ['id']))
const MANIFEST_COLOUR = '#0b0f14'

/** The calendars, the XMLTV file and what link previews use, for programs that obey robots.txt. Prefixes, as not all of them know `*`. */
const FEEDS = ['/api/guide.xml', '/api/channels/', '/api/oembed', '/api/cards']
const NOT_CRAWLED = ['/api/', '/auth/', '/realtime/', '/admin', '/control', '/members', '/search']

/**
 * GET /robots.txt: public pages and the feeds may be crawled; pages that require an account, and other APIs, may not. The
 * feeds stand first, for robots that obey the first line that matches instead of the longest (RFC 9309 §2.2.2).
 */
export async function robotsRoute(app: App, { siteUrl }: Pick<SiteDeps, 'siteUrl'>): Promise<void> {
  const lines = [
    'User-agent: *',
    ...FEEDS.map((path) => `Allow: ${path}`),
    ...NOT_CRAWLED.map((path) => `Disallow: ${path}`),
    `Sitemap: ${new URL('/sitemap.xml', siteUrl).href}`,
    '',
  ]
  const config = { operation: 'gateway.robots.read' }
  app.get('/robots.txt', { schema: { hide: true }, config }, async (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(lines.join('\n')),
  )
}

/** GET /sitemap.xml: the public pages and the newest thousand public videos. Built at most once an hour. */
export async function sitemapRoute(app: App, deps: SiteDeps): Promise<void> {
  const memo = new Memo<Buffer>({ ttlMs: () => SITEMAP_TTL_MS, maxEntries: 1, now: deps.now })
  const config = { operation: 'gateway.sitemap.read' }
  app.get('/sitemap.xml', { schema: { hide: true }, config }, async (_request, reply) =>
    reply
      .type('application/xml; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(await memo.get('sitemap', () => buildSitemap(deps))),
  )
}

async function buildSitemap(deps: SiteDeps): Promise<Buffer> {
  const videos = await newestVideos(deps)
  const paths = [...LISTED_PAGES, ...videos.map((id) => `/videos/${id}`)]
  const urls = paths.map((path) => `<url><loc>${escapeHtml(new URL(path, deps.siteUrl).href)}</loc></url>`)
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>`,
  )
}

/** Video ids, newest first. Incomplete if the catalogue fails. */
async function newestVideos({ catalogueUrl, logger }: SiteDeps): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | null = null
  try {
    do {
      const query = new URLSearchParams({ limit: String(PAGE_SIZE), ...(cursor ? { cursor } : {}) })
      const response = await internalFetch(`${catalogueUrl}/api/videos?${query}`, {
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      const page: unknown = await response.json()
      if (!response.ok || !Check(ListedVideos, page))
        throw new Error(`catalogue responded ${response.status}`)
      ids.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor
    } while (cursor !== null && ids.length < MAX_VIDEOS)
  } catch (error) {
    logger.warn({ err: error }, 'sitemap incomplete')
  }
  return ids.slice(0, MAX_VIDEOS)
}

/** GET /manifest.webmanifest: the web app manifest, for installing the site as an app (w3.org/TR/appmanifest). */
export async function manifestRoute(app: App, { brand }: Pick<SiteDeps, 'brand'>): Promise<void> {
  const icon = (size: number, purpose: 'any' | 'maskable') => ({
    src: `/icons/${purpose === 'any' ? 'icon' : 'maskable'}-${size}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  })
  const shortcutIcons = [icon(192, 'any')]
  const body = JSON.stringify({
    id: '/',
    name: brand.name,
    short_name: brand.shortName,
    description: brand.tagline,
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: MANIFEST_COLOUR,
    theme_color: MANIFEST_COLOUR,
    categories: ['entertainment', 'music'],
    icons: [icon(192, 'any'), icon(512, 'any'), icon(192, 'maskable'), icon(512, 'maskable')],
    shortcuts: [
      { name: 'Live TV', url: '/live', icons: shortcutIcons },
      { name: 'TV Guide', short_name: 'Guide', url: '/live?open=guide', icons: shortcutIcons },
    ],
  })
  const config = { operation: 'gateway.manifest.read' }
  app.get('/manifest.webmanifest', { schema: { hide: true }, config }, async (_request, reply) =>
    reply.type('application/manifest+json; charset=utf-8').header('cache-control', 'no-cache').send(body),
  )
}
