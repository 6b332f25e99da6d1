import { Gauge, type Registry } from 'prom-client'
import type { TimelineMemory } from './timeline-memory.ts'

/** Tells, at each look at `/metrics`, how far ahead the channels on the air are planned. No label names a channel. */
export function measureTimelines(registry: Registry, memory: TimelineMemory, now: () => number): void {
  const registers = [registry]
  const live = () => memory.all().filter(({ facts }) => facts.status === 'live')
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
    help: 'How far ahead the least planned channel on the air is planned; one with nothing to play does not count.',
    registers,
    collect() {
      const ends = live().flatMap(({ facts }) => facts.endsAtMs ?? [])
      if (ends.length === 0) this.remove()
      else this.set((Math.min(...ends) - now()) / 1000)
    },
  })
}
