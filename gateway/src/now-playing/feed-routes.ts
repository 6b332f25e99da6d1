import {
  gatewayChannelM3u,
  gatewayChannelMedia,
  gatewayHistoryJson,
  gatewayHistoryRss,
} from '@looptide/contracts/operations/gateway'
import { cachedText, sendCachedText } from '@looptide/service-kit/http/cached-text'
import { errors } from '@looptide/service-kit/http/errors'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { LocalLimits } from '../http/local-limits.ts'
import { type HistoryFeed, historyJson, historyRss, iptvList, mediaUrlOf } from './feeds.ts'
import type { ChannelFacts } from './now-playing.ts'
import type { NowPlayingSource } from './now-playing-source.ts'

interface FeedRoutesDeps {
  source: NowPlayingSource
  limits: LocalLimits
  /** Wall clock, epoch ms. */
  now: () => number
}

/** Time for which feed readers and caches keep a feed. */
const CACHED = 'public, max-age=60'

/** The routes of past programmes for feed readers, and of the channels for IPTV players, from the gateway's memory. */
export function feedRoutes({ source, limits, now }: FeedRoutesDeps): Route[] {
  const factsOf = async (id: string): Promise<ChannelFacts> => {
    const channel = await source.find(id)
    if (channel === undefined) throw errors.notFound('This channel')
    return source.facts(channel)
  }
  const feedOf = async (id: string): Promise<HistoryFeed> => {
    const { channel, history } = await factsOf(id)
    const nowMs = now()
    return { channel, entries: history.filter(({ endedAtMs }) => endedAtMs <= nowMs) }
  }
  const hooks = { onRequest: limits.hook('now') }
  return [
    route(
      gatewayHistoryRss,
      async ({ params: { id }, request, reply }) => {
        const text = cachedText(historyRss(await feedOf(id), source.site))
        reply.header('cache-control', CACHED)
        return sendCachedText(request, reply, text, 'application/rss+xml; charset=utf-8')
      },
      hooks,
    ),
    route(
      gatewayHistoryJson,
      async ({ params: { id }, request, reply }) => {
        const text = cachedText(historyJson(await feedOf(id), source.site))
        reply.header('cache-control', CACHED)
        return sendCachedText(request, reply, text, 'application/feed+json; charset=utf-8')
      },
      hooks,
    ),
    route(
      gatewayChannelM3u,
      async ({ request, reply }) => {
        const text = cachedText(iptvList(await source.allFacts(), source.site))
        reply.header('cache-control', CACHED)
        return sendCachedText(request, reply, text, 'audio/x-mpegurl; charset=utf-8')
      },
      hooks,
    ),
    route(
      gatewayChannelMedia,
      async ({ params: { id }, reply }) => {
        const url = mediaUrlOf(await factsOf(id), source.site.siteUrl)
        if (url === undefined) throw errors.notFound('A file of this channel')
        return reply.header('cache-control', 'no-store').redirect(url, 302)
      },
      hooks,
    ),
  ]
}
