import { Gauge, type Registry } from 'prom-client'
import type { TimelineCache } from './timeline-cache.ts'

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
