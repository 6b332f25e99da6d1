import type { Programme } from '@looptide/contracts/http/channels'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { instantOfThen } from './instant-of-then.ts'

const NOW_MS = 1_800_000_000_000
const THEN_MS = 1_700_000_000_000
const LENGTH_MS = 200_000

/** An evening of equal programmes, of which those in `aired` are on the air again, one after the other. */
const programmesOf = (aired: readonly number[]): Programme[] =>
  aired.map((place, index) => {
    const startedAtMs = THEN_MS + place * LENGTH_MS
    const startsAtMs = NOW_MS + index * LENGTH_MS
    return {
      ...{ kind: 'video', startsAtMs, endsAtMs: startsAtMs + LENGTH_MS },
      reason: { again: { channelId: 'c', startedAtMs, endedAtMs: startedAtMs + LENGTH_MS } },
    } as Programme
  })

it('later positions are later times of the evening, inside of the programme, also after skipped ones', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 30 }),
      fc.array(fc.nat({ max: 30 * LENGTH_MS }), { maxLength: 30 }),
      (places, positions) => {
        const aired = places.toSorted((a, b) => a - b)
        const programmes = programmesOf(aired)
        const times: number[] = []
        for (const position of positions.toSorted((a, b) => a - b)) {
          const then = instantOfThen(programmes, NOW_MS + position)
          const place = aired[Math.floor(position / LENGTH_MS)]
          expect(then?.atMs).toBe(
            place === undefined ? undefined : THEN_MS + place * LENGTH_MS + (position % LENGTH_MS),
          )
          if (then !== undefined) times.push(then.atMs)
        }
        expect(times).toEqual(times.toSorted((a, b) => a - b))
      },
    ),
  )
})

it('a video that is longer than it was then stays at the end of its programme', () => {
  const [programme] = programmesOf([0])
  const longer = { ...programme!, endsAtMs: NOW_MS + 2 * LENGTH_MS }
  expect(instantOfThen([longer], NOW_MS + 2 * LENGTH_MS - 1)?.atMs).toBe(THEN_MS + LENGTH_MS)
})

it('nothing is aired again between programmes, and by programmes of another origin', () => {
  const [programme] = programmesOf([0])
  expect(instantOfThen([programme!], NOW_MS - 1)).toBeUndefined()
  expect(instantOfThen([{ ...programme!, reason: null } as Programme], NOW_MS)).toBeUndefined()
})
