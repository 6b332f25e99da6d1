import { until } from '@looptide/testkit/until'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type CatalogueHarness, startCatalogue } from './_harness.ts'
import { runJob, undoJob } from './_jobs.ts'

let catalogue: CatalogueHarness
let id: string
let youtubeId: string
let count = 0

beforeAll(async () => {
  catalogue = await startCatalogue({ IMAGE_ORIGINS: 'https://pictures.example, https://more.example' })
})
afterAll(() => catalogue.close())
beforeEach(async () => {
  count += 1
  youtubeId = `edit${String(count).padStart(7, '0')}`
  const body = { urls: [`https://youtu.be/${youtubeId}`] }
  id = (await catalogue.call('POST', '/api/videos', { as: catalogue.admin, body })).body.lines[0].video.id
})

const edit = (body: object, headers: Record<string, string> = {}) =>
  catalogue.call('PATCH', `/api/videos/${id}`, { as: catalogue.admin, body, headers })
const read = () => catalogue.call('GET', `/api/videos/${id}`)
const resolve = () =>
  catalogue.publishEvent('metadata.video.resolved.v1', {
    youtubeId,
    title: 'Title on YouTube',
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
  const found = await catalogue.call('GET', '/api/search?q=another%20title')
  expect(found.body.videos.map((video: { id: string }) => video.id)).toEqual([id])
  expect((await catalogue.call('GET', '/api/search?q=another%20artist')).body.artists).toEqual([
    { name: 'Another Artist', videoCount: 1 },
  ])
  const updates = await catalogue.events('catalogue.video.updated.v1')
  expect(updates.at(-1)?.data.video).toMatchObject({ id, title: 'Another Title', category: 'Classics' })
  expect(await catalogue.events('catalogue.home.changed.v1')).not.toEqual([])
  const audits = await catalogue.events('catalogue.audit.recorded.v1')
  expect(audits.at(-1)).toMatchObject({
    actorId: catalogue.admin.id,
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
  const audits = (await catalogue.events('catalogue.audit.recorded.v1')).length
  expect((await edit({ genre: 'Jazz' })).status).toBe(200)
  expect(await catalogue.events('catalogue.audit.recorded.v1')).toHaveLength(audits)
})

it('metadata replaces fields that were not edited, and keeps edited ones', async () => {
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
  await catalogue.call('POST', '/api/videos/update-metadata', { as: catalogue.admin, body: { ids: [id] } })
  await resolve()
  expect((await read()).body).toMatchObject({ title: 'Mine', artistName: 'Me' })
})

it('metadata replaces a blank artist and a removed thumbnail', async () => {
  await edit({ artistName: 'Me', thumbnailUrl: '/assets/mine.png' })
  expect((await edit({ artistName: ' ', thumbnailUrl: null, genre: ' ' })).body).toMatchObject({
    artistName: 'Unknown Artist',
    thumbnailUrl: `https://i.ytimg.com/vi/${youtubeId}/hqdefault.jpg`,
    genre: null,
  })
  await resolve()
  expect((await read()).body).toMatchObject({
    title: 'Title on YouTube',
    artistName: 'Their Channel',
    thumbnailUrl: `https://i.ytimg.com/vi/${youtubeId}/maxresdefault.jpg`,
  })
})

it('of two admins who edit the same state, the second gets 412 and reads the new state', async () => {
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
  // The gateway makes the ETag of a compressed response weak.
  expect((await edit({ title: 'Weak' }, { 'if-match': `W/${first.etag}` })).status).toBe(200)
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
  await catalogue.call('POST', `/api/videos/${id}/views`, { as: catalogue.user })
  expect((await read()).body.viewCount).toBe(1)
  expect((await read()).etag).toBe(etag)
})

it('rejects a blank title, pictures of other origins, videos under review and users who are not admins', async () => {
  for (const body of [
    { title: ' \n' },
    { thumbnailUrl: 'https://elsewhere.example/a.jpg' },
    { thumbnailUrl: '//pictures.example/a.jpg' },
    { category: 'Nonsense' },
    {},
  ]) {
    expect((await edit(body)).body.code).toBe('validation_failed')
  }
  for (const as of [catalogue.user, catalogue.moderator]) {
    expect((await catalogue.call('PATCH', `/api/videos/${id}`, { as, body: { title: 'No' } })).status).toBe(
      403,
    )
  }
  expect((await catalogue.call('PATCH', `/api/videos/${id}`, { body: { title: 'No' } })).status).toBe(401)
  await sql`update videos set is_public = false, review_state = 'submitted' where id = ${id}`.execute(
    catalogue.db,
  )
  expect((await edit({ title: 'No' })).body.code).toBe('conflict')
  await sql`delete from videos where id = ${id}`.execute(catalogue.db)
  expect((await edit({ title: 'No' })).status).toBe(404)
  await until('no rejected request was audited as an edit', async () =>
    (await catalogue.events('catalogue.audit.recorded.v1')).every(
      ({ data }) => data.targetId !== id || data.action !== 'video.edit',
    ),
  )
})

const addSeveral = async (videoCount: number): Promise<string[]> => {
  count += videoCount
  const urls = Array.from(
    { length: videoCount },
    (_, n) => `https://youtu.be/bulk${String(count - n).padStart(7, '0')}`,
  )
  const { body } = await catalogue.call('POST', '/api/videos', { as: catalogue.admin, body: { urls } })
  return body.lines.map((line: { video: { id: string } }) => line.video.id)
}
const editMany = (ids: string[], fields: object) => runJob(catalogue, 'edit', { videos: { ids }, fields })
const lookUp = async (ids: string[]) =>
  (await catalogue.call('GET', `/api/videos/lookup?ids=${ids.join()}`)).body.items as {
    id: string
    title: string
    artistName: string
    genre: string
    category: string
  }[]

it('a bulk edit makes the changes of its preview, and is published as a bulk event', async () => {
  const ids = await addSeveral(60)
  await editMany(ids.slice(0, 12), { genre: 'Pop' })
  const fields = { category: 'Classics', genre: 'Jazz' }
  const preview = await catalogue.call('POST', '/api/videos/edit-preview', {
    as: catalogue.admin,
    body: { videos: { ids }, fields },
  })
  expect(preview.body).toEqual({
    count: 60,
    changes: [
      { field: 'genre', from: 'Music', count: 48 },
      { field: 'genre', from: 'Pop', count: 12 },
      { field: 'category', from: 'New Video Submissions', count: 60 },
    ],
  })
  const listed = '/api/videos?all=true&limit=1&category=Classics'
  const total = async () => (await catalogue.call('GET', listed, { as: catalogue.admin })).body.total
  const classics = await total()
  const before = (await catalogue.events('catalogue.videos.updated.v1')).length
  expect(await editMany(ids, fields)).toMatchObject({
    state: 'done',
    total: 60,
    done: 60,
    changed: 60,
    failed: 0,
  })
  expect(await lookUp(ids)).toEqual(ids.map(() => expect.objectContaining(fields)))
  const bulk = (await catalogue.events('catalogue.videos.updated.v1')).slice(before)
  expect(bulk.map(({ data }) => data.videos.length)).toEqual([60])
  // A repeated edit changes no video.
  expect(await editMany(ids, fields)).toMatchObject({ done: 60, changed: 0, canUndo: false })
  expect((await total()) - classics).toBe(60)
})

it('undoing a bulk edit restores its videos, except those changed since', async () => {
  const ids = await addSeveral(30)
  await editMany(ids.slice(0, 10), { artistName: 'First', genre: 'Rock' })
  const job = await editMany(ids, { artistName: 'Second' })
  const [changed = '', ...others] = ids
  await catalogue.call('PATCH', `/api/videos/${changed}`, {
    as: catalogue.admin,
    body: { artistName: 'Third' },
  })
  expect(await undoJob(catalogue, job)).toMatchObject({ state: 'done', total: 30, changed: 29, failed: 1 })
  const artistOf = new Map((await lookUp(ids)).map((video) => [video.id, video.artistName]))
  expect(artistOf.get(changed)).toBe('Third')
  expect(others.map((other) => artistOf.get(other))).toEqual([
    ...Array(9).fill('First'),
    ...Array(20).fill('Unknown Artist'),
  ])
  const again = await catalogue.call('POST', `/api/videos/jobs/${job.id}/undo`, { as: catalogue.admin })
  expect([again.status, again.body.code]).toEqual([409, 'conflict'])
  const artists = await catalogue.call('GET', '/api/search?q=second')
  expect(artists.body.artists).toEqual([])
})

it('replaces a text in titles, keeps titles that would be blank, and undoes both with the metadata', async () => {
  const ids = await addSeveral(3)
  const titles = ['Hello (Official Video)', '(Official Video)', 'Rocket Man']
  for (const [n, each] of ids.entries())
    await catalogue.call('PATCH', `/api/videos/${each}`, { as: catalogue.admin, body: { title: titles[n] } })
  const fields = { replaceInTitle: { text: ' (official video)', with: '' } }
  const body = { videos: { ids }, fields: { replaceInTitle: { text: '(official video)', with: ' ' } } }
  const preview = await catalogue.call('POST', '/api/videos/edit-preview', { as: catalogue.admin, body })
  const examples = [{ from: 'Hello (Official Video)', to: 'Hello' }]
  expect(preview.body).toEqual({ count: 1, changes: [], titles: { count: 1, keptCount: 1, examples } })
  const job = await editMany(ids, fields)
  expect(job.changed).toBe(1)
  const titlesNow = async () => {
    const videos = await lookUp(ids)
    return ids.map((each) => videos.find((video) => video.id === each)?.title)
  }
  expect(await titlesNow()).toEqual(['Hello', '(Official Video)', 'Rocket Man'])
  const audits = await catalogue.events('catalogue.audit.recorded.v1')
  expect(audits.at(-1)?.data.before).toEqual([expect.objectContaining({ title: 'Hello (Official Video)' })])
  expect(await undoJob(catalogue, job)).toMatchObject({ changed: 1, failed: 0 })
  expect(await titlesNow()).toEqual(titles)
  const blank = { videos: { ids }, fields: { replaceInTitle: { text: ' ', with: '' } } }
  const refused = await catalogue.call('POST', '/api/videos/jobs/edit', { as: catalogue.admin, body: blank })
  expect(refused.body.code).toBe('validation_failed')
})

it('jobs, edits and moves of the same videos in different orders at the same time all succeed', async () => {
  const ids = await addSeveral(40)
  const reversed = ids.toReversed()
  const jobs = Array.from({ length: 4 }, (_, n) =>
    editMany(n % 2 === 0 ? ids : reversed, { artistName: `Artist ${n % 3}`, genre: `Genre ${n}` }),
  )
  const answers = await Promise.all([
    catalogue.call('POST', '/api/videos/move', {
      as: catalogue.admin,
      body: { ids: reversed, category: 'Must Watch' },
    }),
    ...ids.slice(0, 8).map((each, n) =>
      catalogue.call('PATCH', `/api/videos/${each}`, {
        as: catalogue.admin,
        body: { artistName: `Artist ${n % 3}` },
      }),
    ),
  ])
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect((await Promise.all(jobs)).map(({ state }) => state)).toEqual(jobs.map(() => 'done'))
})
