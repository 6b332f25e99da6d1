import type { TestUser } from '@looptide/testkit/identity'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pruneRejectedVideos } from '../src/features/submissions/rejected-videos.ts'
import { type Station, startCatalogue } from './_station.ts'

let station: Station
beforeAll(async () => {
  station = await startCatalogue()
})
afterAll(() => station.close())

const add = (youtubeIds: string[], as: TestUser, extra: object = {}) =>
  station.call('POST', '/api/videos', {
    as,
    body: { urls: youtubeIds.map((id) => `https://youtu.be/${id}`), ...extra },
  })
const idOf = async (youtubeId: string, as: TestUser = station.user): Promise<string> =>
  (await add([youtubeId], as)).body.lines[0].video.id
const get = async (id: string, as?: TestUser) =>
  station.call('GET', `/api/videos/${id}`, as === undefined ? {} : { as })
const accept = (ids: string[], extra: object = {}, as: TestUser = station.moderator) =>
  station.call('POST', '/api/submissions/accept', { as, body: { ids, category: 'Classics', ...extra } })
const reject = (ids: string[], reason: string) =>
  station.call('POST', '/api/submissions/reject', { as: station.moderator, body: { ids, reason } })
const list = async (query = '') =>
  (await station.call('GET', `/api/submissions?${query}`, { as: station.moderator })).body
const audits = async () => (await station.events('catalogue.audit.recorded.v1')).map((event) => event.data)

it('keeps a video that a new account adds from the home page, from search and from the scheduler', async () => {
  const added = await add(['strangeraaa'], station.user, { artistName: 'Stranger' })
  expect(added.body).toMatchObject({ added: 1, lines: [{ video: { review: { state: 'submitted' } } }] })
  const home = await station.call('GET', '/api/home')
  expect(JSON.stringify(home.body)).not.toContain('strangeraaa')
  const search = await station.call('GET', '/api/search?q=Stranger')
  expect(search.body).toEqual({ videos: [], artists: [] })
  expect(await station.events('catalogue.video.added.v1')).toEqual([])
})

it('refuses a category that somebody without curation rights sets, and adds nothing', async () => {
  for (const as of [station.user, station.moderator]) {
    const refused = await add(['strangerbbb'], as, { category: 'Must Watch' })
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  }
  expect((await add(['strangerbbb'], station.user)).body.lines[0].result).toBe('added')
})

it('takes no videos from a restricted account', async () => {
  const restriction = { userId: station.other.id, restrictionId: crypto.randomUUID() }
  const restrictionType = 'restricted' as const
  const restricted = { ...restriction, restrictionType, reason: 'spam', expiresAt: null }
  await station.tell('auth.user.restricted.v1', restricted)
  const refused = await add(['strangerccc'], station.other)
  expect(refused).toMatchObject({ status: 403, body: { code: 'user_restricted' } })
  await station.tell('auth.user.unrestricted.v1', { ...restriction, restrictionType })
  expect((await add(['strangerccc'], station.other)).status).toBe(200)
})

it('shows a video under review to its submitters and to moderators, and to nobody else', async () => {
  const id = await idOf('reviewedaaa')
  for (const as of [station.user, station.moderator, station.admin]) {
    const review = { state: 'submitted', reason: null }
    expect((await get(id, as)).body).toMatchObject({ youtubeId: 'reviewedaaa', review, isPublic: false })
  }
  expect((await get(id)).status).toBe(404)
  expect((await get(id, station.other)).status).toBe(404)
  // A second submitter cannot tell that the video was submitted before.
  const second = await add(['reviewedaaa'], station.other)
  expect(second.body).toMatchObject({ added: 1, lines: [{ result: 'added', video: { id } }] })
  expect((await get(id, station.other)).status).toBe(200)
  const again = await add(['reviewedaaa'], station.other)
  expect(again.body).toMatchObject({ added: 0, lines: [{ result: 'duplicate', video: { id } }] })
  const entry = (await list()).items.find((item: { video: { id: string } }) => item.video.id === id)
  expect(entry).toMatchObject({ submittedBy: station.user.id, submitterCount: 2, state: 'submitted' })
})

it('puts it into no playlist but its submitter’s, and counts no views of it', async () => {
  const id = await idOf('reviewedbbb')
  const keep = (as: TestUser) => station.call('PUT', `/api/playlists/default/videos/${id}`, { as })
  expect((await keep(station.user)).status).toBe(200)
  expect((await keep(station.other)).body.code).toBe('not_found')
  expect((await keep(station.admin)).body.code).toBe('conflict')
  const view = (as: TestUser) => station.call('POST', `/api/videos/${id}/views`, { as })
  expect((await view(station.user)).body).toEqual({ viewCount: 0, counted: false })
  expect((await view(station.other)).status).toBe(404)
  const curated = { videoId: id, sectionType: 'hero' }
  const home = await station.call('POST', '/api/curation', { as: station.admin, body: curated })
  expect(home).toMatchObject({ status: 409, body: { code: 'conflict' } })
})

it('tells moderators alone about its title, and viewers when it is accepted', async () => {
  const id = await idOf('reviewedccc')
  const facts = { description: null, thumbnailUrl: null, artistName: 'Somebody', durationMs: 200_000 }
  await station.tell('metadata.video.resolved.v1', {
    youtubeId: 'reviewedccc',
    title: 'Waiting',
    embeddable: true,
    regionBlocked: [],
    ...facts,
  })
  const named = async <T extends 'added' | 'updated'>(what: T) =>
    (await station.events(`catalogue.video.${what}.v1`)).filter((event) => event.aggregateId === id)
  expect(await named('updated')).toEqual([])
  const changed = await station.events('catalogue.submission.changed.v1')
  expect(changed.filter((event) => event.data.videoId === id)).toHaveLength(2)
  const before = (await station.call('GET', '/api/videos')).body.total
  expect((await accept([id])).body).toEqual({ decided: [id] })
  expect((await accept([id])).body).toEqual({ decided: [] })
  expect(await named('added')).toMatchObject([{ data: { video: { title: 'Waiting', isPublic: true } } }])
  expect((await named('added'))[0]?.data.video).not.toHaveProperty('review')
  const listed = (await station.call('GET', '/api/videos')).body
  expect([listed.total, listed.items[0]]).toMatchObject([before + 1, { id, category: 'Classics' }])
  expect((await station.call('GET', '/api/search?q=Somebody')).body).toMatchObject({
    videos: [{ id }],
    artists: [{ name: 'Somebody', videoCount: 1 }],
  })
  const decided = await station.events('catalogue.submission.decided.v1')
  expect(decided.at(-1)?.data).toEqual({
    videoId: id,
    state: 'accepted',
    reason: null,
    submitters: [station.user.id],
  })
  expect((await audits()).at(-1)).toMatchObject({
    action: 'video.accept',
    targetId: id,
    before: { state: 'submitted' },
    after: { state: 'accepted', category: 'Classics' },
    details: { videos: [{ id, title: 'Waiting' }] },
  })
})

it('asks the scheduler to put accepted videos on a channel, in the order of the request', async () => {
  const ids = [await idOf('reviewedddd'), await idOf('reviewedeee')].toReversed()
  expect((await accept(ids, { channelId: 'rock' })).body.decided).toEqual(ids)
  const airing = await station.events('catalogue.airing.requested.v1')
  expect(airing.map((event) => event.data)).toEqual([{ channelId: 'rock', videoIds: ids }])
})

it('keeps a rejected video rejected for later submitters and shows them the reason', async () => {
  const id = await idOf('reviewedfff')
  expect((await reject([id, crypto.randomUUID()], ' No music. ')).body).toEqual({ decided: [id] })
  expect((await reject([id], 'Again')).body).toEqual({ decided: [] })
  const review = { state: 'rejected', reason: 'No music.' }
  expect((await add(['reviewedfff'], station.user)).body.lines[0].video.review).toEqual(review)
  expect((await get(id, station.other)).status).toBe(404)
  expect((await add(['reviewedfff'], station.other)).body.lines[0].video.review).toEqual(review)
  const entry = (await list('state=rejected')).items[0]
  expect(entry).toMatchObject({ submitterCount: 2, decidedBy: station.moderator.id, reason: 'No music.' })
  expect((await audits()).at(-1)).toMatchObject({ action: 'video.reject', after: { reason: 'No music.' } })
  expect((await accept([id])).body.decided).toEqual([id])
  expect((await get(id)).body).not.toHaveProperty('review')
})

it('accepts what an admin adds while it waits', async () => {
  const id = await idOf('reviewedggg')
  const preview = { rows: [{ url: 'https://youtu.be/reviewedggg' }], dryRun: true }
  const dry = await station.call('POST', '/api/videos/import', { as: station.admin, body: preview })
  expect(dry.body.lines[0].result).toBe('added')
  const added = await add(['reviewedggg'], station.admin, { category: 'Must Watch' })
  expect(added.body).toMatchObject({ added: 1, lines: [{ result: 'added', video: { id, isPublic: true } }] })
  expect((await get(id)).body).toMatchObject({ category: 'Must Watch' })
  const accepted = (await list('state=accepted')).items[0]
  expect(accepted).toMatchObject({ video: { id }, decidedBy: station.admin.id, state: 'accepted' })
})

it('pages through what waits, oldest first, and through decisions, newest first', async () => {
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

it('lets each person have 50 videos wait, however many requests come at once', async () => {
  const person = await station.identity.createUser()
  const some = (n: number) =>
    Array.from({ length: 30 }, (_, k) => `many${String(n * 30 + k).padStart(7, '0')}`)
  const answers = await Promise.all([0, 1, 2].map((n) => add(some(n), person)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422])
  expect(answers.find(({ status }) => status === 422)?.body.code).toBe('unprocessable')
  const left = answers.flatMap(({ body }) => body.lines ?? []).map(({ video }) => video.id)
  expect((await reject(left.slice(0, 10), 'Noise')).body.decided).toHaveLength(10)
  expect((await add(some(3), person)).status).toBe(200)
})

it('forgets what only a deleted account submitted, and keeps what others did or what was decided', async () => {
  const person = await station.identity.createUser()
  const [alone, shared, accepted, rejected] = await Promise.all(
    ['deletedaaaa', 'deletedbbbb', 'deletedcccc', 'deleteddddd'].map((id) => idOf(id, person)),
  )
  await idOf('deletedbbbb', station.other)
  await accept([accepted!])
  await reject([rejected!], 'Noise')
  await station.tell('auth.user.deleted.v1', { userId: person.id })
  const statuses = await Promise.all(
    [alone, shared, accepted, rejected].map(async (id) => (await get(id!, station.moderator)).status),
  )
  expect(statuses).toEqual([404, 200, 200, 200])
  const entry = (await list('state=accepted')).items[0]
  expect(entry).toMatchObject({ video: { id: accepted }, submittedBy: null, submitterCount: 0 })
  const left = await station.db.selectFrom('submitters').selectAll().where('userId', '=', person.id).execute()
  expect(left).toEqual([])
})

it('deletes rejected videos after 30 days, except those in a playlist, and then takes them again', async () => {
  const person = await station.identity.createUser()
  const names = ['expiredaaaa', 'expiredbbbb', 'expiredcccc', 'expireddddd', 'expiredeeee']
  const ids = await Promise.all(names.map((name) => idOf(name, person)))
  const [kept = '', gone = '', recent = '', alsoGone = '', accepted = ''] = ids
  expect((await station.call('PUT', `/api/playlists/default/videos/${kept}`, { as: person })).status).toBe(
    200,
  )
  await reject([kept, gone, recent, alsoGone], 'Noise')
  await accept([accepted])
  for (const [days, some] of [
    [32, [kept]],
    [31, [gone, alsoGone, accepted]],
    [29, [recent]],
  ] as const)
    await station.db
      .updateTable('submissions')
      .set({ decidedAt: sql<Date>`now() - make_interval(days => ${days})` })
      .where('videoId', 'in', some)
      .execute()
  // In batches of one: the video that is kept does not hold up those behind it.
  await pruneRejectedVideos(station.db, new AbortController().signal, 1)
  const statuses = ids.map(async (id) => (await get(id, station.moderator)).status)
  expect(await Promise.all(statuses)).toEqual([200, 404, 200, 404, 200])
  const changed = await station.events('catalogue.submission.changed.v1')
  expect(
    changed
      .slice(-2)
      .map(({ data }) => data.videoId)
      .toSorted(),
  ).toEqual([gone, alsoGone].toSorted())
  const again = (await add(['expiredbbbb'], person)).body.lines[0].video
  expect(again.review.state).toBe('submitted')
  expect(again.id).not.toBe(gone)
})

it('is decided by moderators and admins alone', async () => {
  const id = await idOf('reviewedhhh')
  const body = { ids: [id], category: 'Classics' }
  for (const [as, status] of [
    [undefined, 401],
    [station.user, 403],
  ] as const) {
    const asked = as === undefined ? {} : { as }
    expect((await station.call('GET', '/api/submissions', asked)).status).toBe(status)
    expect((await station.call('POST', '/api/submissions/accept', { ...asked, body })).status).toBe(status)
    const refusal = { ids: [id], reason: 'No' }
    expect((await station.call('POST', '/api/submissions/reject', { ...asked, body: refusal })).status).toBe(
      status,
    )
  }
  expect((await accept([id], {}, station.admin)).body.decided).toEqual([id])
})

it('accepts the videos of exempt roles and accounts at once', async () => {
  const trusted = crypto.randomUUID()
  const own = await startCatalogue({
    SUBMISSION_EXEMPT_ROLES: 'moderator',
    SUBMISSION_EXEMPT_USERS: `${trusted}, ${crypto.randomUUID()}`,
  })
  const trustedPerson = await own.identity.createUser('user', { id: trusted })
  const urls = (id: string) => ({ body: { urls: [`https://youtu.be/${id}`] } })
  const waiting = (await own.call('POST', '/api/videos', { as: own.user, ...urls('exemptaaaaa') })).body
  expect(waiting.lines[0].video.review.state).toBe('submitted')
  for (const [as, id] of [
    [own.moderator, 'exemptbbbbb'],
    [trustedPerson, 'exemptaaaaa'],
  ] as const) {
    const { body } = await own.call('POST', '/api/videos', { as, ...urls(id) })
    expect(body.lines[0]).toMatchObject({ result: 'added', video: { isPublic: true } })
    expect(body.lines[0].video).toMatchObject({ category: 'YouTube Playlist' })
  }
  expect((await own.call('GET', '/api/videos')).body.total).toBe(2)
  await own.close()
})
