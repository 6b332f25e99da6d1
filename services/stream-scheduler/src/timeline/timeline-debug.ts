import type { Programme } from '@looptide/contracts/http/channels'
import type { DebugSource } from '@looptide/service-kit/debug/debug-report'
import type { CachedChannel, TimelineCache } from './timeline-cache.ts'

const MS_PER_HOUR = 3_600_000

/** The timeline of each channel, as this process has it in memory. */
export const timelineSource = (timelines: TimelineCache, now: () => number): DebugSource => ({
  title: 'Timelines',
  read: () => timelines.list().map((channel) => rowOf(channel, timelines, now())),
})

function rowOf({ row, programmes }: CachedChannel, timelines: TimelineCache, nowMs: number) {
  const current = programmes.find(({ startsAtMs, endsAtMs }) => startsAtMs <= nowMs && nowMs < endsAtMs)
  const aheadMs = row.endsAtMs === null ? null : row.endsAtMs - nowMs
  return {
    channel: row.id,
    status: row.status,
    version: row.timelineVersion,
    nextSeq: row.nextSeq,
    onTheAir: current === undefined ? null : titleOf(timelines.present(row.id, current)),
    endsAt: current === undefined ? null : new Date(current.endsAtMs).toISOString(),
    hoursAhead: aheadMs === null ? null : Number((aheadMs / MS_PER_HOUR).toFixed(1)),
    programmesInMemory: programmes.length,
  }
}

const titleOf = ({ kind, video }: Programme): string => video?.title ?? kind
