import { until } from '@looptide/testkit/until'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Station, startCatalogue } from './_station.ts'

let station: Station
let id: string
let youtubeId: string
let count = 0

beforeAll(async () => {
  station = await startCatalogue({ IMAGE_ORIGINS: 'https://pictures.example, https://more.example' })
})
afterAll(() => station.close())
beforeEach(async () => {
  count += 1
  youtubeId = `edit${String(count).padStart(7, '0')}`
  const body = { urls: [`https://youtu.be/${youtubeId}`] }
  id = (await station.call('POST', '/api/videos', { as: station.admin, body })).body.lines[0].video.id
})

const edit = (body: object, headers: Record<string, string> = {}) =>
  station.call('PATCH', `/api/videos/${id}`, { as: station.admin, body, headers })
const read = () => station.call('GET', `/api/videos/${id}`)
const resolve = () =>
  station.tell('metadata.video.resolved.v1', {
    youtubeId,
    title: 'As YouTube says',
    description: 'From YouTube',
    thumbnailUrl: `https://i.ytimg.com/vi/${youtubeId}/maxresdefault.jpg`,
    artistName: 'Their Channel',
    durationMs: 61_000,
    embeddable: true,
    regionBlocked: [],
  })

it('an edited video shows in lists and search, and is published and audited', async () => {
  const body = {
    title: '  Another Title ',
    artistName: 'Another Artist',
    genre: 'Polka',
    category: 'Classics',
    thumbnailUrl: 'https://pictures.example/a.jpg',
  }
  const answer = await edit(body)
  expect(answer.status).toBe(200)
  expect(answer.body).toMatchObject({ ...body, title: 'Another Title' })
  expect((await read()).body).toMatchObject({ ...body, title: 'Another Title' })
  const found = await station.call('GET', '/api/search?q=another%20title')
  expect(found.body.videos.map((video: { id: string }) => video.id)).toEqual([id])
  expect((await station.call('GET', '/api/search?q=another%20artist')).body.artists).toEqual([
    { name: 'Another Artist', videoCount: 1 },
  ])
  const updates = await station.events('catalogue.video.updated.v1')
  expect(updates.at(-1)?.data.video).toMatchObject({ id, title: 'Another Title', category: 'Classics' })
  expect(await station.events('catalogue.home.changed.v1')).not.toEqual([])
  const audits = await station.events('catalogue.audit.recorded.v1')
  expect(audits.at(-1)).toMatchObject({
    actorId: station.admin.id,
    data: {
      action: 'video.edit',
      targetId: id,
      before: { title: 'Loading...', genre: 'Music' },
      after: { title: 'Another Title', genre: 'Polka' },
    },
  })
})

it('an edit that changes nothing is neither published nor audited', async () => {
  await edit({ genre: 'Jazz' })
  const audits = (await station.events('catalogue.audit.recorded.v1')).length
  expect((await edit({ genre: 'Jazz' })).status).toBe(200)
  expect(await station.events('catalogue.audit.recorded.v1')).toHaveLength(audits)
})

it('metadata fills in what was not edited, and leaves what was', async () => {
  await edit({ title: 'Mine', artistName: 'Me', thumbnailUrl: 'https://more.example/mine.png' })
  await resolve()
  expect((await read()).body).toMatchObject({
    title: 'Mine',
    artistName: 'Me',
    thumbnailUrl: 'https://more.example/mine.png',
    description: 'From YouTube',
    durationMs: 61_000,
    metadataStatus: 'resolved',
  })
  await station.call('POST', '/api/videos/update-metadata', { as: station.admin, body: { ids: [id] } })
  await resolve()
  expect((await read()).body).toMatchObject({ title: 'Mine', artistName: 'Me' })
})

it('a blank artist and a removed thumbnail are left to metadata again', async () => {
  await edit({ artistName: 'Me', thumbnailUrl: '/assets/mine.png' })
  expect((await edit({ artistName: ' ', thumbnailUrl: null, genre: ' ' })).body).toMatchObject({
    artistName: 'Unknown Artist',
    thumbnailUrl: `https://i.ytimg.com/vi/${youtubeId}/hqdefault.jpg`,
    genre: null,
  })
  await resolve()
  expect((await read()).body).toMatchObject({
    title: 'As YouTube says',
    artistName: 'Their Channel',
    thumbnailUrl: `https://i.ytimg.com/vi/${youtubeId}/maxresdefault.jpg`,
  })
})

it('of two admins who edit the same state, the second is refused and sees the new state', async () => {
  const { etag } = await read()
  if (etag === null) throw new Error('no ETag')
  const first = await edit({ title: 'First' }, { 'if-match': etag })
  expect(first.status).toBe(200)
  const second = await edit({ title: 'Second' }, { 'if-match': etag })
  expect([second.status, second.body.code]).toEqual([412, 'precondition_failed'])
  expect((await read()).body.title).toBe('First')
  expect((await read()).etag).toBe(first.etag)
  for (const tag of [`"other", ${first.etag}`, '*']) {
    expect((await edit({ title: `As ${tag}` }, { 'if-match': tag })).status).toBe(200)
    expect((await edit({ title: 'First' })).etag).toBe(first.etag)
  }
  // A weak tag never matches (RFC 9110 §13.1.1).
  expect((await edit({ title: 'Weak' }, { 'if-match': `W/${first.etag}` })).status).toBe(412)
})

it('of ten admins who edit the same state at once, one succeeds', async () => {
  const etag = (await read()).etag ?? ''
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => edit({ title: `Title ${n}` }, { 'if-match': etag })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)])
})

it('a view does not change the ETag', async () => {
  const { etag } = await read()
  await station.call('POST', `/api/videos/${id}/views`, { as: station.user })
  expect((await read()).body.viewCount).toBe(1)
  expect((await read()).etag).toBe(etag)
})

it('refuses a blank title, pictures from elsewhere, videos under review and people who are not admins', async () => {
  for (const body of [
    { title: ' \n' },
    { thumbnailUrl: 'https://elsewhere.example/a.jpg' },
    { thumbnailUrl: '//pictures.example/a.jpg' },
    { category: 'Nonsense' },
    {},
  ]) {
    expect((await edit(body)).body.code).toBe('validation_failed')
  }
  for (const as of [station.user, station.moderator]) {
    expect((await station.call('PATCH', `/api/videos/${id}`, { as, body: { title: 'No' } })).status).toBe(403)
  }
  expect((await station.call('PATCH', `/api/videos/${id}`, { body: { title: 'No' } })).status).toBe(401)
  await sql`update videos set is_public = false, review_state = 'submitted' where id = ${id}`.execute(
    station.db,
  )
  expect((await edit({ title: 'No' })).body.code).toBe('conflict')
  await sql`delete from videos where id = ${id}`.execute(station.db)
  expect((await edit({ title: 'No' })).status).toBe(404)
  await until('no refusal was audited as an edit', async () =>
    (await station.events('catalogue.audit.recorded.v1')).every(
      ({ data }) => data.targetId !== id || data.action !== 'video.edit',
    ),
  )
})
