import type { ScheduleDocument } from '@looptide/contracts/schedule'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { segmentsOf } from './grid.ts'
import {
  afterProgrammes,
  areApplied,
  buildsOn,
  type LogCommand,
  operationsOf,
  plannedItems,
} from './log-commands.ts'
import { airingOf, type LogOperation } from './log-edits.ts'
import type { PlanInput, PlanState, ScheduledProgramme } from './plan.ts'
import { planSchedule, replaySchedule, startStateOf } from './plan-schedule.ts'
import { timelineFaults } from './testing/check-plan.ts'
import { exampleLibrary, videoId } from './testing/example-library.ts'
import { exampleSchedule } from './testing/example-schedule.ts'

const HOUR_MS = 3_600_000
const FROM_MS = Date.UTC(2026, 10, 23, 12)
const TO_MS = FROM_MS + 12 * HOUR_MS
const library = exampleLibrary(300)

/** Blocks, clocks, rules and hard starts; one playlist; one shuffled source; a few videos in a loop. */
const DOCUMENTS: ScheduleDocument[] = [
  exampleSchedule('America/Los_Angeles'),
  { timeZone: 'UTC', defaultSource: 'list', sources: { list: { kind: 'playlist' } } },
  {
    timeZone: 'UTC',
    defaultSource: 'jazz',
    sources: { jazz: { kind: 'smart', where: { genres: ['Jazz'] }, order: 'shuffle' } },
  },
]

/** A channel whose log is edited: it plans as the scheduler does, and keeps what has started. */
class Log {
  readonly document: ScheduleDocument
  readonly #playlists: PlanInput['playlists']
  aired: ScheduledProgramme[] = []
  planned: ScheduledProgramme[] = []
  edits: LogOperation[][] = []
  #state: PlanState | null = null
  #nextId = 0

  constructor(document: ScheduleDocument, playlistLength = 40) {
    this.document = document
    const items = library.slice(0, playlistLength).map(({ id }) => ({ itemId: id, videoId: id }))
    this.#playlists = new Map([['', items]])
    this.planned = this.#plan()
  }

  /** Applies a command on planned programmes; returns whether it was possible. */
  apply(command: LogCommand): boolean {
    const log = [...this.aired, ...this.planned]
    const at = shifted(command, this.aired.length)
    const newId = () => {
      this.#nextId += 1
      return `00000000-0000-7000-9000-${String(this.#nextId).padStart(12, '0')}`
    }
    const operations = operationsOf(at, log, newId)
    if (operations === undefined) return false
    const before = this.planned
    this.edits.push(operations)
    this.planned = this.#plan()
    if (areApplied(operations, this.planned)) return true
    this.edits.pop()
    this.planned = before
    return false
  }

  /** Takes an edit back, if no later one builds on it. */
  undo(index: number): boolean {
    const [edit, ...later] = this.edits.slice(index)
    if (edit === undefined || later.some((other) => buildsOn(other, edit))) return false
    this.edits.splice(index, 1)
    this.planned = this.#plan()
    return true
  }

  /** Lets programmes start. */
  air(count: number): void {
    this.aired = [...this.aired, ...this.planned.slice(0, count)]
    this.planned = this.planned.slice(count)
  }

  replan(): void {
    this.planned = this.#plan()
  }

  #plan(): ScheduledProgramme[] {
    const fromMs = this.aired.at(-1)?.endsAtMs ?? FROM_MS
    const input = { ...this.#input(), history: this.aired.flatMap((row) => airingOf(row)), fromMs }
    const state = replaySchedule({ ...this.#input(), state: this.#state }, this.aired)
    const planned = plannedItems(this.planned)
    const edits = afterProgrammes(this.edits.flat(), this.aired)
    const plan = planSchedule({ ...input, state, edits, ...(planned.length > 0 && { planned }) })
    if (this.aired.length === 0) this.#state = startStateOf(input, Object.keys(plan.state.sources))
    return plan.programmes
  }

  #input(): PlanInput {
    const span = { fromMs: FROM_MS, toMs: TO_MS }
    const { document } = this
    const start = { history: [], seed: 'seed', state: null }
    return { document, library, playlists: this.#playlists, ...start, ...span }
  }
}

function shifted(command: LogCommand, by: number): LogCommand {
  switch (command.action) {
    case 'insert':
      return { ...command, before: command.before + by }
    case 'skip':
      return { ...command, programme: command.programme + by }
    case 'swap':
      return { ...command, programme: command.programme + by, with: command.with + by }
    case 'move':
      return { ...command, programme: command.programme + by, before: command.before + by }
  }
}

const index = fc.integer({ min: 0, max: 120 })
const anyVideo = fc.integer({ min: 0, max: 299 }).map(videoId)
const anyCommand: fc.Arbitrary<LogCommand> = fc.oneof(
  fc.record({
    action: fc.constant('insert' as const),
    videoId: anyVideo,
    before: index,
  }),
  fc.record({ action: fc.constant('skip' as const), programme: index }),
  fc.record({ action: fc.constant('swap' as const), programme: index, with: index }),
  fc.record({ action: fc.constant('move' as const), programme: index, before: index }),
)
const anyStep = fc.oneof(
  { weight: 4, arbitrary: anyCommand },
  {
    weight: 2,
    arbitrary: fc.record({ action: fc.constant('undo' as const), index: fc.integer({ min: 0, max: 8 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ action: fc.constant('air' as const), count: fc.integer({ min: 1, max: 12 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ action: 'replan' as const }) },
)
const anySteps = fc.array(anyStep, { maxLength: 12 })

function take(log: Log, step: typeof anyStep extends fc.Arbitrary<infer S> ? S : never): void {
  if (step.action === 'undo') log.undo(step.index)
  else if (step.action === 'air') log.air(step.count)
  else if (step.action === 'replan') log.replan()
  else log.apply(step)
}

/** What viewers see of a programme. */
const onAir = ({ kind, ident, videoId, startsAtMs, endsAtMs }: ScheduledProgramme) => ({
  ...{ kind, ident, videoId },
  ...{ startsAtMs, endsAtMs },
})

/** A log after some commands, and its programmes then. */
function edited(document: ScheduleDocument, commands: readonly LogCommand[]) {
  const log = new Log(document)
  for (const command of commands) log.apply(command)
  return { log, before: log.planned }
}

describe.each(DOCUMENTS.map((document, n) => ({ document, n })))('the log of schedule $n', ({ document }) => {
  test('has no gap, no overlap and no missed hard start after any edits and undos', () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        const log = new Log(document)
        for (const step of steps) take(log, step)
        expect(timelineFaults(document, [...log.aired, ...log.planned], FROM_MS, TO_MS)).toEqual([])
      }),
      { numRuns: 40 },
    )
  })

  test('is the one from before once all edits are undone', () => {
    fc.assert(
      fc.property(
        fc.array(anyCommand, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 0, max: 6 }),
        (commands, started) => {
          const log = new Log(document)
          log.air(started)
          const before = log.planned
          for (const command of commands) log.apply(command)
          while (log.edits.length > 0) log.undo(log.edits.length - 1)
          expect(log.planned).toEqual(before)
        },
      ),
      { numRuns: 40 },
    )
  })

  test('stays the same when it is planned again after any of its programmes', () => {
    fc.assert(
      fc.property(
        fc.array(anyCommand, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 0, max: 60 }),
        (commands, started) => {
          const log = new Log(document)
          for (const command of commands) log.apply(command)
          const before = log.planned
          log.air(started)
          log.replan()
          expect([...log.aired, ...log.planned]).toEqual(before)
        },
      ),
      { numRuns: 40 },
    )
  })

  test('plays an inserted video at the place of its programme, later only for a hard start, and changes nothing before it', () => {
    fc.assert(
      fc.property(fc.array(anyCommand, { maxLength: 4 }), index, anyVideo, (commands, at, video) => {
        const { log, before } = edited(document, commands)
        if (!log.apply({ action: 'insert', videoId: video, before: at })) return
        const place = log.planned.findIndex(
          (row) => row.reason.edit?.operationId === log.edits.at(-1)?.[0]?.id,
        )
        expect(log.planned.slice(0, place).map(onAir)).toEqual(before.slice(0, place).map(onAir))
        expect(log.planned[place]).toMatchObject({ videoId: video, startsAtMs: before[place]?.startsAtMs })
        if (place === at) return
        // It would have delayed a hard start, which is kept: it airs later.
        const { durationMs } = library.find(({ id }) => id === video)!
        const fromMs = before[at]!.startsAtMs
        const delayed = segmentsOf(document, fromMs, fromMs + durationMs).filter(
          ({ isHardStart, startMs }) => isHardStart && startMs > fromMs && startMs < fromMs + durationMs,
        )
        expect(place).toBeGreaterThan(at)
        expect(delayed).not.toEqual([])
      }),
      { numRuns: 40 },
    )
  })

  test('plays two swapped videos in each other’s places', () => {
    fc.assert(
      fc.property(fc.array(anyCommand, { maxLength: 4 }), index, index, (commands, one, other) => {
        const [at, to] = [Math.min(one, other), Math.max(one, other)]
        const { log, before } = edited(document, commands)
        if (at === to || !log.apply({ action: 'swap', programme: at, with: to })) return
        expect(log.planned.slice(0, at)).toEqual(before.slice(0, at))
        expect(log.planned[at]).toMatchObject({
          videoId: before[to]?.videoId,
          startsAtMs: before[at]?.startsAtMs,
        })
        expect(log.planned.slice(at + 1).map((row) => row.videoId)).toContain(before[at]?.videoId)
      }),
      { numRuns: 40 },
    )
  })

  test('leaves a skipped programme out once, and changes nothing before it', () => {
    fc.assert(
      fc.property(fc.array(anyCommand, { maxLength: 4 }), index, (commands, at) => {
        const { log, before } = edited(document, commands)
        if (!log.apply({ action: 'skip', programme: at })) return
        expect(log.planned.slice(0, at)).toEqual(before.slice(0, at))
        expect(log.planned[at]?.itemId).not.toBe(before[at]?.itemId)
      }),
      { numRuns: 40 },
    )
  })
})

test('of a video that repeats within minutes, each skip leaves out its own programme', () => {
  const log = new Log({ timeZone: 'UTC', defaultSource: 'list', sources: { list: { kind: 'playlist' } } }, 4)
  const titles = () =>
    log.planned.slice(0, 8).map(({ videoId: id }) => library.findIndex((video) => video.id === id))
  const skippedBy = () =>
    log.planned.flatMap(({ reason }) => reason.edit?.skipped.map(({ operationId }) => operationId) ?? [])
  expect(titles()).toEqual([0, 1, 2, 3, 0, 1, 2, 3])
  const skip = (programme: number) => expect(log.apply({ action: 'skip', programme })).toBe(true)
  skip(4)
  skip(0)
  skip(6)
  expect(titles()).toEqual([1, 2, 3, 1, 2, 3, 1, 2])
  const [second, first, third] = log.edits.map(([operation]) => operation?.id)
  expect(skippedBy()).toEqual([first, second, third])
  expect(log.undo(1)).toBe(true)
  expect(titles()).toEqual([0, 1, 2, 3, 1, 2, 3, 1])
  expect(skippedBy()).toEqual([second, third])
})
