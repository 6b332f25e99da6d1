import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countRepeats, separateArtists } from './shuffle.ts'

interface Item {
  id: number
  artist: string | null
}

const artists = fc.oneof(
  fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 40 }),
  fc.array(fc.constantFrom('a', 'a', 'a', 'b', 'c', null), { maxLength: 40 }),
  fc.array(fc.constantFrom('a', 'b'), { maxLength: 12 }),
)
const seeds = fc.oneof(fc.string(), fc.integer())
const previousArtists = fc.constantFrom(null, 'a', 'b', 'c', 'stranger')

const itemsOf = (names: (string | null)[]): Item[] => names.map((artist, id) => ({ id, artist }))
const artistOf = (item: Item) => item.artist

function largestCount(names: (string | null)[]): number {
  const known = names.filter((name) => name !== null)
  return Math.max(0, ...known.map((name) => known.filter((other) => other === name).length))
}

/**
 * The fewest repeats any order of a loop can have: m items of one artist among n form a ring with n − m gaps
 * between the others, so 2m − n of them must touch. A single artist also repeats the previous artist if it is the same.
 */
function fewestRepeats(names: (string | null)[], previous: string | null): number {
  const largest = largestCount(names)
  const unavoidable = previous !== null && names.length > 0 && names.every((name) => name === previous)
  return Math.max(0, 2 * largest - names.length) + (unavoidable ? 1 : 0)
}

describe('separateArtists', () => {
  test('has the fewest possible repeats, also from its end to its beginning and after the previous artist', () => {
    fc.assert(
      fc.property(artists, seeds, previousArtists, (names, seed, previousArtist) => {
        const result = separateArtists(itemsOf(names), artistOf, seed, { previousArtist })
        const repeats = countRepeats(result.map(artistOf), previousArtist)
        expect(repeats).toBe(fewestRepeats(names, previousArtist))
      }),
      { numRuns: 2_000 },
    )
  })

  test('works without any repair pass', () => {
    fc.assert(
      fc.property(artists, seeds, (names, seed) => {
        const result = separateArtists(itemsOf(names), artistOf, seed, { maxPasses: 0 })
        expect(countRepeats(result.map(artistOf))).toBe(fewestRepeats(names, null))
      }),
    )
  })

  test('contains every item once, and is the same for the same seed', () => {
    fc.assert(
      fc.property(artists, seeds, previousArtists, (names, seed, previousArtist) => {
        const items = itemsOf(names)
        const result = separateArtists(items, artistOf, seed, { previousArtist })
        expect(result.toSorted((a, b) => a.id - b.id)).toEqual(items)
        expect(separateArtists(items, artistOf, seed, { previousArtist })).toEqual(result)
      }),
    )
  })

  test('different seeds give different orders', () => {
    const items = itemsOf(Array.from({ length: 30 }, (_, index) => `artist ${index % 6}`))
    const orders = new Set(
      Array.from({ length: 20 }, (_, seed) =>
        separateArtists(items, artistOf, seed)
          .map((i) => i.id)
          .join(),
      ),
    )
    expect(orders.size).toBe(20)
  })

  test('every item comes first about equally often', () => {
    const items = itemsOf(['a', 'a', 'b', 'b', 'c', 'c'])
    const firsts = items.map(() => 0)
    for (let seed = 0; seed < 3_000; seed += 1) {
      const first = separateArtists(items, artistOf, seed)[0]!
      firsts[first.id]! += 1
    }
    for (const count of firsts) expect(Math.abs(count - 500)).toBeLessThan(120)
  })

  test('an artist with most of the items is spread over the list', () => {
    const names = [...Array.from({ length: 8 }, () => 'a'), 'b', 'c']
    const result = separateArtists(itemsOf(names), artistOf, 1).map(artistOf)
    const longestRun = Math.max(
      ...result
        .join('')
        .split(/[bc]/)
        .map((run) => run.length),
    )
    expect(longestRun).toBeLessThanOrEqual(4)
  })

  test('ten thousand videos are ordered in less than 200 ms', () => {
    const items = itemsOf(
      Array.from({ length: 10_000 }, (_, index) => `artist ${index % 7 < 3 ? 0 : index % 900}`),
    )
    const runs = [1, 2, 3].map((seed) => {
      const before = process.cpuUsage()
      const result = separateArtists(items, artistOf, seed)
      expect(countRepeats(result.map(artistOf))).toBe(0)
      // Processor time does not depend on other processes.
      return process.cpuUsage(before).user / 1000
    })
    expect(Math.min(...runs)).toBeLessThan(200)
  })
})
