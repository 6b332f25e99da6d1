import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Candidate, rankCandidates } from './rank-candidates.ts'

const candidate = fc.record({
  videoId: fc.constantFrom(...'abcdefghij'),
  durationMs: fc.integer({ min: 1, max: 20 }).map((tens) => tens * 10_000),
})
/** Each video has one length. */
const candidates = fc
  .array(candidate, { maxLength: 20 })
  .map((all) => all.map(({ videoId }) => all.find((other) => other.videoId === videoId)!))
const nearbyIds = fc.uniqueArray(fc.constantFrom(...'abc')).map((ids) => new Set(ids))
const programme = { videoId: 'e', lengthMs: 100_000, nearbyIds: new Set<string>() }
const video = (videoId: string, seconds: number): Candidate => ({ videoId, durationMs: seconds * 1000 })

test('the nearest in length is the first, rather longer than shorter', () => {
  const all = [video('a', 60), video('b', 96), video('c', 110), video('d', 200), video('f', 100)]
  expect(rankCandidates(all, programme)).toEqual(['f', 'c', 'b', 'd', 'a'])
})

test('a video that is on shortly before or after the programme comes last', () => {
  const all = [video('a', 100), video('b', 130), video('c', 300)]
  expect(rankCandidates(all, { ...programme, nearbyIds: new Set(['a']) })).toEqual(['b', 'c', 'a'])
})

test('lists every other video once, in an order that does not depend on that of the candidates', () => {
  fc.assert(
    fc.property(
      candidates.chain((all) =>
        fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
      ),
      nearbyIds,
      ([all, shuffled], nearby) => {
        const replaced = { ...programme, nearbyIds: nearby }
        const ranked = rankCandidates(all, replaced)
        expect(ranked).toEqual(rankCandidates(shuffled, replaced))
        expect(ranked.toSorted()).toEqual(
          [...new Set(all.map(({ videoId }) => videoId))].filter((id) => id !== 'e').sort(),
        )
      },
    ),
  )
})

test('of two videos that are long enough, or both too short, the one nearer in length is never later', () => {
  fc.assert(
    fc.property(candidates, (all) => {
      const lengths = new Map(
        all.map(({ videoId, durationMs }) => [videoId, durationMs - programme.lengthMs]),
      )
      const excess = rankCandidates(all, programme).map((id) => lengths.get(id)!)
      for (const side of [excess.filter((ms) => ms >= 0), excess.filter((ms) => ms < 0)]) {
        expect(side.map(Math.abs)).toEqual(side.map(Math.abs).toSorted((a, b) => a - b))
      }
    }),
  )
})
