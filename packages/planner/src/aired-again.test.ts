import type { ScheduleDocument } from '@looptide/contracts/schedule'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planSchedule } from './plan-schedule.ts'
import { exampleLibrary } from './testing/example-library.ts'

const HOUR_MS = 3_600_000
const EVENING_MS = Date.UTC(2026, 10, 20, 20)
const START_MS = Date.UTC(2026, 10, 23, 20)
const library = exampleLibrary(60)

/** A channel that airs again, at START_MS, the evening on which the videos with these indexes were on. */
function documentOf(indexes: readonly number[]): ScheduleDocument {
  let atMs = EVENING_MS
  const airings = indexes.map((index, place) => {
    const { id: videoId, durationMs } = library[index]!
    const startedAtMs = atMs
    atMs += durationMs
    const id = `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`
    return { id, videoId, startedAtMs, endedAtMs: atMs }
  })
  const never = { value: 0.001, strength: 'soft' as const }
  return {
    timeZone: 'UTC',
    defaultSource: 'everything',
    sources: {
      everything: { kind: 'smart', where: {} },
      evening: { kind: 'airings', channelId: 'default', airings },
    },
    rules: { videoSeparationHours: { value: 4, strength: 'soft' } },
    specials: [
      {
        ...{ id: 'again', name: 'Again', at: '2026-11-23T20:00', start: 'hard', source: 'evening' },
        durationMs: Math.max(60_000, atMs - EVENING_MS),
        rules: { videoSeparationHours: never, artistSeparationMinutes: never },
      },
    ],
  }
}

const evenings = fc.array(fc.integer({ min: 0, max: library.length - 1 }), { minLength: 1, maxLength: 25 })

/** Programmes of the special, planned from the day before with the videos that are still in the library. */
function special(indexes: readonly number[], dead: ReadonlySet<string>) {
  const { programmes } = planSchedule({
    document: documentOf(indexes),
    library: library.filter(({ id }) => !dead.has(id)),
    playlists: new Map(),
    history: [],
    seed: 'seed',
    state: null,
    fromMs: START_MS - HOUR_MS / 4,
    toMs: START_MS + 3 * HOUR_MS,
  })
  return programmes.filter(({ reason }) => reason.source === 'evening')
}

test('airs an evening again in its order, from its first programme, each with the time at which it was on', () => {
  fc.assert(
    fc.property(evenings, (indexes) => {
      const aired = special(indexes, new Set())
      expect(aired.map(({ videoId }) => videoId)).toEqual(indexes.map((index) => library[index]!.id))
      for (const { startsAtMs, reason } of aired)
        expect(startsAtMs - START_MS).toBe((reason.again?.startedAtMs ?? 0) - EVENING_MS)
    }),
    { numRuns: 25 },
  )
})

test('skips videos that have left the library: the others keep their times, and none is aired twice', () => {
  fc.assert(
    fc.property(evenings, fc.func(fc.boolean()), (indexes, isDead) => {
      const dead = new Set(indexes.filter((index) => isDead(index)).map((index) => library[index]!.id))
      const times = special(indexes, dead).map(({ reason }) => reason.again?.startedAtMs ?? 0)
      const [source] = [documentOf(indexes).sources.evening]
      const all = source?.kind === 'airings' ? source.airings : []
      expect(times).toEqual(all.filter(({ videoId }) => !dead.has(videoId)).map((one) => one.startedAtMs))
    }),
    { numRuns: 25 },
  )
})
