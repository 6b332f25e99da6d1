import type { VideoProgramme } from '@looptide/contracts/http/channels'
import type { GuideBlock, GuideRow, StationGuide } from '@looptide/contracts/http/guide'
import { type ServerPushes, topics } from '@looptide/contracts/realtime'
import useSWR from 'swr'
import { keyOf } from '../../lib/api/use-call.ts'
import { useListPage } from '../../lib/api/use-list-page.ts'
import { api } from '../../lib/clients.ts'
import { useTopic } from '../../lib/realtime/use-topic.ts'
import { GUIDE_HOURS, HOUR_MS } from './guide-time.ts'

/** docs/product/viewer.md §9: refresh every 5 minutes. */
const REFRESH_MS = 5 * 60_000
/** The longest window of a channel's guide, in hours. */
const MAX_HOURS = 26
/** A change is pushed before every service has it. The guide is requested again after this delay, up to this often. */
const RETRY_MS = 400
const MAX_TRIES = 6

/**
 * A day of all channels from `fromMs` on, in pages of channels. Refreshed every five minutes, and at once when a
 * timeline has changed or grown.
 */
export function useStationGuide(fromMs: number) {
  const { pages, items, first, error, hasMore, loadMore } = useListPage(
    'GET /api/guide',
    { query: { fromMs, hours: GUIDE_HOURS } },
    {
      anonymous: true,
      refreshInterval: REFRESH_MS,
      revalidateAll: true,
      keepPreviousData: true,
      revalidateFirstPage: false,
    },
  )
  useGuideChanges(() => pages.mutate())
  return {
    rows: items,
    /** The start of the loaded rows; that of another window while this one is loading. */
    fromMs: first?.fromMs ?? fromMs,
    /** The loaded rows are those of another window. */
    isLoadingWindow: first !== undefined && first.fromMs !== fromMs,
    hasFailed: error !== undefined,
    refresh: () => void pages.mutate(),
    hasMore,
    loadMore,
  }
}

type GuideChange = ServerPushes['guide']['changed']

/** Refreshes on each change of a timeline, until the response contains the change. */
function useGuideChanges(refresh: () => Promise<readonly StationGuide[] | undefined>): void {
  const catchUp = async (change: GuideChange) => {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const pages = await refresh().catch(() => undefined)
      const row = pages?.flatMap(({ items }) => items).find(({ channelId }) => channelId === change.channelId)
      if (!row || !isBehind(row, change)) return
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
  useTopic('guide', topics.guide, { changed: (change) => void catchUp(change) }, () => void catchUp({}))
}

function isBehind(row: GuideRow, { timelineVersion, endsAtMs }: GuideChange): boolean {
  if (timelineVersion === undefined || row.timelineVersion > timelineVersion) return false
  return row.timelineVersion < timelineVersion || (endsAtMs !== undefined && (row.endsAtMs ?? 0) < endsAtMs)
}

/** The exact tracks of a block, in order; `version` is the timeline's, because the tracks may differ between versions. */
export function useBlockTracks(channelId: string, block: GuideBlock | null, version: number) {
  const input = block && { params: { id: channelId }, query: windowOf(block) }
  const reading = { anonymous: true, shape: 'derived' } as const
  return useSWR(
    input && ([...keyOf('GET /api/channels/:id/guide', input, reading), version] as const),
    async ([call, given]) => {
      const { programmes } = await api.call(call, given, { anonymous: true })
      const videos = programmes.filter((programme) => programme.kind === 'video')
      return videos.filter((programme) => block && isWithin(programme, block))
    },
    { keepPreviousData: true },
  )
}

const windowOf = ({ startsAtMs, endsAtMs }: GuideBlock) => ({
  fromMs: startsAtMs,
  hours: Math.min(MAX_HOURS, Math.ceil((endsAtMs - startsAtMs) / HOUR_MS)),
})

const isWithin = (programme: VideoProgramme, block: GuideBlock): boolean =>
  programme.startsAtMs >= block.startsAtMs && programme.startsAtMs < block.endsAtMs
