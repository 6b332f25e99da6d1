import type { Programme } from '@looptide/contracts/http/channels'
import type { DebugSource } from '@looptide/service-kit/debug/debug-report'
import { Gauge, type Registry } from 'prom-client'
import type { CachedChannel, TimelineCache } from './timeline-cache.ts'

/** Registers the gauges of the timelines. They are computed at each scrape, and no label names a channel. */
export function registerTimelineMetrics(
  registry: Registry,
  timelines: TimelineCache,
  now: () => number,
): void {
  const registers = [registry]
  const live = () => timelines.all().filter(({ row }) => row.status === 'live')
  new Gauge({
    name: 'looptide_channels_live',
    help: 'Channels on the air.',
    registers,
    collect() {
      this.set(live().length)
    },
  })
  new Gauge({
    name: 'looptide_timeline_ahead_seconds',
    help: 'Length of the shortest timeline of a channel on the air. Channels with nothing to play are not counted.',
    registers,
    collect() {
      const ends = live().flatMap(({ row }) => row.endsAtMs ?? [])
      if (ends.length === 0) this.remove()
      else this.set((Math.min(...ends) - now()) / 1000)
    },
  })
  new Gauge({
    name: 'looptide_schedules_with_problems',
    help: 'Channels on the air whose schedule has a source without videos, or a rule that cannot hold any more.',
    registers,
    collect() {
      this.set(live().filter(({ row }) => row.scheduleProblems > 0).length)
    },
  })
}

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
