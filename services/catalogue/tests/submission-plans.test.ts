import { randomUUID } from 'node:crypto'
import { FIRST_ID } from '@looptide/service-kit/db/ids'
import { encodeCursor } from '@looptide/service-kit/http/cursor'
import { type PlannedDb, plannedDb } from '@looptide/testkit/query-plans'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CatalogueTrx, Database, Queries } from '../src/db/schema.ts'
import {
  countDeleted,
  deletedByJob,
  findDeletedBySource,
  listDeleted,
  moveBack,
  moveToDeleted,
  pruneDeleted,
  purgeDeleted,
  restorePlaylistItems,
} from '../src/features/deleted-videos/deleted-video-repository.ts'
import { entriesOf, playlistsOf, videosOf } from '../src/features/export/export-repository.ts'
import { countUnderReview, listItems } from '../src/features/playlists/playlist-repository.ts'
import { listOwnSubmissions } from '../src/features/submissions/own-submission-repository.ts'
import { pruneBatch } from '../src/features/submissions/rejected-videos.ts'
import {
  deleteSubmitter,
  publishVideos,
  rejectVideos,
} from '../src/features/submissions/reviewed-video-repository.ts'
import {
  countSubmissions,
  countSubmitted,
  countUndecided,
  decideSubmissions,
  insertSubmitter,
  listSubmissions,
  lockSubmissions,
  shareLockSubmissions,
  statesOf,
  submittedBy,
  submittersOf,
} from '../src/features/submissions/submission-repository.ts'
import {
  countEdits,
  editedVideos,
  editRows,
  lockAccepted,
  pruneEdits,
  undoRows,
  videosBeforeEdit,
} from '../src/features/video-edits/bulk-edit-repository.ts'
import { countUpTo, listVideos } from '../src/features/videos/list-repository.ts'
import { listTags } from '../src/features/videos/tag-repository.ts'
import { type CatalogueHarness, startCatalogue } from './_harness.ts'

let catalogue: CatalogueHarness
let planned: PlannedDb<Database>
let db: Queries
const userId = randomUUID()
const ids = [randomUUID(), randomUUID()]
const playlistId = randomUUID()

// Enough rows that the planner never chooses a sequential scan.
beforeAll(async () => {
  catalogue = await startCatalogue()
  planned = plannedDb<Database>(catalogue.config.databaseUrl)
  db = planned.db
  await sql`
    insert into videos (id, title, artist_name, artist_given, duration_ms, duration_assumed, video_url, is_public,
      metadata_status, review_state)
    select gen_random_uuid(), 'Song ' || n, 'Artist ' || n % 500, true, 180000, false, 'https://m.example/' || n,
      n % 2 = 0, 'resolved', case when n % 2 = 1 then 'submitted' end
    from generate_series(1, 10000) n`.execute(db)
  await sql`update videos set tags = array['common'] where title like 'Song %2'`.execute(db)
  await sql`update videos set tags = array['common', 'Rare'] where title like 'Song 1232'`.execute(db)
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
    insert into deleted_videos
    select (jsonb_populate_record(null::deleted_videos, to_jsonb(accepted) || jsonb_build_object('deleted_at', now()))).*
    from (select * from videos where review_state is null limit 5000) accepted`.execute(db)
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
  await catalogue.close()
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
  ['list undecided submissions', () => listSubmissions(db, 'submitted', 10, undefined)],
  [
    'list the next page of undecided submissions',
    () => listSubmissions(db, 'submitted', 10, encodeCursor([Date.now(), randomUUID()])),
  ],
  ['list accepted submissions', () => listSubmissions(db, 'accepted', 10, undefined)],
  ['count undecided submissions', () => countSubmissions(db, 'submitted', 1000)],
  ['count recent submissions of a user', () => countSubmitted(db, userId, new Date())],
  ['count undecided submissions of a user', () => countUndecided(db, userId)],
  ['list the submissions of a user', () => listOwnSubmissions(db, userId, 10, undefined)],
  [
    'list the next page of submissions of a user',
    () => listOwnSubmissions(db, userId, 10, encodeCursor([Date.now(), randomUUID()])),
  ],
  ['find videos that a user submitted', () => submittedBy(db, userId, ids)],
  ['find the submitters of videos', () => submittersOf(db, ids)],
  ['lock submissions for share', rolledBack((trx) => shareLockSubmissions(trx, ids))],
  ['insert a submitter', rolledBack((trx) => insertSubmitter(trx, userId, ids))],
  ['read the states of submissions', () => statesOf(db, ids)],
  ['lock submissions', rolledBack((trx) => lockSubmissions(trx, ids, ['submitted', 'rejected']))],
  ['decide submissions', rolledBack((trx) => decideSubmissions(trx, ids, 'accepted', userId))],
  ['publish accepted videos', rolledBack((trx) => publishVideos(trx, ids, 'Classics'))],
  ['reject videos', rolledBack((trx) => rejectVideos(trx, ids, 'No'))],
  ['prune old rejected videos', rolledBack((trx) => pruneBatch(trx, undefined, 250))],
  ['delete a submitter', rolledBack((trx) => deleteSubmitter(trx, userId, 100))],
  ['count playlist items under review', () => countUnderReview(db, userId, [playlistId])],
  [
    'list the items of a playlist',
    () => listItems(db, playlistId, { limit: 100, includePrivate: false, isOwner: true }),
  ],
  ['export the playlists of a user', () => playlistsOf(db, userId, FIRST_ID)],
  ['export the entries of playlists', () => entriesOf(db, ids)],
  ['export the videos of a user', () => videosOf(db, userId, FIRST_ID)],
  ['list deleted videos', () => listDeleted(db, 10, undefined)],
  [
    'list the next page of deleted videos',
    () => listDeleted(db, 10, encodeCursor([Date.now(), randomUUID()])),
  ],
  ['count deleted videos', () => countDeleted(db, 100)],
  ['find deleted videos by source', () => findDeletedBySource(db, ['abcdefghijk'], ['https://m.example/1'])],
  ['delete videos', rolledBack((trx) => moveToDeleted(trx, ids, userId))],
  ['restore videos', rolledBack((trx) => moveBack(trx, ids))],
  ['restore playlist items', rolledBack((trx) => restorePlaylistItems(trx, ids, 1000))],
  ['purge videos', rolledBack((trx) => purgeDeleted(trx, ids))],
  ['prune old deleted videos', rolledBack((trx) => pruneDeleted(trx, 30, new AbortController().signal))],
  ['lock accepted videos', rolledBack((trx) => lockAccepted(trx, ids))],
  [
    'edit videos',
    rolledBack(async (trx) => {
      const rows = await trx.selectFrom('videos').selectAll().orderBy('id').limit(3).execute()
      const edits = rows.map((before) => ({
        before,
        after: { ...before, artistName: 'Somebody', tags: ['live'] },
      }))
      await editRows(trx, edits, randomUUID())
    }),
  ],
  ['list edited videos', () => editedVideos(db, userId, 500)],
  ['count edited videos', () => countEdits(db, userId)],
  ['list videos before an edit', () => videosBeforeEdit(db, userId, 100)],
  ['list videos deleted by a job', () => deletedByJob(db, userId, 500)],
  ['undo an edit', rolledBack((trx) => undoRows(trx, ids, userId))],
  ['prune old edits', rolledBack((trx) => pruneEdits(trx, new AbortController().signal))],
  [
    'list videos with a tag',
    () => listVideos(db, { sort: 'title', tag: 'Rare', includePrivate: true, limit: 100 }),
  ],
  ['count videos with a tag', () => countUpTo(db, { tag: 'Rare', includePrivate: true }, 1001)],
  ['list tags', () => listTags(db)],
  ['list the library by time', () => listVideos(db, { sort: 'newest', includePrivate: true, limit: 100 })],
  ['list the library by title', () => listVideos(db, { sort: 'title', includePrivate: true, limit: 100 })],
  [
    'list listed videos by artist',
    () => listVideos(db, { sort: 'artist', includePrivate: false, limit: 100 }),
  ],
])('%s: uses no sequential scan', async (_what, work) => {
  const plan = await planned.plansOf(work)
  expect(plan).not.toMatch(
    /Seq Scan on (videos|submissions|submitters|youtube_playlist_items|youtube_playlists|artists|deleted_videos|deleted_playlist_items|video_edits)\b/,
  )
})

it('a rare tag is found by its index', async () => {
  const list = { sort: 'title', tag: 'Rare', includePrivate: true, limit: 100 } as const
  expect(await planned.plansOf(() => listVideos(db, list))).toContain('videos_given_tags')
})

it('lists use the indexes of accepted videos only', async () => {
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
