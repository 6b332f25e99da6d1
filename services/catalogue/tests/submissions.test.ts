import type { TestUser } from '@looptide/testkit/identity'
import { until } from '@looptide/testkit/until'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pruneRejectedVideos } from '../src/features/submissions/rejected-videos.ts'
import { type CatalogueHarness, startCatalogue } from './_harness.ts'

let catalogue: CatalogueHarness
beforeAll(async () => {
  catalogue = await startCatalogue()
})
afterAll(() => catalogue.close())

const add = (youtubeIds: string[], as: TestUser, extra: object = {}) =>
  catalogue.call('POST', '/api/videos', {
    as,
    body: { urls: youtubeIds.map((id) => `https://youtu.be/${id}`), ...extra },
  })
const idOf = async (youtubeId: string, as: TestUser = catalogue.user): Promise<string> =>
  (await add([youtubeId], as)).body.lines[0].video.id
const get = async (id: string, as?: TestUser) =>
  catalogue.call('GET', `/api/videos/${id}`, as === undefined ? {} : { as })
const accept = (ids: string[], extra: object = {}, as: TestUser = catalogue.moderator) =>
  catalogue.call('POST', '/api/submissions/accept', { as, body: { ids, category: 'Classics', ...extra } })
const reject = (ids: string[], reason: string) =>
  catalogue.call('POST', '/api/submissions/reject', { as: catalogue.moderator, body: { ids, reason } })
const list = async (query = '') =>
  (await catalogue.call('GET', `/api/submissions?${query}`, { as: catalogue.moderator })).body
const audits = async () => (await catalogue.events('catalogue.audit.recorded.v1')).map((event) => event.data)

const resolve = (youtubeId: string, artistName: string) =>
  catalogue.publishEvent('metadata.video.resolved.v1', {
    youtubeId,
    title: 'Known',
    description: null,
    thumbnailUrl: null,
    artistName,
    durationMs: 200_000,
    embeddable: true,
    regionBlocked: [],
  })

it('excludes a video that a new account adds from the home page, search and the scheduler', async () => {
  const added = await add(['strangeraaa'], catalogue.user, { artistName: 'Stranger' })
  expect(added.body).toMatchObject({ added: 1, lines: [{ video: { review: { state: 'submitted' } } }] })
  const home = await catalogue.call('GET', '/api/home')
  expect(JSON.stringify(home.body)).not.toContain('strangeraaa')
  const search = await catalogue.call('GET', '/api/search?q=Stranger')
  expect(search.body).toEqual({ videos: [], artists: [] })
  expect(await catalogue.events('catalogue.video.added.v1')).toEqual([])
})

it('rejects a category from a user who is not an admin, and adds nothing', async () => {
  for (const as of [catalogue.user, catalogue.moderator]) {
    const refused = await add(['strangerbbb'], as, { category: 'Must Watch' })
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  }
  expect((await add(['strangerbbb'], catalogue.user)).body.lines[0].result).toBe('added')
})

it('rejects videos from a restricted account', async () => {
  const restriction = { userId: catalogue.other.id, restrictionId: crypto.randomUUID() }
  const restrictionType = 'restricted' as const
  const restricted = { ...restriction, restrictionType, reason: 'spam', expiresAt: null }
  await catalogue.publishEvent('auth.user.restricted.v1', restricted)
  const refused = await add(['strangerccc'], catalogue.other)
  expect(refused).toMatchObject({ status: 403, body: { code: 'user_restricted' } })
  await catalogue.publishEvent('auth.user.unrestricted.v1', { ...restriction, restrictionType })
  expect((await add(['strangerccc'], catalogue.other)).status).toBe(200)
})

it('shows a video under review to its submitters and moderators only', async () => {
  const id = await idOf('reviewedaaa')
  for (const as of [catalogue.user, catalogue.moderator, catalogue.admin]) {
    const review = { state: 'submitted', reason: null }
    expect((await get(id, as)).body).toMatchObject({ youtubeId: 'reviewedaaa', review, isPublic: false })
  }
  expect((await get(id)).status).toBe(404)
  expect((await get(id, catalogue.other)).status).toBe(404)
  // A second submitter cannot find out that the video was submitted before.
  const second = await add(['reviewedaaa'], catalogue.other)
  expect(second.body).toMatchObject({ added: 1, lines: [{ result: 'added', video: { id } }] })
  expect((await get(id, catalogue.other)).status).toBe(200)
  const again = await add(['reviewedaaa'], catalogue.other)
  expect(again.body).toMatchObject({ added: 0, lines: [{ result: 'duplicate', video: { id } }] })
  const entry = (await list()).items.find((item: { video: { id: string } }) => item.video.id === id)
  expect(entry).toMatchObject({ submittedBy: catalogue.user.id, submitterCount: 2, state: 'submitted' })
})

it('allows a video under review in playlists of its submitters only, and counts no views of it', async () => {
  const id = await idOf('reviewedbbb')
  const addToDefault = (as: TestUser) => catalogue.call('PUT', `/api/playlists/default/videos/${id}`, { as })
  expect((await addToDefault(catalogue.user)).status).toBe(200)
  expect((await addToDefault(catalogue.other)).body.code).toBe('not_found')
  expect((await addToDefault(catalogue.admin)).body.code).toBe('conflict')
  const view = (as: TestUser) => catalogue.call('POST', `/api/videos/${id}/views`, { as })
  expect((await view(catalogue.user)).body).toEqual({ viewCount: 0, counted: false })
  expect((await view(catalogue.other)).status).toBe(404)
  const curated = { videoId: id, sectionType: 'hero' }
  const home = await catalogue.call('POST', '/api/curation', { as: catalogue.admin, body: curated })
  expect(home).toMatchObject({ status: 409, body: { code: 'conflict' } })
})

it('notifies only moderators of changes under review, and publishes the video when it is accepted', async () => {
  const id = await idOf('reviewedccc')
  const facts = { description: null, thumbnailUrl: null, artistName: 'Somebody', durationMs: 200_000 }
  await catalogue.publishEvent('metadata.video.resolved.v1', {
    youtubeId: 'reviewedccc',
    title: 'Waiting',
    embeddable: true,
    regionBlocked: [],
    ...facts,
  })
  const named = async <T extends 'added' | 'updated'>(what: T) =>
    (await catalogue.events(`catalogue.video.${what}.v1`)).filter((event) => event.aggregateId === id)
  expect(await named('updated')).toEqual([])
  const changed = await catalogue.events('catalogue.submission.changed.v1')
  expect(changed.filter((event) => event.data.videoId === id)).toHaveLength(2)
  const before = (await catalogue.call('GET', '/api/videos')).body.total
  expect((await accept([id])).body).toEqual({ decided: [id] })
  expect((await accept([id])).body).toEqual({ decided: [] })
  expect(await named('added')).toMatchObject([{ data: { video: { title: 'Waiting', isPublic: true } } }])
  expect((await named('added'))[0]?.data.video).not.toHaveProperty('review')
  const listed = (await catalogue.call('GET', '/api/videos')).body
  expect([listed.total, listed.items[0]]).toMatchObject([before + 1, { id, category: 'Classics' }])
  expect((await catalogue.call('GET', '/api/search?q=Somebody')).body).toMatchObject({
    videos: [{ id }],
    artists: [{ name: 'Somebody', videoCount: 1 }],
  })
  const decided = await catalogue.events('catalogue.submission.decided.v1')
  expect(decided.at(-1)?.data).toEqual({
    videoId: id,
    state: 'accepted',
    reason: null,
    submitters: [catalogue.user.id],
  })
  expect((await audits()).at(-1)).toMatchObject({
    action: 'video.accept',
    targetId: id,
    before: { state: 'submitted' },
    after: { state: 'accepted', category: 'Classics' },
    details: { videos: [{ id, title: 'Waiting' }] },
  })
})

it('asks the scheduler to add accepted videos to a channel, in the order of the request', async () => {
  const ids = [await idOf('reviewedddd'), await idOf('reviewedeee')].toReversed()
  expect((await accept(ids, { channelId: 'rock' })).body.decided).toEqual(ids)
  const airing = await catalogue.events('catalogue.airing.requested.v1')
  expect(airing.map((event) => event.data)).toEqual([{ channelId: 'rock', videoIds: ids }])
})

it('a rejected video stays rejected for later submitters, who see the reason', async () => {
  const id = await idOf('reviewedfff')
  expect((await reject([id, crypto.randomUUID()], ' No music. ')).body).toEqual({ decided: [id] })
  expect((await reject([id], 'Again')).body).toEqual({ decided: [] })
  const review = { state: 'rejected', reason: 'No music.' }
  expect((await add(['reviewedfff'], catalogue.user)).body.lines[0].video.review).toEqual(review)
  expect((await get(id, catalogue.other)).status).toBe(404)
  expect((await add(['reviewedfff'], catalogue.other)).body.lines[0].video.review).toEqual(review)
  const entry = (await list('state=rejected')).items[0]
  expect(entry).toMatchObject({ submitterCount: 2, decidedBy: catalogue.moderator.id, reason: 'No music.' })
  expect((await audits()).at(-1)).toMatchObject({ action: 'video.reject', after: { reason: 'No music.' } })
  expect((await accept([id])).body.decided).toEqual([id])
  expect((await get(id)).body).not.toHaveProperty('review')
})

it('accept and reject of one submission exclude each other, whichever comes first', async () => {
  const blocked = (count: number) =>
    until(`${count} decisions wait`, async () => {
      const { rows } = await sql<{ waiting: number }>`select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(catalogue.db)
      return rows[0]?.waiting === count
    })
  for (const [name, order] of [
    ['raceaaaaaaa', ['reject', 'accept']],
    ['racebbbbbbb', ['accept', 'reject']],
  ] as const) {
    const id = await idOf(name)
    const answers: Promise<{ body: { decided: string[] } }>[] = []
    await catalogue.db.transaction().execute(async (trx) => {
      await trx.selectFrom('submissions').selectAll().where('videoId', '=', id).forUpdate().execute()
      for (const decision of order) {
        answers.push(decision === 'accept' ? accept([id]) : reject([id], 'Noise'))
        await blocked(answers.length)
      }
    })
    const decided = (await Promise.all(answers)).map(({ body }) => body.decided)
    expect([name, decided]).toEqual([name, [[id], []]])
    const { state } = await catalogue.db
      .selectFrom('submissions')
      .select('state')
      .where('videoId', '=', id)
      .executeTakeFirstOrThrow()
    expect(state).toBe(`${order[0]}ed`)
  }
})

it('submits while the search index is being written, which an acceptance of the same video may wait for', async () => {
  await catalogue.db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('catalogue.search_partitions'))`.execute(trx)
    expect((await add(['unindexedaa'], catalogue.user)).body).toMatchObject({ lines: [{ result: 'added' }] })
  })
})

it('does not accept a rejected video for a moderator who saw it undecided', async () => {
  const id = await idOf('raceccccccc')
  await reject([id], 'Noise')
  expect((await accept([id], { state: 'submitted' })).body.decided).toEqual([])
  expect((await accept([id], { state: 'rejected' })).body.decided).toEqual([id])
})

it('accepts a video under review when an admin adds it', async () => {
  const id = await idOf('reviewedggg')
  const preview = { rows: [{ url: 'https://youtu.be/reviewedggg' }], dryRun: true }
  const dry = await catalogue.call('POST', '/api/videos/import', { as: catalogue.admin, body: preview })
  expect(dry.body.lines[0].result).toBe('added')
  const added = await add(['reviewedggg'], catalogue.admin, { category: 'Must Watch' })
  expect(added.body).toMatchObject({ added: 1, lines: [{ result: 'added', video: { id, isPublic: true } }] })
  expect((await get(id)).body).toMatchObject({ category: 'Must Watch' })
  const accepted = (await list('state=accepted')).items[0]
  expect(accepted).toMatchObject({ video: { id }, decidedBy: catalogue.admin.id, state: 'accepted' })
})

it('publishes the values of the editor who adds a submitted video, and none of its submitter', async () => {
  const submitted = { artistName: 'Rude Artist', genre: 'Rude Genre' }
  const ids = ['replacedaaa', 'replacedbbb', 'replacedccc', 'replacedddd']
  await add(ids, catalogue.user, submitted)
  for (const youtubeId of ids.slice(0, 3)) await resolve(youtubeId, 'Artist of YouTube')
  await reject([await idOf('replacedccc')], 'Noise')
  const rows = [
    { url: 'https://youtu.be/replacedaaa', artistName: 'Editor', genre: 'Jazz', tags: ['live'] },
    { url: 'https://youtu.be/replacedbbb', startAtMs: 5000, endAtMs: 60_000 },
    { url: 'https://youtu.be/replacedccc', category: 'Must Watch' },
  ]
  const imported = { as: catalogue.admin, body: { rows, dryRun: false } }
  const { body } = await catalogue.call('POST', '/api/videos/import', imported)
  const added = await add(['replacedddd'], catalogue.admin, { genre: 'Soul' })
  const placeholder = { artistName: 'Unknown Artist', metadataStatus: 'pending' }
  expect([...body.lines, ...added.body.lines].map(({ video }) => video)).toMatchObject([
    { title: 'Known', artistName: 'Editor', genre: 'Jazz', tags: ['live'], metadataStatus: 'resolved' },
    { title: 'Known', genre: 'Music', tags: [], startAtMs: 5000, endAtMs: 60_000, ...placeholder },
    { title: 'Known', genre: 'Music', category: 'Must Watch', ...placeholder },
    { title: 'Loading...', genre: 'Soul', ...placeholder },
  ])
  const published = (await catalogue.events('catalogue.video.added.v1')).filter(({ data }) =>
    ids.includes(data.video.youtubeId ?? ''),
  )
  expect(published).toHaveLength(4)
  expect(JSON.stringify(published)).not.toContain('Rude')
  const requests = await catalogue.events('catalogue.metadata.requested.v1')
  const requested = requests.flatMap(({ data }) => data.youtubeIds).filter((id) => ids.includes(id))
  expect(requested.slice(4).toSorted()).toEqual(ids.slice(1))
  await resolve('replacedbbb', 'Artist of YouTube')
  expect((await get(await idOf('replacedbbb'))).body).toMatchObject({ artistName: 'Artist of YouTube' })
})

it('keeps the artist of the metadata and the tag of a followed list when an editor adds a submitted video', async () => {
  const id = await idOf('replacedeee')
  await resolve('replacedeee', 'Artist of YouTube')
  await catalogue.db
    .updateTable('videos')
    .set({ tags: ['From a list'] })
    .where('id', '=', id)
    .execute()
  const rows = [{ url: 'https://youtu.be/replacedeee', tags: ['live', 'from a LIST'] }]
  await catalogue.call('POST', '/api/videos/import', { as: catalogue.admin, body: { rows, dryRun: false } })
  const expected = {
    artistName: 'Artist of YouTube',
    metadataStatus: 'resolved',
    tags: ['live', 'from a LIST'],
  }
  expect((await get(id)).body).toMatchObject(expected)
})

it('pages through undecided submissions oldest first, and through decisions newest first', async () => {
  for (const [state, sorted] of [
    ['submitted', (times: string[]) => times.toSorted()],
    ['accepted', (times: string[]) => times.toSorted().toReversed()],
  ] as const) {
    const seen: { video: { id: string }; submittedAt: string; decidedAt: string }[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: { items: typeof seen; nextCursor: string | null } = await list(
        `state=${state}&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      )
      seen.push(...page.items)
      cursor = page.nextCursor
    }
    expect(seen.length).toBeGreaterThan(2)
    expect(new Set(seen.map((entry) => entry.video.id)).size).toBe((await list(`state=${state}`)).total)
    const times = seen.map((entry) => (state === 'submitted' ? entry.submittedAt : entry.decidedAt))
    expect(times).toEqual(sorted(times))
  }
})

it('limits a user to 50 undecided videos, also with concurrent requests', async () => {
  const user = await catalogue.identity.createUser()
  const some = (n: number) =>
    Array.from({ length: 30 }, (_, k) => `many${String(n * 30 + k).padStart(7, '0')}`)
  const answers = await Promise.all([0, 1, 2].map((n) => add(some(n), user)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422])
  expect(answers.find(({ status }) => status === 422)?.body.code).toBe('unprocessable')
  const left = answers.flatMap(({ body }) => body.lines ?? []).map(({ video }) => video.id)
  expect((await reject(left.slice(0, 10), 'Noise')).body.decided).toHaveLength(10)
  expect((await add(some(3), user)).status).toBe(200)
})

it('deletes undecided videos that only a deleted account submitted, and keeps shared and decided ones', async () => {
  const user = await catalogue.identity.createUser()
  const [single, shared, accepted, rejected] = await Promise.all(
    ['deletedaaaa', 'deletedbbbb', 'deletedcccc', 'deleteddddd'].map((id) => idOf(id, user)),
  )
  await idOf('deletedbbbb', catalogue.other)
  await accept([accepted!])
  await reject([rejected!], 'Noise')
  await catalogue.publishEvent('auth.user.deleted.v1', { userId: user.id })
  const statuses = await Promise.all(
    [single, shared, accepted, rejected].map(async (id) => (await get(id!, catalogue.moderator)).status),
  )
  expect(statuses).toEqual([404, 200, 200, 200])
  const entry = (await list('state=accepted')).items[0]
  expect(entry).toMatchObject({ video: { id: accepted }, submittedBy: null, submitterCount: 0 })
  const left = await catalogue.db.selectFrom('submitters').selectAll().where('userId', '=', user.id).execute()
  expect(left).toEqual([])
})

it('deletes rejected videos after 30 days, except those in a playlist, and then accepts new submissions', async () => {
  const user = await catalogue.identity.createUser()
  const names = ['expiredaaaa', 'expiredbbbb', 'expiredcccc', 'expireddddd', 'expiredeeee']
  const ids = await Promise.all(names.map((name) => idOf(name, user)))
  const [kept = '', expired = '', recent = '', otherExpired = '', accepted = ''] = ids
  expect((await catalogue.call('PUT', `/api/playlists/default/videos/${kept}`, { as: user })).status).toBe(
    200,
  )
  await reject([kept, expired, recent, otherExpired], 'Noise')
  await accept([accepted])
  for (const [days, some] of [
    [32, [kept]],
    [31, [expired, otherExpired, accepted]],
    [29, [recent]],
  ] as const)
    await catalogue.db
      .updateTable('submissions')
      .set({ decidedAt: sql<Date>`now() - make_interval(days => ${days})` })
      .where('videoId', 'in', some)
      .execute()
  // With batches of one, the kept video must not block the following ones.
  await pruneRejectedVideos(catalogue.db, new AbortController().signal, 1)
  const statuses = ids.map(async (id) => (await get(id, catalogue.moderator)).status)
  expect(await Promise.all(statuses)).toEqual([200, 404, 200, 404, 200])
  const changed = await catalogue.events('catalogue.submission.changed.v1')
  expect(
    changed
      .slice(-2)
      .map(({ data }) => data.videoId)
      .toSorted(),
  ).toEqual([expired, otherExpired].toSorted())
  const again = (await add(['expiredbbbb'], user)).body.lines[0].video
  expect(again.review.state).toBe('submitted')
  expect(again.id).not.toBe(expired)
})

it('lists to each submitter what was submitted, with the decision, latest first and page by page', async () => {
  const person = await catalogue.identity.createUser()
  const own = async (query: string, as: TestUser = person) =>
    (await catalogue.call('GET', `/api/submissions/own?${query}`, { as })).body
  expect(await own('')).toEqual({ items: [], nextCursor: null })

  const waiting = await idOf('ownwaitinga', person)
  const refused = await idOf('ownrefuseda', person)
  const taken = await idOf('owntakenaaa', person)
  await catalogue.call('POST', '/api/videos', {
    as: catalogue.other,
    body: { urls: ['https://youtu.be/ownwaitinga'] },
  })
  await reject([refused], 'Too loud')
  await accept([taken])
  const states = (items: { video: { id: string }; state: string; reason: string | null }[]) =>
    items.map(({ video, state, reason }) => [video.id, state, reason])
  const first = await own('limit=2')
  expect(states(first.items)).toEqual([
    [taken, 'accepted', null],
    [refused, 'rejected', 'Too loud'],
  ])
  expect(first.items[0].decidedAt).not.toBeNull()
  const second = await own(`limit=2&cursor=${first.nextCursor}`)
  expect(states(second.items)).toEqual([[waiting, 'submitted', null]])
  expect(second.items[0].decidedAt).toBeNull()
  expect(second.nextCursor).toBeNull()
  // Another submitter of the same video sees only that one.
  expect((await own('', catalogue.other)).items[0].video.id).toBe(waiting)
  expect((await catalogue.call('GET', '/api/submissions/own')).status).toBe(401)
})

it('lets only moderators and admins decide submissions', async () => {
  const id = await idOf('reviewedhhh')
  const body = { ids: [id], category: 'Classics' }
  for (const [as, status] of [
    [undefined, 401],
    [catalogue.user, 403],
  ] as const) {
    const options = as === undefined ? {} : { as }
    expect((await catalogue.call('GET', '/api/submissions', options)).status).toBe(status)
    expect((await catalogue.call('POST', '/api/submissions/accept', { ...options, body })).status).toBe(
      status,
    )
    const rejection = { ids: [id], reason: 'No' }
    expect(
      (await catalogue.call('POST', '/api/submissions/reject', { ...options, body: rejection })).status,
    ).toBe(status)
  }
  expect((await accept([id], {}, catalogue.admin)).body.decided).toEqual([id])
})

it('accepts videos of exempt roles and accounts without review', async () => {
  const trusted = crypto.randomUUID()
  const own = await startCatalogue({
    SUBMISSION_EXEMPT_ROLES: 'moderator',
    SUBMISSION_EXEMPT_USERS: `${trusted}, ${crypto.randomUUID()}`,
  })
  const trustedUser = await own.identity.createUser('user', { id: trusted })
  const urls = (id: string) => ({ body: { urls: [`https://youtu.be/${id}`] } })
  const waiting = (await own.call('POST', '/api/videos', { as: own.user, ...urls('exemptaaaaa') })).body
  expect(waiting.lines[0].video.review.state).toBe('submitted')
  for (const [as, id] of [
    [own.moderator, 'exemptbbbbb'],
    [trustedUser, 'exemptaaaaa'],
  ] as const) {
    const { body } = await own.call('POST', '/api/videos', { as, ...urls(id) })
    expect(body.lines[0]).toMatchObject({ result: 'added', video: { isPublic: true } })
    expect(body.lines[0].video).toMatchObject({ category: 'YouTube Playlist' })
  }
  expect((await own.call('GET', '/api/videos?all=true', { as: own.admin })).body.total).toBe(2)
  await own.close()
})
