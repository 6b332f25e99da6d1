import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { expect, it } from 'vitest'
import type { PlanState, ScheduledProgramme } from './plan.ts'
import { planSchedule } from './plan-schedule.ts'
import { exampleLibrary } from './testing/example-library.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const START = Date.parse('2026-11-23T09:10:00Z')
const library = exampleLibrary(6).map((video, index) => ({
  ...video,
  artistName: `Artist ${index % 2}`,
  tags: ['late'],
}))

const document = (rules: NonNullable<ScheduleDocument['rules']>): ScheduleDocument => ({
  timeZone: 'UTC',
  defaultSource: 'all',
  sources: { all: { kind: 'smart', where: {}, order: 'leastRecentlyAired' } },
  rules,
})

function plan(
  rules: NonNullable<ScheduleDocument['rules']>,
  stepMs: number,
  hours = 8,
): ScheduledProgramme[] {
  const planned: ScheduledProgramme[] = []
  let state: PlanState | null = null
  for (let fromMs = START; fromMs < START + hours * HOUR_MS; fromMs = planned.at(-1)?.endsAtMs ?? 0) {
    const history = planned.flatMap(({ videoId, startsAtMs, endsAtMs }) =>
      videoId === null ? [] : [{ videoId, startsAtMs, endsAtMs }],
    )
    const input = { document: document(rules), library, playlists: new Map(), history, seed: 'x', state }
    const next = planSchedule({ ...input, fromMs, toMs: Math.min(fromMs + stepMs, START + hours * HOUR_MS) })
    planned.push(...next.programmes)
    state = next.state
  }
  return planned
}

const RULES = { artistSeparationMinutes: { value: 90, strength: 'hard' } } as const

it('fills the time with idents while hard rules forbid every video, and plays the first one they allow', () => {
  const videos = plan(RULES, 8 * HOUR_MS).filter(({ kind }) => kind === 'video')
  expect(videos.length).toBeGreaterThan(6)
  const [first, , third] = videos
  const waitedMs = (third?.startsAtMs ?? 0) - ((first?.endsAtMs ?? 0) + 90 * MINUTE_MS)
  expect(waitedMs).toBeGreaterThanOrEqual(0)
  expect(waitedMs).toBeLessThan(30_000)
})

it('waits until the window of a tag opens', () => {
  const rules = { tagWindows: [{ tag: 'Late', from: '11:00', to: '12:00' }] }
  const programmes = plan(rules, 4 * HOUR_MS, 4)
  const first = programmes.find(({ kind }) => kind === 'video')
  expect((first?.startsAtMs ?? 0) - Date.parse('2026-11-23T11:00:00Z')).toBeLessThan(30_000)
  expect(programmes.at(-1)?.kind).toBe('ident')
})

it('waits for the next day when the airings of a day are used up', () => {
  const videos = plan({ maxAiringsPerDay: { value: 1, strength: 'hard' } }, 24 * HOUR_MS, 24).filter(
    ({ kind }) => kind === 'video',
  )
  expect(videos).toHaveLength(12)
  expect((videos[6]?.startsAtMs ?? 0) - Date.parse('2026-11-24T00:00:00Z')).toBeLessThan(30_000)
})

it('is the same planned at once and in small steps', () => {
  expect(plan(RULES, 7 * MINUTE_MS)).toEqual(plan(RULES, 8 * HOUR_MS))
})
