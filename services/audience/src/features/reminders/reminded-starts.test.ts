import type { Announced } from '@looptide/contracts/http/guide'
import type { ReminderPhase } from '@looptide/contracts/http/reminders'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type AnnouncedStart,
  advance,
  followStarts,
  LATE_MS,
  nextNotice,
  type PlannedStart,
  REMOVAL_WAIT_MS,
  type RemindedOf,
  type StartChanges,
} from './reminded-starts.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const T0 = Date.parse('2026-11-28T18:00:00Z')
const VIDEO = 'video'

interface Slot {
  startsAtMs: number
  endsAtMs?: number
  videoId?: string
  artistName?: string
  blockId?: string | null
}

/** What a guide announces that ends 24 hours after {@link T0}. */
function guide(slots: readonly Slot[], specials: Announced['specials'] = []): Announced {
  const all = [...slots, { startsAtMs: T0 + 24 * HOUR_MS, videoId: 'last', artistName: 'Last' }]
  return {
    ...{ channelId: 'c', name: 'C', isActive: true, timelineVersion: 1, laterBlocks: [], specials },
    programmes: all
      .toSorted((a, b) => a.startsAtMs - b.startsAtMs)
      .map(({ startsAtMs, videoId = VIDEO, artistName = 'Artist', blockId = null, ...rest }: Slot) => ({
        ...{ id: `c.${startsAtMs}`, videoId, title: 'Title', artistName, startsAtMs, blockId },
        endsAtMs: rest.endsAtMs ?? startsAtMs + 4 * MINUTE_MS,
        blockName: blockId === null ? null : `Block ${blockId}`,
      })),
  }
}

const programme: RemindedOf = { kind: 'programme', ref: 'c.1', videoId: VIDEO, minutesBefore: 10 }
const block: RemindedOf = { kind: 'block', ref: 'b', videoId: null, minutesBefore: 10 }
const artist: RemindedOf = { kind: 'artist', ref: 'artist', videoId: null, minutesBefore: 10 }

function plan(reminder: RemindedOf, startsAtMs: number, change: Partial<PlannedStart> = {}): PlannedStart {
  const start: AnnouncedStart = {
    ...{ startsAtMs, title: 'Title – Artist', programmeId: `c.${startsAtMs}`, videoId: VIDEO },
  }
  const sent = change.sent ?? []
  const next = nextNotice({ ...start, sent }, reminder, { nowMs: T0, isNew: true })
  return { id: 's', ...start, sent, next, ...change }
}

const NOTHING: StartChanges = { added: [], changed: [], dropped: [] }

describe('the next notice', () => {
  it('is before the start, then at the start', () => {
    const start = { startsAtMs: T0 + HOUR_MS, sent: [] as ReminderPhase[] }
    const at = { nowMs: T0, isNew: true }
    expect(nextNotice(start, programme, at)).toEqual({ phase: 'before', dueAtMs: T0 + 50 * MINUTE_MS })
    expect(nextNotice({ ...start, sent: ['before'] }, programme, at)).toEqual({
      ...{ phase: 'start', dueAtMs: T0 + HOUR_MS },
    })
    expect(nextNotice(start, { minutesBefore: 0 }, at)?.phase).toBe('start')
  })

  it('is that at the start for a reminder that is set after the time before it', () => {
    const start = { startsAtMs: T0 + 5 * MINUTE_MS, sent: [] }
    expect(nextNotice(start, programme, { nowMs: T0, isNew: true })?.phase).toBe('start')
    expect(nextNotice(start, programme, { nowMs: T0, isNew: false })).toEqual({
      phase: 'before',
      dueAtMs: T0,
    })
  })
})

describe('a due notice', () => {
  const at = (nowMs: number, quietUntilMs?: number) => ({ nowMs, quietUntilMs })

  it('is not sent when it says nothing new', () => {
    expect(advance('before', T0, at(T0 - 1)).isSent).toBe(true)
    expect(advance('before', T0, at(T0))).toEqual({ isSent: false, next: { phase: 'start', dueAtMs: T0 } })
    expect(advance('start', T0, at(T0 + LATE_MS))).toEqual({ isSent: true, next: null })
    expect(advance('start', T0, at(T0 + LATE_MS + 1))).toEqual({ isSent: false, next: null })
  })

  it('of a removed programme waits for the end of quiet hours', () => {
    expect(advance('removed', T0, at(T0, T0 + HOUR_MS))).toEqual({
      isSent: false,
      next: { phase: 'removed', dueAtMs: T0 + HOUR_MS },
    })
    expect(advance('removed', T0, at(T0))).toEqual({ isSent: true, next: null })
  })
})

describe('a programme', () => {
  it('that stays changes nothing', () => {
    const startsAtMs = T0 + HOUR_MS
    expect(followStarts(programme, [plan(programme, startsAtMs)], guide([{ startsAtMs }]), T0)).toEqual(
      NOTHING,
    )
  })

  it('that is moved moves its notices, also after the first one was sent', () => {
    const later = T0 + 3 * HOUR_MS
    for (const sent of [[], ['before']] as ReminderPhase[][]) {
      const planned = plan(programme, T0 + HOUR_MS, { sent })
      const { changed } = followStarts(programme, [planned], guide([{ startsAtMs: later }]), T0)
      const phase = sent.length === 0 ? 'before' : 'start'
      const dueAtMs = sent.length === 0 ? later - 10 * MINUTE_MS : later
      expect(changed).toEqual([
        { ...planned, startsAtMs: later, programmeId: `c.${later}`, next: { phase, dueAtMs } },
      ])
    }
  })

  it('that is moved to now is due at once', () => {
    const { changed } = followStarts(
      programme,
      [plan(programme, T0 + HOUR_MS)],
      guide([{ startsAtMs: T0 - MINUTE_MS }]),
      T0,
    )
    expect(changed[0]?.next).toEqual({ phase: 'start', dueAtMs: T0 - MINUTE_MS })
  })

  it('that is removed sends one notice, unless it returns in time', () => {
    const startsAtMs = T0 + HOUR_MS
    const [removed] = followStarts(programme, [plan(programme, startsAtMs)], guide([]), T0).changed
    expect(removed?.next).toEqual({ phase: 'removed', dueAtMs: T0 + REMOVAL_WAIT_MS })
    expect(followStarts(programme, [removed!], guide([]), T0 + 1)).toEqual(NOTHING)
    const [returned] = followStarts(programme, [removed!], guide([{ startsAtMs }]), T0 + 1).changed
    expect(returned?.next).toEqual({ phase: 'before', dueAtMs: startsAtMs - 10 * MINUTE_MS })
    // Removed again after the notice was sent.
    const again = { ...returned!, sent: ['removed' as const] }
    expect(followStarts(programme, [again], guide([]), T0 + 2).changed[0]?.next).toBeNull()
  })

  it('beyond the end of the guide is not removed', () => {
    const planned = plan(programme, T0 + 30 * HOUR_MS)
    expect(followStarts(programme, [planned], guide([]), T0)).toEqual(NOTHING)
  })

  it('that is on twice keeps the reminder of each', () => {
    const [first, second] = [T0 + HOUR_MS, T0 + 2 * HOUR_MS]
    const both = guide([{ startsAtMs: first }, { startsAtMs: second }])
    expect(followStarts(programme, [plan(programme, second)], both, T0)).toEqual(NOTHING)
  })
})

describe('a special', () => {
  const special: RemindedOf = { kind: 'special', ref: 's', videoId: null, minutesBefore: 10 }
  const at = (startsAtMs: number) =>
    guide([], [{ id: 's', name: 'Special', startsAtMs, endsAtMs: startsAtMs + HOUR_MS }])

  it('is followed to another day, and is gone when it is not announced', () => {
    const planned = plan(special, T0 + HOUR_MS, { programmeId: null, videoId: null, title: 'Special' })
    const tomorrow = T0 + 25 * HOUR_MS
    expect(followStarts(special, [planned], at(tomorrow), T0).changed[0]?.startsAtMs).toBe(tomorrow)
    expect(followStarts(special, [planned], guide([]), T0).changed[0]?.next?.phase).toBe('removed')
  })
})

describe('a block', () => {
  const slots = (fromMs: number, blockId: string | null = 'b') =>
    [0, 4, 8].map((minute) => ({ startsAtMs: fromMs + minute * MINUTE_MS, blockId }))

  it('starts with its first programme, each time that it is on', () => {
    const [first, second] = [T0 + HOUR_MS, T0 + 12 * HOUR_MS]
    const { added } = followStarts(
      block,
      [],
      guide([...slots(first), ...slots(T0 + 6 * HOUR_MS, null), ...slots(second)]),
      T0,
    )
    expect(added.map(({ startsAtMs, title }) => [startsAtMs, title])).toEqual([
      [first, 'Block b'],
      [second, 'Block b'],
    ])
  })

  it('that a takeover interrupts does not start again', () => {
    const began = plan(block, T0 - 30 * MINUTE_MS, { sent: ['before', 'start'], next: null })
    expect(followStarts(block, [began], guide(slots(T0 + 10 * MINUTE_MS)), T0)).toEqual(NOTHING)
  })
})

describe('an artist', () => {
  it('is announced once in six hours, by the normal form of the name', () => {
    const minutes = [30, 60, 300, 420, 500]
    const found = guide(
      minutes.map((minute) => ({ startsAtMs: T0 + minute * MINUTE_MS, artistName: ' ARTIST ' })),
    )
    const { added } = followStarts(artist, [], found, T0)
    expect(added.map(({ startsAtMs }) => (startsAtMs - T0) / MINUTE_MS)).toEqual([30, 420])
  })

  it('that is no longer planned says nothing', () => {
    const planned = plan(artist, T0 + HOUR_MS)
    const other = guide([{ startsAtMs: T0 + HOUR_MS, artistName: 'Other' }])
    expect(followStarts(artist, [planned], other, T0)).toEqual({ ...NOTHING, dropped: [planned] })
  })
})

describe('any sequence of edits', () => {
  /** An hour of the evening at which the programme is planned; null: it is not planned. */
  const edit = fc.option(fc.integer({ min: 0, max: 5 }), { nil: null })

  it('sends each notice of a programme at most once, the one at the start at its last time', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ hour: edit, waitMin: fc.nat(90) }), { maxLength: 20 }), (edits) => {
        const sent: { phase: ReminderPhase; atMs: number; startsAtMs: number }[] = []
        let start: PlannedStart = plan(programme, T0 + 2 * HOUR_MS)
        let nowMs = T0
        const runUntil = (endMs: number): void => {
          while (start.next !== null && start.next.dueAtMs <= endMs) {
            nowMs = Math.max(nowMs, start.next.dueAtMs)
            const { phase } = start.next
            const { isSent, next } = advance(phase, start.startsAtMs, { nowMs, quietUntilMs: undefined })
            if (isSent) sent.push({ phase, atMs: nowMs, startsAtMs: start.startsAtMs })
            start = { ...start, sent: isSent ? [...start.sent, phase] : start.sent, next }
          }
          nowMs = endMs
        }
        for (const { hour, waitMin } of edits) {
          const slots = hour === null ? [] : [{ startsAtMs: T0 + hour * HOUR_MS }]
          const { changed } = followStarts(programme, [start], guide(slots), nowMs)
          start = changed[0] ?? start
          runUntil(nowMs + waitMin * MINUTE_MS)
        }
        runUntil(T0 + 48 * HOUR_MS)
        const phases = sent.map(({ phase }) => phase)
        expect(new Set(phases).size).toBe(phases.length)
        for (const { phase, atMs, startsAtMs } of sent) {
          if (phase === 'before') expect(atMs).toBeLessThan(startsAtMs)
          if (phase === 'start') expect(atMs).toBeGreaterThanOrEqual(startsAtMs)
        }
        expect(sent.some(({ phase }) => phase === 'start') || start.sent.includes('removed')).toBe(true)
      }),
    )
  })

  it('leaves nothing to do when the same guide is applied again', () => {
    const slots = fc.array(
      fc.record({
        startsAtMs: fc.integer({ min: -30, max: 1200 }).map((minute) => T0 + minute * MINUTE_MS),
        blockId: fc.constantFrom('b', null),
      }),
      { maxLength: 30 },
    )
    fc.assert(
      fc.property(fc.constantFrom(artist, block), slots, slots, (reminder, before, after) => {
        const plannedFrom = (starts: readonly PlannedStart[], found: Announced): PlannedStart[] => {
          const { added, changed, dropped } = followStarts(reminder, starts, found, T0)
          const kept = starts
            .filter((start) => !dropped.includes(start))
            .map((start) => changed.find(({ id }) => id === start.id) ?? start)
          return [...kept, ...added.map((start) => ({ ...start, id: `${start.startsAtMs}`, sent: [] }))]
        }
        const first = plannedFrom([], guide(before))
        const second = plannedFrom(first, guide(after))
        expect(followStarts(reminder, second, guide(after), T0)).toEqual(NOTHING)
      }),
    )
  })
})
