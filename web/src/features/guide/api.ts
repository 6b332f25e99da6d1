import type { Guide, Programme } from '@looptide/contracts/http/channels'
import type { GuideBlock, GuideRow, StationGuide } from '@looptide/contracts/http/guide'
import { type ServerPushes, topics } from '@looptide/contracts/realtime'
import useSWR from 'swr'
import useSWRInfinite from 'swr/infinite'
import { withQuery } from '../../lib/api.ts'
import { api } from '../../lib/clients.ts'
import { useTopic } from '../../lib/use-topic.ts'
import { GUIDE_HOURS, HOUR_MS } from './guide-time.ts'

/** docs/product/viewer.md §9: refresh every 5 minutes. */
const REFRESH_MS = 5 * 60_000
/** The longest window that a channel's guide answers (h). */
const MOST_HOURS = 26
/** A change is told before every part of the station has heard of it: asked for again after this, so many times. */
const RETRY_MS = 400
const MOST_TRIES = 6

/**
 * A day of all channels from `fromMs` on, by pages of channels. Kept true by the minute: asked for again every five
 * minutes, and at once when the station says that a timeline has changed or grown.
 */
export function useStationGuide(fromMs: number) {
  const answer = useSWRInfinite(
    (_index: number, previous: StationGuide | null) => {
      if (previous && previous.nextCursor === null) return null
      return withQuery('/api/guide', {
        fromMs,
        hours: GUIDE_HOURS,
        cursor: previous?.nextCursor ?? undefined,
      })
    },
    (path: string) => api.get<StationGuide>(path, { anonymous: true }),
    { refreshInterval: REFRESH_MS, revalidateAll: true, keepPreviousData: true, revalidateFirstPage: false },
  )
  const rows = answer.data?.flatMap((page) => page.items)
  useGuideNews(() => answer.mutate())
  return {
    rows,
    /** What the rows begin with: behind `fromMs` for the moment in which a new hour is fetched. */
    fromMs: answer.data?.[0]?.fromMs ?? fromMs,
    hasFailed: answer.error !== undefined,
    refresh: () => void answer.mutate(),
    hasMore: typeof answer.data?.at(-1)?.nextCursor === 'string',
    loadMore: () => void answer.setSize((size) => size + 1),
  }
}

type News = ServerPushes['guide']['changed']

/** Asks anew on news of a timeline, until what comes is as new as the news. */
function useGuideNews(refresh: () => Promise<readonly StationGuide[] | undefined>): void {
  const catchUp = async (news: News) => {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const pages = await refresh().catch(() => undefined)
      const row = pages?.flatMap(({ items }) => items).find(({ channelId }) => channelId === news.channelId)
      if (!row || !isBehind(row, news)) return
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
  useTopic('guide', topics.guide, { changed: (news) => void catchUp(news) }, () => void catchUp({}))
}

function isBehind(row: GuideRow, { timelineVersion, endsAtMs }: News): boolean {
  if (timelineVersion === undefined || row.timelineVersion > timelineVersion) return false
  return row.timelineVersion < timelineVersion || (endsAtMs !== undefined && (row.endsAtMs ?? 0) < endsAtMs)
}

/** The exact tracks of a block, in order; `version` is the timeline's: another one, other tracks perhaps. */
export function useBlockTracks(channelId: string, block: GuideBlock | null, version: number) {
  const path = block && tracksPath(channelId, block)
  return useSWR(
    path && ([path, version] as const),
    async ([address]: readonly [string, number]) => {
      const { programmes } = await api.get<Guide>(address, { anonymous: true })
      return programmes.filter((programme) => block && isWithin(programme, block))
    },
    { keepPreviousData: true },
  )
}

function tracksPath(channelId: string, { startsAtMs, endsAtMs }: GuideBlock): string {
  const hours = Math.min(MOST_HOURS, Math.ceil((endsAtMs - startsAtMs) / HOUR_MS))
  return withQuery(`/api/channels/${encodeURIComponent(channelId)}/guide`, { fromMs: startsAtMs, hours })
}

const isWithin = (programme: Programme, block: GuideBlock): boolean =>
  programme.startsAtMs >= block.startsAtMs && programme.startsAtMs < block.endsAtMs
