import { gatewayOembedRead } from '@looptide/contracts/operations/gateway'
import { cachedText, sendCachedText } from '@looptide/service-kit/http/cached-text'
import { AppError, errors } from '@looptide/service-kit/http/errors'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { GatewayConfig } from '../config.ts'
import type { LocalLimits } from '../http/local-limits.ts'
import type { NowPlayingSource } from '../now-playing/now-playing-source.ts'
import { oembedOf, oembedSize, oembedTarget } from './oembed.ts'

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
      if (size === undefined || channel === undefined) throw errors.notFound('An embed of this address')
      reply.header('cache-control', 'public, max-age=300')
      const text = cachedText(JSON.stringify(oembedOf(channel, { ...size, look: target.look }, config)))
      return sendCachedText(request, reply, text, 'application/json; charset=utf-8')
    },
    { onRequest: limits.hook('now') },
  )
