import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertChannel } from '../src/channels/channel-repository.ts'
import { upsertVideos } from '../src/library/video-repository.ts'
import { insertItems } from '../src/playlists/playlist-repository.ts'
import { loadFallbackItems } from '../src/schedule/loop-repository.ts'
import { createSchedulerDatabase, MINUTE_MS, video } from './_harness.ts'

let database: Awaited<ReturnType<typeof createSchedulerDatabase>>
beforeAll(async () => {
  database = await createSchedulerDatabase()
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

/** Rolls back the transaction of a property run. */
const UNDO = new Error('undo')

test('the fallback is every accepted public video that is short enough or on a playlist', async () => {
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
        for (const [index, each] of videos.entries()) await upsertVideos(trx, [each.video], index + 1)
        const listed = videos.filter((each) => each.isListed).map((each) => each.video.id)
        await insertItems(trx, channel.id, listed, null)
        const accepted = videos.filter((each) => each.isPublic && !each.isUnderReview)
        const fitting = accepted.filter((each) => each.isListed || each.durationMs <= LIMIT_MS)
        const expected = fitting.map((each) => each.video.id)
        const items = await loadFallbackItems(trx, LIMIT_MS)
        expect(items.map((item) => item.videoId)).toEqual(expected)
        // Reading it again gives the same order.
        expect(await loadFallbackItems(trx, LIMIT_MS)).toEqual(items)
        throw UNDO
      })
      await attempt.catch((error: unknown) => {
        if (error !== UNDO) throw error
      })
    }),
    { numRuns: 60 },
  )
})
