import { afterAll, beforeAll, expect, it } from 'vitest'
import { ids, startWorkerHarness, type WorkerHarness } from './_harness.ts'

let harness: WorkerHarness
/** The quota is renewed at midnight, Pacific time. */
const NOON_MS = Date.parse('2026-11-20T20:00:00Z')
beforeAll(async () => {
  harness = await startWorkerHarness({ YOUTUBE_API_KEY: 'key', YOUTUBE_DAILY_QUOTA: '3' }, () => NOON_MS)
})
afterAll(() => harness.close())

const preview = (url: string, as = harness.admin) =>
  harness.get(`/api/metadata/lists?url=${encodeURIComponent(url)}`, as)

it('describes a playlist and a channel, with one unit of quota each', async () => {
  harness.youtube.setPlaylist('PLmix', ids('mix', 70), { title: 'The Mix' })
  const channel = { id: 'UCabcdefghijklmnopqrstuv', handle: '@someband' }
  harness.youtube.setPlaylist('UUabcdefghijklmnopqrstuv', ids('up', 3), { title: 'Some Band', channel })
  expect((await preview('youtube.com/playlist?list=PLmix')).body).toEqual({
    kind: 'playlist',
    title: 'The Mix',
    itemCount: 70,
  })
  expect((await preview('https://www.youtube.com/@someband')).body).toEqual({
    kind: 'channel',
    title: 'Some Band',
    itemCount: 3,
  })
  expect(await preview('https://www.youtube.com/@nobody')).toMatchObject({ status: 404 })
  expect(await preview('https://www.youtube.com/@someband')).toMatchObject({ status: 429 })
})

it('refuses other URLs, and users who are not admins', async () => {
  expect((await preview('https://www.youtube.com/c/band')).body.code).toBe('validation_failed')
  expect((await preview('x'.repeat(3000))).body.code).toBe('validation_failed')
  expect((await preview('https://www.youtube.com/@someband', harness.user)).status).toBe(403)
})
