import { afterAll, beforeAll, expect, it } from 'vitest'
import { ids, startWorkerHarness, type WorkerHarness } from './_harness.ts'

let harness: WorkerHarness
/** The quota is renewed at midnight, Pacific time. */
const NOON_MS = Date.parse('2026-11-20T20:00:00Z')
beforeAll(async () => {
  harness = await startWorkerHarness({ YOUTUBE_API_KEY: 'key', YOUTUBE_DAILY_QUOTA: '14' }, () => NOON_MS)
})
afterAll(() => harness.close())

const read = (id: string, as = harness.admin) => harness.get(`/api/metadata/playlists/${id}`, as)

it('lists the videos of a playlist, each once, in its order', async () => {
  const youtubeIds = ids('list', 120)
  harness.youtube.setPlaylist('PLlong', [...youtubeIds, ...youtubeIds.slice(0, 5)])
  expect(await read('PLlong')).toMatchObject({ status: 200, body: { youtubeIds, isComplete: true } })
  expect(harness.youtube.calls.playlistItems).toBe(3)
})

it('lists at most 500 videos and marks the list as incomplete', async () => {
  harness.youtube.setPlaylist('PLendless', ids('end', 600))
  const { body } = await read('PLendless')
  expect(body).toEqual({ youtubeIds: ids('end', 500), isComplete: false })
})

it('responds 404 for an unknown playlist, and 429 when the quota is used up', async () => {
  expect(await read('PLgone')).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect(await read('PLlong')).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
})

it('only admins read playlists', async () => {
  expect((await harness.get('/api/metadata/playlists/PLlong')).status).toBe(401)
  expect((await read('PLlong', harness.user)).status).toBe(403)
})

it('requires an API key', async () => {
  const keyless = await startWorkerHarness()
  const { status, body } = await keyless.get('/api/metadata/playlists/PLlong', keyless.admin)
  expect({ status, code: body.code }).toEqual({ status: 409, code: 'conflict' })
  await keyless.close()
})
