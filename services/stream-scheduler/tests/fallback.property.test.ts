import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertChannel } from '../src/features/channels/channel-repository.ts'
import { insertItems } from '../src/features/playlists/playlist-repository.ts'
import { fallbackItems } from '../src/timeline/loop-repository.ts'
import { applyVideos } from '../src/videos/video-repository.ts'
import { MINUTE_MS, schedulerDatabase, video } from './_util.ts'

let database: Awaited<ReturnType<typeof schedulerDatabase>>
beforeAll(async () => {
  database = await schedulerDatabase()
})
afterAll(() => database.drop())

const LIMIT_MS = 15 * MINUTE_MS
const facts = fc.record({
  durationMs: fc.oneof(
    fc.integer({ min: LIMIT_MS - 2, max: LIMIT_MS + 2 }),
    fc.integer({ min: 1, max: 12 * 60 * MINUTE_MS }),
  ),
  isPublic: fc.boolean(),
  isListed: fc.boolean(),
  isUnderReview: fc.boolean(),
})

/** Ends the transaction of a try without a trace. */
const UNDO = new Error('undo')

test('the fallback is every accepted public video that is short enough or on a playlist; only if there is none, every one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(facts, { maxLength: 8 }), async (all) => {
      const attempt = database.db.transaction().execute(async (trx) => {
        const channel = { id: 'concerts', name: 'Concerts', description: null, position: 1, seed: 'x' }
        await insertChannel(trx, { ...channel, createdBy: null })
        const videos = all.map((each) => ({
          ...each,
          video: video({
            durationMs: each.durationMs,
            isPublic: each.isPublic,
            ...(each.isUnderReview && { review: { state: 'submitted' as const, reason: null } }),
          }),
        }))
        for (const [index, each] of videos.entries()) await applyVideos(trx, [each.video], index + 1)
        const listed = videos.filter((each) => each.isListed).map((each) => each.video.id)
        await insertItems(trx, channel.id, listed, null)
        const accepted = videos.filter((each) => each.isPublic && !each.isUnderReview)
        const fitting = accepted.filter((each) => each.isListed || each.durationMs <= LIMIT_MS)
        const expected = (fitting.length > 0 ? fitting : accepted).map((each) => each.video.id)
        const items = await fallbackItems(trx, LIMIT_MS)
        expect(items.map((item) => item.videoId)).toEqual(expected)
        // The same again: a plan that is made twice is the same plan.
        expect(await fallbackItems(trx, LIMIT_MS)).toEqual(items)
        throw UNDO
      })
      await attempt.catch((error: unknown) => {
        if (error !== UNDO) throw error
      })
    }),
    { numRuns: 60 },
  )
}, 60_000)
