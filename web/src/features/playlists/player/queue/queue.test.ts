import type { LoopMode } from '@looptide/contracts/http/playlists'
import { seededRandom } from '@looptide/playhead/random'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { someEntries } from './_entries.ts'
import {
  afterEnd,
  EMPTY_QUEUE,
  jumpTo,
  loadQueue,
  nextVideo,
  previousVideo,
  type Queue,
  withEntries,
  withNextLoop,
  withShuffle,
} from './queue.ts'

const loops = fc.constantFrom<LoopMode>('off', 'single', 'playlist')
const settings = fc.record({ shuffle: fc.boolean(), loop: loops, autoAdvance: fc.boolean() })
const seeds = fc.nat().map((seed) => seededRandom(seed))
const queues = (minLength = 1) =>
  fc
    .tuple(fc.integer({ min: minLength, max: 12 }), settings, seeds)
    .map(([length, picks, random]) => loadQueue(someEntries(length), picks, random))

/** A queue that has been used for a while. */
const usedQueues = (minLength = 1) =>
  fc
    .tuple(
      queues(minLength),
      fc.array(fc.constantFrom('next', 'previous', 'end', 'loop', 'shuffle', 'jump')),
      seeds,
    )
    .map(([start, steps, random]) =>
      steps.reduce((queue, step) => {
        if (step === 'next') return nextVideo(queue)
        if (step === 'previous') return previousVideo(queue)
        if (step === 'end') return afterEnd(queue)
        if (step === 'loop') return withNextLoop(queue)
        if (step === 'jump') return jumpTo(queue, Math.floor(random() * queue.entries.length))
        return withShuffle(queue, !queue.shuffle, random)
      }, start),
    )

const indices = (queue: Queue) => [...queue.entries.keys()]
const sorted = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)

function expectSound(queue: Queue): void {
  if (queue.entries.length === 0) expect(queue.current).toBe(-1)
  else expect(indices(queue)).toContain(queue.current)
  expect(sorted(queue.order)).toEqual(queue.shuffle ? indices(queue) : [])
  expect(new Set(queue.played).size).toBe(queue.played.length)
  for (const index of queue.played) expect(indices(queue)).toContain(index)
  if (queue.shuffle && queue.current >= 0) expect(queue.played).toContain(queue.current)
}

it('always has one current entry and an order of all entries', () => {
  fc.assert(fc.property(usedQueues(), expectSound))
})

describe('with shuffle', () => {
  const shuffledQueues = (loop: LoopMode) =>
    fc.tuple(usedQueues(2), seeds).map(([queue, random]) => withShuffle({ ...queue, loop }, true, random))

  it('a shuffle cycle plays each video once, including the current one', () => {
    fc.assert(
      fc.property(fc.constantFrom<LoopMode>('off', 'playlist').chain(shuffledQueues), (queue) => {
        let now = queue
        const seen = [now.current]
        for (let step = 1; step < queue.entries.length; step += 1) {
          now = nextVideo(now)
          seen.push(now.current)
        }
        expect(sorted(seen)).toEqual(indices(queue))
        expect(seen).toEqual(queue.order)
      }),
    )
  })

  it('restarts after the cycle with playlist loop, and stops otherwise', () => {
    fc.assert(
      fc.property(loops.chain(shuffledQueues), (queue) => {
        const last = indices(queue).slice(1).reduce(nextVideo, queue)
        const after = nextVideo(last)
        if (queue.loop === 'playlist') {
          expect(after).toMatchObject({ current: queue.order[0], played: [queue.order[0]] })
        } else expect(after).toBe(last)
      }),
    )
  })

  it('previous goes back in the order and wraps from the first to the last', () => {
    fc.assert(
      fc.property(loops.chain(shuffledQueues), (queue) => {
        const place = queue.order.indexOf(queue.current)
        expect(previousVideo(queue).current).toBe(queue.order.at(place - 1))
      }),
    )
  })

  it('can produce every order', () => {
    const starts = new Set<string>()
    const random = seededRandom('orders')
    for (let n = 0; n < 300; n += 1) {
      starts.add(loadQueue(someEntries(4), { ...EMPTY_QUEUE, shuffle: true }, random).order.join())
    }
    expect(starts.size).toBe(24)
  })
})

describe('without shuffle', () => {
  const plainQueues = usedQueues(2).map((queue) => withShuffle(queue, false, Math.random))

  it('next goes forward by one, and wraps at the end only with playlist loop', () => {
    fc.assert(
      fc.property(plainQueues, (queue) => {
        const isLast = queue.current === queue.entries.length - 1
        const next = nextVideo(queue)
        if (!isLast) expect(next.current).toBe(queue.current + 1)
        else if (queue.loop === 'playlist') expect(next.current).toBe(0)
        else expect(next).toBe(queue)
      }),
    )
  })

  it('previous goes back by one and wraps from the first to the last', () => {
    fc.assert(
      fc.property(plainQueues, (queue) => {
        expect(previousVideo(queue).current).toBe(indices(queue).at(queue.current - 1))
      }),
    )
  })
})

it('after a video, single loop repeats it, auto-advance plays the next, and otherwise nothing follows', () => {
  fc.assert(
    fc.property(usedQueues(), (queue) => {
      const after = afterEnd(queue)
      if (queue.loop === 'single') {
        expect(after).toEqual({ ...queue, turn: queue.turn + 1, played: after.played })
      } else if (queue.autoAdvance) expect(after).toEqual(nextVideo(queue))
      else expect(after).toBe(queue)
    }),
  )
})

it('cycles the loop mode: off, single, playlist, off', () => {
  const modes = [EMPTY_QUEUE]
  for (let n = 0; n < 3; n += 1) modes.push(withNextLoop(modes.at(-1) ?? EMPTY_QUEUE))
  expect(modes.map(({ loop }) => loop)).toEqual(['off', 'single', 'playlist', 'off'])
})

it('keeps playing the current entry when entries are added, removed and moved', () => {
  fc.assert(
    fc.property(usedQueues(), fc.array(fc.nat({ max: 15 })), seeds, (queue, picks, random) => {
      const pool = someEntries(16)
      const entries = [...new Set(picks)].flatMap((index) => pool[index] ?? [])
      const after = withEntries(queue, entries, random)
      expectSound(after)
      const key = queue.entries[queue.current]?.key
      if (entries.some((entry) => entry.key === key)) {
        expect(after.entries[after.current]?.key).toBe(key)
        expect(after.turn).toBe(queue.turn)
      } else if (entries.length > 0) expect(after.turn).toBe(queue.turn + 1)
    }),
  )
})

it('an empty queue does not move, and begins with the first video added', () => {
  expect([nextVideo, previousVideo, afterEnd].map((step) => step(EMPTY_QUEUE))).toEqual(
    Array(3).fill(EMPTY_QUEUE),
  )
  expect(withEntries(EMPTY_QUEUE, someEntries(2), Math.random)).toMatchObject({ current: 0, turn: 1 })
})
