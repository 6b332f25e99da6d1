import { EMBED_VIEWS, type EmbedView, embedPath } from '@looptide/contracts/embed-code'
import { lookQuery, readLook } from '@looptide/contracts/embed-look'
import type { EmbedPage } from '@looptide/contracts/http/embeds'
import { gatewayOembedRead } from '@looptide/contracts/operations/gateway'
import type { App } from '@looptide/service-kit/http/app'
import { cachedText, sendCachedText } from '@looptide/service-kit/http/cached-text'
import { AppError, errors } from '@looptide/service-kit/http/errors'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayConfig } from '../config.ts'
import type { LocalLimits } from '../http/local-limits.ts'
import { newNonce, policyText } from '../http/security-headers.ts'
import { watchUrl } from '../now-playing/now-playing.ts'
import type { NowPlayingSource } from '../now-playing/now-playing-source.ts'
import type { ListedChannel } from '../now-playing/scheduler-lists.ts'
import { escapeHtml, oembedLink } from '../pages/head-tags.ts'
import { dataTag, fillHead, type PageSource } from '../pages/page-template.ts'
import type { FrameAncestors } from './frame-ancestors.ts'
import { oembedOf, oembedSize, oembedTarget } from './oembed.ts'

interface EmbedRoutesDeps {
  config: GatewayConfig
  source: NowPlayingSource
  ancestors: FrameAncestors
  /** The page of the embeds as the web app's build or Vite provides it. */
  page: PageSource
  limits: LocalLimits
}

interface EmbedRequest {
  Params: { channelId: string }
}

/** GET /embed/:channelId, …/chat and …/now: the pages that other sites may show in frames, and no others. */
export async function embedRoutes(app: App, deps: EmbedRoutesDeps): Promise<void> {
  const config = { operation: 'gateway.embed.serve' }
  for (const view of EMBED_VIEWS) {
    const path = `/embed/:channelId${view === 'player' ? '' : `/${view}`}`
    app.get<EmbedRequest>(path, { schema: { hide: true }, config }, async (request, reply) =>
      send(deps, view, request, reply),
    )
  }
}

async function send(
  { config, source, ancestors, page, limits }: EmbedRoutesDeps,
  view: EmbedView,
  request: FastifyRequest<EmbedRequest>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  limits.count('page', request)
  const [loaded, sources, channel] = await Promise.all([
    page.load(),
    ancestors.sources(),
    source.find(request.params.channelId),
  ])
  if (loaded === null) throw errors.notFound('This URL')
  const data: EmbedPage = {
    view,
    stationName: config.brand.shortName,
    youtubeBaseUrl: config.youtubeBaseUrl,
    channel: channel === undefined ? null : await channelOf(source, channel),
  }
  const nonce = newNonce()
  const look = lookQuery(readLook(request.url.split('?')[1] ?? ''))
  const head = embedHead({ view, look }, channel, config)
  return (
    reply
      .status(channel === undefined ? 404 : 200)
      .type('text/html; charset=utf-8')
      // It cannot name origins. Browsers that know `frame-ancestors` ignore it in any case.
      .removeHeader('x-frame-options')
      .header('content-security-policy', policyText(config, { nonce, frameAncestors: sources }))
      .header('cache-control', 'no-cache')
      .send(fillHead(loaded.html, head + dataTag('embed-data', data), nonce))
  )
}

async function channelOf(source: NowPlayingSource, channel: ListedChannel): Promise<EmbedPage['channel']> {
  const { id, name } = channel
  return { id, name, watchUrl: watchUrl(id, source.site.siteUrl), now: await source.of(channel) }
}

/** The elements of the head of an embed. Search engines list the live page instead. */
function embedHead(
  { view, look }: { view: EmbedView; look: string },
  channel: Pick<ListedChannel, 'id' | 'name'> | undefined,
  { brand, siteUrl }: Pick<GatewayConfig, 'brand' | 'siteUrl'>,
): string {
  if (channel === undefined)
    return `<title>${escapeHtml(brand.name)}</title><meta name="robots" content="noindex">`
  const { id, name } = channel
  return [
    `<title>${escapeHtml(`${name} · ${brand.name}`)}</title>`,
    '<meta name="robots" content="noindex">',
    `<link rel="canonical" href="${escapeHtml(watchUrl(id, siteUrl))}">`,
    oembedLink({ path: embedPath(id, view) + look, title: `${name} · ${brand.name}` }, siteUrl),
  ].join('')
}

interface OembedRouteDeps {
  config: Pick<GatewayConfig, 'brand' | 'siteUrl'>
  source: Pick<NowPlayingSource, 'find'>
  limits: LocalLimits
}

/** The route of oEmbed, from the gateway's memory. */
export const oembedRoute = ({ config, source, limits }: OembedRouteDeps): Route =>
  route(
    gatewayOembedRead,
    async ({ query, request, reply }) => {
      if (query.format !== undefined && query.format !== 'json')
        throw new AppError('format_not_supported', 'This station answers oEmbed in JSON only.')
      const target = oembedTarget(query.url, config.siteUrl)
      const size = target && oembedSize(target.view, query)
      const channel = size && (await source.find(target.channelId))
      if (target === undefined || size === undefined || channel === undefined)
        throw errors.notFound('An embed of this address')
      reply.header('cache-control', 'public, max-age=300')
      const text = cachedText(JSON.stringify(oembedOf(channel, { ...size, look: target.look }, config)))
      return sendCachedText(request, reply, text, 'application/json; charset=utf-8')
    },
    { onRequest: limits.hook('now') },
  )
