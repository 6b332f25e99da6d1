import { randomUUID } from 'node:crypto'
import { encodeCursor } from '@looptide/service-kit/cursor'
import { type PlannedDb, plannedDb } from '@looptide/testkit/query-plans'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CatalogueTrx, Database, Queries } from '../src/db/schema.ts'
import {
  countDeleted,
  findDeletedSame,
  forgetDeleted,
  listDeleted,
  moveBack,
  moveToDeleted,
  pruneDeleted,
  restorePlaylistItems,
} from '../src/features/deleted-videos/deleted-video-repository.ts'
import { countUnderReview, listItems } from '../src/features/playlists/playlist-repository.ts'
import { pruneBatch } from '../src/features/submissions/rejected-videos.ts'
import { forgetSubmitter, publishVideos, refuseVideos } from '../src/features/submissions/reviewed-videos.ts'
import {
  countSubmissions,
  countSubmitted,
  countWaiting,
  decideSubmissions,
  holdSubmissions,
  insertSubmitter,
  listSubmissions,
  lockSubmissions,
  submittedBy,
  submittersOf,
} from '../src/features/submissions/submission-repository.ts'
import {
  editedVideos,
  editRows,
  lockAccepted,
  pruneEdits,
  undoRows,
} from '../src/features/video-edits/bulk-edit-repository.ts'
import { listVideos } from '../src/features/videos/list-repository.ts'
import { type Station, startCatalogue } from './_station.ts'

let station: Station
let planned: PlannedDb<Database>
let db: Queries
const someone = randomUUID()
const ids = [randomUUID(), randomUUID()]
const playlistId = randomUUID()

// Many enough that reading a table from end to end is never the planner's choice.
beforeAll(async () => {
  station = await startCatalogue()
  planned = plannedDb<Database>(station.config.databaseUrl)
  db = planned.db
  await sql`
    insert into videos (id, title, artist_name, artist_given, duration_ms, duration_assumed, video_url, is_public,
      metadata_status, review_state)
    select gen_random_uuid(), 'Song ' || n, 'Artist ' || n % 500, true, 180000, false, 'https://m.example/' || n,
      n % 2 = 0, 'resolved', case when n % 2 = 1 then 'submitted' end
    from generate_series(1, 10000) n`.execute(db)
  await sql`
    insert into submissions (video_id, state, submitted_at, decided_by, decided_at)
    select id, case when review_state is null then 'accepted' else 'submitted' end, created_at,
      case when review_state is null then gen_random_uuid() end, case when review_state is null then now() end
    from videos`.execute(db)
  await sql`
    insert into submitters (user_id, video_id) select gen_random_uuid(), video_id from submissions`.execute(
    db,
  )
  await sql`
    insert into youtube_playlists (id, name, user_id)
    select case when n = 1 then ${playlistId}::uuid else gen_random_uuid() end, 'List', gen_random_uuid()
    from generate_series(1, 1000) n`.execute(db)
  await sql`
    insert into youtube_playlist_items (id, playlist_id, video_id, position)
    select gen_random_uuid(), p.id, v.id, 0
    from (select id, row_number() over () % 1000 as n from videos) v
    join (select id, row_number() over () - 1 as n from youtube_playlists) p on p.n = v.n`.execute(db)
  await sql`
    insert into deleted_videos select (d).*, now() from (
      select v as d from videos v where review_state is null limit 5000
    ) accepted`.execute(db)
  await sql`update deleted_videos set id = gen_random_uuid(), youtube_id = 'id' || substr(id::text, 1, 9),
    deleted_at = now() - make_interval(mins => (random() * 10000)::integer)`.execute(db)
  await sql`
    insert into deleted_playlist_items (id, playlist_id, video_id, position)
    select gen_random_uuid(), ${playlistId}, id, 0 from deleted_videos`.execute(db)
  await sql`
    insert into video_edits (edit_id, video_id, old_artist_name, old_artist_given, new_artist_name, new_artist_given)
    select gen_random_uuid(), id, 'a', true, 'b', true from videos`.execute(db)
  await sql`
    analyze deleted_videos, deleted_playlist_items, video_edits, videos, submissions, submitters, youtube_playlists, youtube_playlist_items`.execute(
    db,
  )
})
afterAll(async () => {
  await planned.stop()
  await station.close()
})

const rolledBack = (work: (trx: CatalogueTrx) => Promise<unknown>) => async (): Promise<void> => {
  const stop = new Error('rolled back')
  await planned.db
    .transaction()
    .execute(async (trx) => {
      await work(trx)
      throw stop
    })
    .catch((error: unknown) => {
      if (error !== stop) throw error
    })
}

it.each<[string, () => Promise<unknown>]>([
  ['what waits', () => listSubmissions(db, 'submitted', 10, undefined)],
  ['the page after it', () => listSubmissions(db, 'submitted', 10, encodeCursor([Date.now(), randomUUID()]))],
  ['what was accepted', () => listSubmissions(db, 'accepted', 10, undefined)],
  ['how much waits', () => countSubmissions(db, 'submitted', 1000)],
  ['what somebody submitted lately', () => countSubmitted(db, someone, new Date())],
  ['what of somebody’s waits', () => countWaiting(db, someone)],
  ['which of some videos somebody submitted', () => submittedBy(db, someone, ids)],
  ['who submitted some videos', () => submittersOf(db, ids)],
  ['a submission is held', rolledBack((trx) => holdSubmissions(trx, ids))],
  ['a person submits', rolledBack((trx) => insertSubmitter(trx, someone, ids))],
  ['submissions are locked', rolledBack((trx) => lockSubmissions(trx, ids, ['submitted', 'rejected']))],
  ['submissions are decided', rolledBack((trx) => decideSubmissions(trx, ids, 'accepted', someone))],
  ['videos are accepted', rolledBack((trx) => publishVideos(trx, ids, 'Classics'))],
  ['videos are rejected', rolledBack((trx) => refuseVideos(trx, ids, 'No'))],
  ['old rejected videos are pruned', rolledBack((trx) => pruneBatch(trx, undefined, 250))],
  ['a person is forgotten', rolledBack((trx) => forgetSubmitter(trx, someone, 100))],
  ['hidden entries of playlists', () => countUnderReview(db, someone, [playlistId])],
  [
    'entries of a playlist',
    () => listItems(db, playlistId, { limit: 100, includePrivate: false, includeReviewed: true }),
  ],
  ['what was deleted lately', () => listDeleted(db, 10, undefined)],
  [
    'the page of deleted videos after it',
    () => listDeleted(db, 10, encodeCursor([Date.now(), randomUUID()])),
  ],
  ['how much was deleted', () => countDeleted(db, 100)],
  ['deleted videos by address', () => findDeletedSame(db, ['abcdefghijk'], ['https://m.example/1'])],
  ['videos are deleted', rolledBack((trx) => moveToDeleted(trx, ids))],
  ['videos are restored', rolledBack((trx) => moveBack(trx, ids))],
  ['entries of restored videos', rolledBack((trx) => restorePlaylistItems(trx, ids, 1000))],
  ['videos are purged', rolledBack((trx) => forgetDeleted(trx, ids))],
  ['old deleted videos are purged', rolledBack((trx) => pruneDeleted(trx, 30, new AbortController().signal))],
  ['videos to be edited are locked', rolledBack((trx) => lockAccepted(trx, ids))],
  [
    'videos are edited',
    rolledBack(async (trx) => {
      const rows = await trx.selectFrom('videos').selectAll().orderBy('id').limit(3).execute()
      await editRows(trx, rows, { artistName: 'Somebody', artistGiven: true }, randomUUID())
    }),
  ],
  ['what an edit changed', () => editedVideos(db, someone, 500)],
  ['an edit is undone', rolledBack((trx) => undoRows(trx, ids, someone))],
  ['old edits are pruned', rolledBack((trx) => pruneEdits(trx, new AbortController().signal))],
  ['the library by time', () => listVideos(db, { sort: 'newest', includePrivate: true, limit: 100 })],
  ['the library by title', () => listVideos(db, { sort: 'title', includePrivate: true, limit: 100 })],
  ['viewers’ list by artist', () => listVideos(db, { sort: 'artist', includePrivate: false, limit: 100 })],
])('%s: no table is read from end to end', async (_what, work) => {
  const plan = await planned.plansOf(work)
  expect(plan).not.toMatch(
    /Seq Scan on (videos|submissions|submitters|youtube_playlist_items|youtube_playlists|artists|deleted_videos|deleted_playlist_items|video_edits)\b/,
  )
})

it('lists walk through accepted videos only, however many are under review', async () => {
  for (const [sort, index] of [
    ['newest', 'videos_accepted_newest'],
    ['title', 'videos_accepted_title'],
    ['artist', 'videos_accepted_artist'],
  ] as const) {
    expect(await planned.plansOf(() => listVideos(db, { sort, includePrivate: true, limit: 100 }))).toContain(
      index,
    )
  }
})
