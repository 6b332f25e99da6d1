import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Bench, ids, startBench } from './_worker.ts'

let bench: Bench
beforeAll(async () => {
  bench = await startBench({ YOUTUBE_API_KEY: 'key', YOUTUBE_DAILY_QUOTA: '14' })
})
afterAll(() => bench.close())

const read = (id: string, as = bench.admin) => bench.get(`/api/metadata/playlists/${id}`, as)

it('tells which videos a playlist holds, each once, in its order', async () => {
  const wanted = ids('list', 120)
  bench.youtube.setPlaylist('PLlong', [...wanted, ...wanted.slice(0, 5)])
  expect(await read('PLlong')).toMatchObject({ status: 200, body: { youtubeIds: wanted, isComplete: true } })
  expect(bench.youtube.calls.playlistItems).toBe(3)
})

it('stops at 500, and says so', async () => {
  bench.youtube.setPlaylist('PLendless', ids('end', 600))
  const { body } = await read('PLendless')
  expect(body).toEqual({ youtubeIds: ids('end', 500), isComplete: false })
})

it('refuses what is not there, and when the quota is out', async () => {
  expect(await read('PLgone')).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect(await read('PLlong')).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
})

it('is for admins alone', async () => {
  expect((await bench.get('/api/metadata/playlists/PLlong')).status).toBe(401)
  expect((await read('PLlong', bench.user)).status).toBe(403)
})

it('needs a key', async () => {
  const keyless = await startBench()
  const { status, body } = await keyless.get('/api/metadata/playlists/PLlong', keyless.admin)
  expect({ status, code: body.code }).toEqual({ status: 409, code: 'conflict' })
  await keyless.close()
})
