import { storeEvent } from '@looptide/testkit/event-keys'
import { eventsOf } from '@looptide/testkit/stream-contents'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pruneViewMarks } from '../src/features/videos/view-service.ts'
import { type CatalogueHarness, startCatalogue } from './_harness.ts'

let catalogue: CatalogueHarness
beforeAll(async () => {
  catalogue = await startCatalogue()
})
afterAll(() => catalogue.close())

const add = (urls: string[], extra: object = {}) =>
  catalogue.call('POST', '/api/videos', { as: catalogue.admin, body: { urls, ...extra } })
const idOf = async (youtubeId: string): Promise<string> =>
  (await add([`https://youtu.be/${youtubeId}`])).body.lines[0].video.id

it('adds videos from every form of URL, skips playlists, and returns a result for each line', async () => {
  const { status, body } = await add([
    'https://www.youtube.com/watch?v=aaaaaaaaaaa',
    '  youtu.be/bbbbbbbbbbb  ',
    'https://www.youtube.com/embed/aaaaaaaaaaa',
    'https://www.youtube.com/playlist?list=PL123',
    'nonsense',
    '',
    '/test-card/one.mp4',
  ])
  expect(status).toBe(200)
  expect(body.lines.map((line: { result: string; reason: string }) => [line.result, line.reason])).toEqual([
    ['added', null],
    ['added', null],
    ['duplicate', null],
    ['skipped', 'playlist_not_supported'],
    ['skipped', 'not_a_video_url'],
    ['skipped', 'blank'],
    ['added', null],
  ])
  expect(body).toMatchObject({ added: 3, skipped: 3 })
  expect(body.lines[0].video).toMatchObject({
    title: 'Loading...',
    artistName: 'Unknown Artist',
    genre: 'Music',
    category: 'New Video Submissions',
    isPublic: true,
    duration: '4:00',
    durationMs: 240_000,
    durationAssumed: true,
    metadataStatus: 'pending',
    thumbnailUrl: 'https://i.ytimg.com/vi/aaaaaaaaaaa/hqdefault.jpg',
    videoUrl: 'https://www.youtube.com/embed/aaaaaaaaaaa',
  })
  const list = await catalogue.call('GET', '/api/videos?all=true', { as: catalogue.admin })
  expect(list.body.items.map((video: { videoUrl: string }) => video.videoUrl)).toEqual([
    '/test-card/one.mp4',
    'https://www.youtube.com/embed/bbbbbbbbbbb',
    'https://www.youtube.com/embed/aaaaaaaaaaa',
  ])
  expect(list.body.total).toBe(3)
})

it('adds each video of a line with several, and finds the URL in what was pasted with it', async () => {
  const { body } = await add([
    '1. <https://youtu.be/inaline0001?si=x>, youtube.com/shorts/inaline0002',
    'Title – https://studio.youtube.com/video/inaline0003/edit',
    'https://www.youtube.com/embed/live_stream?channel=UCabcdefghijklmnopqrstuv',
  ])
  expect(
    body.lines.map((line: { result: string; video: { youtubeId: string } | null }) => [
      line.result,
      line.video?.youtubeId,
    ]),
  ).toEqual([
    ['added', 'inaline0001'],
    ['added', 'inaline0002'],
    ['added', 'inaline0003'],
    ['skipped', undefined],
  ])
  const line = Array.from({ length: 60 }, (_, n) => `youtu.be/inaline${1000 + n}`).join(' ')
  expect((await add(Array(9).fill(line))).status).toBe(400)
})

it('publishes added videos, requests their metadata once, and audits the admin', async () => {
  await add(['https://youtu.be/ccccccccccc', 'https://youtu.be/ddddddddddd'], { artistName: ' Me ' })
  const added = await catalogue.events('catalogue.video.added.v1')
  expect(added.map((event) => event.data.video.youtubeId)).toEqual(
    expect.arrayContaining(['ccccccccccc', 'ddddddddddd']),
  )
  const requested = await catalogue.events('catalogue.metadata.requested.v1')
  expect(requested.at(-1)?.data).toEqual({ youtubeIds: ['ccccccccccc', 'ddddddddddd'], force: false })
  const audit = await catalogue.events('catalogue.audit.recorded.v1')
  expect(audit.at(-1)).toMatchObject({ actorId: catalogue.admin.id, data: { action: 'video.add' } })
  expect(added.at(-1)?.data.video.artistName).toBe('Me')
})

it('submits videos of users for review, skips their media URLs, and limits their number', async () => {
  const urls = ['https://youtu.be/eeeeeeeeeee', '/test-card/two.mp4']
  const { body } = await catalogue.call('POST', '/api/videos', { as: catalogue.user, body: { urls } })
  expect(body.lines[0].video).toMatchObject({ category: null, review: { state: 'submitted' } })
  expect(body.lines[1]).toMatchObject({ result: 'skipped', reason: 'not_a_video_url' })
  const many = Array.from({ length: 200 }, (_, n) => `https://youtu.be/limit${String(n).padStart(6, '0')}`)
  const refused = await catalogue.call('POST', '/api/videos', { as: catalogue.user, body: { urls: many } })
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  expect((await catalogue.call('POST', '/api/videos', { body: { urls } })).status).toBe(401)
})

it('adds a video once when several requests add it at the same time', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => add(['https://youtu.be/fffffffffff'])))
  expect(new Set(answers.map(({ body }) => body.lines[0].video.id)).size).toBe(1)
  expect(answers.filter(({ body }) => body.added === 1)).toHaveLength(1)
})

it('stores metadata from YouTube once, and keeps an artist that a user entered', async () => {
  const typed = (await add(['https://youtu.be/ggggggggggg'], { artistName: 'Typed' })).body.lines[0].video.id
  const untyped = await idOf('hhhhhhhhhhh')
  for (const youtubeId of ['ggggggggggg', 'hhhhhhhhhhh']) {
    await catalogue.publishEvent('metadata.video.resolved.v1', {
      youtubeId,
      title: `Title\u0000 of ${youtubeId}`,
      description: 'Words',
      thumbnailUrl: null,
      artistName: 'Channel',
      durationMs: 213_000,
      embeddable: true,
      regionBlocked: [],
    })
  }
  const [a, b] = await Promise.all(
    [typed, untyped].map(async (id) => (await catalogue.call('GET', `/api/videos/${id}`)).body),
  )
  expect(a).toMatchObject({ title: 'Title of ggggggggggg', artistName: 'Typed', duration: '3:33' })
  expect(b).toMatchObject({ artistName: 'Channel', durationAssumed: false, metadataStatus: 'resolved' })
  const updated = await catalogue.events('catalogue.video.updated.v1')
  expect(updated.filter((event) => event.aggregateId === untyped)).toHaveLength(1)
})

it('applies an event once when it is delivered twice', async () => {
  const id = await idOf('iiiiiiiiiii')
  const eventId = crypto.randomUUID()
  const quarantine = { videoId: id, channelId: 'default', reason: 'error 150' }
  await catalogue.publishEvent('stream.video.quarantined.v1', quarantine, eventId)
  const stored = await catalogue.db.selectFrom('inbox').selectAll().where('eventId', '=', eventId).execute()
  expect(stored).toHaveLength(1)
  // JetStream drops a duplicate message id; without a message id the duplicate reaches the inbox.
  const again = (await eventsOf(catalogue.nats, 'stream.video.quarantined.v1')).at(-1)
  await storeEvent(catalogue.nats, again!)
  await catalogue.service.processAll()
  const report = await catalogue.db.selectFrom('videoReports').selectAll().where('videoId', '=', id).execute()
  expect(report).toMatchObject([{ reportCount: 1, reason: 'error 150' }])
})

it('requests the metadata of a quarantined video again, and shows why it is unavailable', async () => {
  const id = await idOf('jjjjjjjjjjj')
  await catalogue.publishEvent('stream.video.quarantined.v1', {
    videoId: id,
    channelId: 'default',
    reason: 'error 101',
  })
  const requested = await catalogue.events('catalogue.metadata.requested.v1')
  expect(requested.at(-1)?.data).toEqual({ youtubeIds: ['jjjjjjjjjjj'], force: true })
  await catalogue.publishEvent('metadata.video.unavailable.v1', {
    youtubeId: 'jjjjjjjjjjj',
    reason: 'private',
  })
  expect((await catalogue.call('GET', `/api/videos/${id}`)).body).toMatchObject({
    metadataStatus: 'unavailable',
    unavailableReason: 'private',
  })
})

it('deletes the video reports of a deleted channel', async () => {
  const videoId = await idOf('channel1234')
  for (const channelId of ['stays', 'leaves']) {
    await catalogue.publishEvent('stream.video.quarantined.v1', { videoId, channelId, reason: 'error 5' })
  }
  await catalogue.publishEvent('stream.channel.deleted.v1', { channelId: 'leaves' })
  const reports = catalogue.db.selectFrom('videoReports').select('channelId').where('videoId', '=', videoId)
  expect(await reports.execute()).toEqual([{ channelId: 'stays' }])
})

it('stores a duration on which viewers agree, until metadata confirms one', async () => {
  const id = await idOf('kkkkkkkkkkk')
  await catalogue.publishEvent('stream.duration.learned.v1', { videoId: id, durationMs: 61_000 })
  const read = async () => (await catalogue.call('GET', `/api/videos/${id}`)).body
  expect(await read()).toMatchObject({ duration: '1:01', durationAssumed: true })
  await catalogue.publishEvent('stream.duration.learned.v1', { videoId: id, durationMs: 99_000 })
  expect(await read()).toMatchObject({ duration: '1:39', durationAssumed: true })
  await catalogue.publishEvent('metadata.video.resolved.v1', {
    youtubeId: 'kkkkkkkkkkk',
    title: 'Measured',
    description: null,
    thumbnailUrl: null,
    artistName: null,
    durationMs: 75_000,
    embeddable: true,
    regionBlocked: [],
  })
  await catalogue.publishEvent('stream.duration.learned.v1', { videoId: id, durationMs: 99_000 })
  expect(await read()).toMatchObject({ duration: '1:15', durationAssumed: false })
})

it('counts a view once in 30 seconds for each signed-in viewer', async () => {
  const id = await idOf('lllllllllll')
  const view = (as = catalogue.user) => catalogue.call('POST', `/api/videos/${id}/views`, { as })
  const answers = await Promise.all(Array.from({ length: 5 }, () => view()))
  expect(answers.filter(({ body }) => body.counted)).toHaveLength(1)
  expect((await view(catalogue.other)).body).toEqual({ viewCount: 2, counted: true })
  expect((await catalogue.call('POST', `/api/videos/${id}/views`)).status).toBe(401)
  await catalogue.db
    .updateTable('viewMarks')
    .set({ countedAt: new Date(Date.now() - 31_000) })
    .execute()
  expect((await view()).body).toEqual({ viewCount: 3, counted: true })
  await pruneViewMarks(catalogue.db, Date.now() + 61_000)
  expect(await catalogue.db.selectFrom('viewMarks').selectAll().execute()).toEqual([])
})

it('pages through every order without missing or repeating a video', async () => {
  for (const sort of ['newest', 'title', 'artist']) {
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const from: string = cursor === '' ? '' : `&cursor=${cursor}`
      const { body } = await catalogue.call('GET', `/api/videos?sort=${sort}&limit=3${from}`)
      seen.push(...body.items.map((video: { id: string }) => video.id))
      cursor = body.nextCursor
    }
    const { body } = await catalogue.call('GET', '/api/videos')
    expect(seen).toHaveLength(body.total)
    expect(new Set(seen).size).toBe(body.total)
  }
})

it('rejects invalid requests with a code', async () => {
  const { admin, user } = catalogue
  const forgedCursor = (key: unknown) => Buffer.from(JSON.stringify(key)).toString('base64url')
  const cases: [number, string, Parameters<CatalogueHarness['call']>][] = [
    [400, 'validation_failed', ['POST', '/api/videos', { as: admin, body: { urls: [] } }]],
    [400, 'validation_failed', ['POST', '/api/videos', { as: admin, body: { urls: ['x'], isPublic: true } }]],
    [400, 'validation_failed', ['GET', '/api/videos?limit=101']],
    [400, 'validation_failed', ['GET', '/api/videos/not-an-id']],
    [400, 'invalid_cursor', ['GET', `/api/videos?cursor=${forgedCursor(['now', 'x'])}`]],
    [400, 'invalid_cursor', ['GET', `/api/videos?cursor=${forgedCursor([9e15, crypto.randomUUID()])}`]],
    [
      400,
      'invalid_cursor',
      ['GET', `/api/videos?sort=title&cursor=${forgedCursor(['\0', crypto.randomUUID()])}`],
    ],
    [401, 'unauthorized', ['GET', '/api/videos?all=true']],
    [403, 'forbidden', ['GET', '/api/videos?all=true', { as: user }]],
    [403, 'forbidden', ['DELETE', '/api/videos', { as: user, body: { ids: [crypto.randomUUID()] } }]],
    [404, 'not_found', ['GET', `/api/videos/${crypto.randomUUID()}`]],
    [404, 'not_found', ['POST', `/api/videos/${crypto.randomUUID()}/views`, { as: user }]],
    [404, 'not_found', ['GET', '/internal/videos']],
  ]
  for (const [status, code, request] of cases) {
    expect({ request, answer: await catalogue.call(...request) }).toMatchObject({
      answer: { status, body: { code } },
    })
  }
})

it('moves and deletes videos, publishes and audits it, and updates the counts', async () => {
  const before = (await catalogue.call('GET', '/api/videos')).body.total
  const ids = (await add(['https://youtu.be/mmmmmmmmmmm', 'https://youtu.be/nnnnnnnnnnn'])).body.lines.map(
    (line: { video: { id: string } }) => line.video.id,
  )
  const body = { ids, category: 'Classics' }
  expect((await catalogue.call('POST', '/api/videos/move', { as: catalogue.admin, body })).body).toEqual({
    count: 2,
  })
  const classics = await catalogue.call('GET', '/api/videos?all=true&category=Classics', {
    as: catalogue.admin,
  })
  expect(classics.body).toMatchObject({ total: 2, items: [{ id: ids[1] }, { id: ids[0] }] })
  const removal = await catalogue.call('DELETE', '/api/videos', { as: catalogue.admin, body: { ids } })
  expect(removal.body).toEqual({ count: 2 })
  expect((await catalogue.call('GET', '/api/videos')).body.total).toBe(before)
  const removed = await catalogue.events('catalogue.video.removed.v1')
  expect(removed.map((event) => event.data.videoId).toSorted()).toEqual(ids.toSorted())
  const actions = (await catalogue.events('catalogue.audit.recorded.v1')).map((event) => event.data.action)
  expect(actions.slice(-2)).toEqual(['video.move', 'video.delete'])
})

it('asks the guard before deleting more than 20 videos at once, and deletes none if the guard is unreachable', async () => {
  const ids = Array.from({ length: 21 }, () => crypto.randomUUID())
  const answer = await catalogue.call('DELETE', '/api/videos', { as: catalogue.admin, body: { ids } })
  expect(answer).toMatchObject({ status: 503, body: { code: 'service_unavailable' } })
})

it('requests metadata of videos with the placeholder title, or of given videos, again', async () => {
  const id = await idOf('ooooooooooo')
  const { body } = await catalogue.call('POST', '/api/videos/update-metadata', {
    as: catalogue.admin,
    body: {},
  })
  expect(body.count).toBeGreaterThan(0)
  const one = { as: catalogue.admin, body: { ids: [id] } }
  expect((await catalogue.call('POST', '/api/videos/update-metadata', one)).body).toEqual({
    count: 1,
    youtubeIds: ['ooooooooooo'],
  })
  const requested = await catalogue.events('catalogue.metadata.requested.v1')
  expect(requested.at(-1)?.data).toEqual({ youtubeIds: ['ooooooooooo'], force: true })
})

it('looks up several videos at once, without deleted and private ones', async () => {
  const [shown, hidden] = await Promise.all([idOf('lookedupaaa'), idOf('lookedupbbb')])
  await catalogue.db.updateTable('videos').set({ isPublic: false }).where('id', '=', hidden).execute()
  const look = (ids: string[], as?: typeof catalogue.admin) =>
    catalogue.call('GET', `/api/videos/lookup?ids=${ids.join()}`, as === undefined ? {} : { as })
  const idsOf = (body: { items: { id: string }[] }) => body.items.map(({ id }) => id).toSorted()
  expect(idsOf((await look([shown, hidden, crypto.randomUUID()])).body)).toEqual([shown])
  expect(idsOf((await look([shown, hidden], catalogue.admin)).body)).toEqual([shown, hidden].toSorted())
  expect((await look(['nonsense'])).status).toBe(400)
  expect((await look(['-'.repeat(36)])).body.items).toEqual([])
  expect((await look(Array(101).fill(shown))).status).toBe(400)
})

it('keeps other URLs of admins unlisted and requests no metadata for them', async () => {
  const url = 'https://vimeo.com/76979871'
  const requests = async () => (await catalogue.events('catalogue.metadata.requested.v1')).length
  const before = await requests()
  expect((await add([url])).body.lines[0]).toMatchObject({ result: 'skipped', reason: 'not_a_video_url' })
  const { body } = await add([url, 'javascript:alert(1)'], { allowUnplayableUrls: true })
  expect(body.lines[1]).toMatchObject({ result: 'skipped', reason: 'not_a_video_url' })
  expect(body.lines[0]).toMatchObject({
    result: 'added',
    video: {
      title: url,
      videoUrl: url,
      youtubeId: null,
      metadataStatus: 'unavailable',
      unavailableReason: 'unsupported_address',
    },
  })
  const { id } = body.lines[0].video
  const contains = async (path: string) =>
    (await catalogue.call('GET', path, { as: catalogue.admin })).body.items.some(
      (video: { id: string }) => video.id === id,
    )
  expect([
    await contains('/api/videos'),
    await contains('/api/videos?q=vimeo'),
    await contains('/api/videos?all=true&q=vimeo'),
  ]).toEqual([false, false, true])
  expect(await requests()).toBe(before)
  const reminders = await catalogue.db
    .selectFrom('metadataReminders')
    .select('videoId')
    .where('videoId', '=', id)
    .execute()
  expect(reminders).toEqual([])
  const refused = await catalogue.call('POST', '/api/videos', {
    as: catalogue.user,
    body: { urls: ['https://vimeo.com/1'], allowUnplayableUrls: true },
  })
  expect(refused.body.lines[0].result).toBe('skipped')
})
