import type { TestUser } from '@looptide/testkit/identity'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Station, startCatalogue } from './_station.ts'

const CATEGORIES = ['Must Watch', 'Classics', null]

let station: Station
beforeAll(async () => {
  station = await startCatalogue()
})
afterAll(() => station.close())

it('has a video that YouTube does not show in no list of viewers, until it is asked about again', async () => {
  const added = await station.call('POST', '/api/videos', {
    as: station.admin,
    body: { urls: ['https://youtu.be/mmmmmmmmmmm'] },
  })
  const { id } = added.body.lines[0].video
  await station.tell('metadata.video.resolved.v1', {
    youtubeId: 'mmmmmmmmmmm',
    title: 'Here today',
    description: '',
    thumbnailUrl: null,
    artistName: 'Vanishing Act',
    durationMs: 60_000,
    embeddable: true,
    regionBlocked: [],
  })
  const holds = async (path: string, as?: TestUser): Promise<boolean> => {
    const { body } = await station.call('GET', path, as ? { as } : {})
    return (body.videos ?? body.items).some((video: { id: string }) => video.id === id)
  }
  const viewers = [
    '/api/videos',
    '/api/videos?q=today',
    '/api/search?q=today',
    '/api/search?artist=Vanishing%20Act',
  ]
  const inLists = () => Promise.all(viewers.map((path) => holds(path)))
  const total = async () => (await station.call('GET', '/api/videos?limit=1')).body.total
  const artists = async () => (await station.call('GET', '/api/search?q=Vanishing')).body.artists
  const before = await total()
  expect(await inLists()).toEqual([true, true, true, true])
  expect(await artists()).toEqual([{ name: 'Vanishing Act', videoCount: 1 }])

  await station.tell('metadata.video.unavailable.v1', { youtubeId: 'mmmmmmmmmmm', reason: 'removed' })
  expect(await inLists()).toEqual([false, false, false, false])
  expect([await total(), await artists()]).toEqual([before - 1, []])
  for (const path of ['/api/videos?all=true', '/api/videos?all=true&q=today']) {
    expect(await holds(path, station.admin)).toBe(true)
  }
  expect((await station.call('GET', `/api/videos/${id}`)).body.metadataStatus).toBe('unavailable')

  await station.call('POST', '/api/videos/update-metadata', { as: station.admin, body: { ids: [id] } })
  expect(await inLists()).toEqual([true, true, true, true])
  expect(await total()).toBe(before)
})

it('lets many come back at once while others come and go', async () => {
  const lines = Array.from({ length: 40 }, (_, n) => `https://youtu.be/back${String(n).padStart(7, '0')}`)
  const added = await station.call('POST', '/api/videos', { as: station.admin, body: { urls: lines } })
  const ids: string[] = added.body.lines.map(({ video }: { video: { id: string } }) => video.id)
  const vary = (n: number) =>
    station.db
      .updateTable('videos')
      .set({ metadataStatus: 'unavailable', artistName: `Back ${n % 7}`, category: CATEGORIES[n % 3] })
      .where('id', '=', ids[n] ?? '')
      .execute()
  for (const n of ids.keys()) await vary(n)
  const askAgain = (some: string[]) =>
    station.call('POST', '/api/videos/update-metadata', { as: station.admin, body: { ids: some } })
  const answers = await Promise.all([
    askAgain(ids.slice(0, 25)),
    askAgain(ids.slice(15).toReversed()),
    station.call('POST', '/api/videos', {
      as: station.admin,
      body: { urls: lines.map((line) => line.replace('back', 'more')), artistName: 'Back 3' },
    }),
    ...ids.slice(30).map((_, n) => vary(n)),
  ])
  expect(answers.slice(0, 3)).toMatchObject([{ status: 200 }, { status: 200 }, { status: 200 }])
})
