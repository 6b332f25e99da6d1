import { type Static, Type } from 'typebox'
import { Instant, Nullable, Page, PageQuery, strict, Uuid, VideoCategory } from '../common.ts'
import { BulkFields } from './video-edits.ts'
import { ImportRow } from './video-import.ts'
import { ListVideosQuery } from './videos.ts'

/** Hours for which a finished job is listed and can be undone. */
export const JOB_HOURS = 24
/** Maximum ids of a selection: as many as fit into a request (1 MiB). Larger selections name a filter. */
export const MAX_SELECTED_IDS = 25_000
/** Maximum rows of an import. They must fit into a request (1 MiB), too. */
export const MAX_IMPORT_ROWS = 10_000
/** Videos that a job changes in one transaction. A cancelled job stops after at most this many. */
export const JOB_BATCH = 500

const Ids = Type.Array(Uuid, { maxItems: MAX_SELECTED_IDS, uniqueItems: true })

/**
 * The videos of a job: those that `GET /api/videos?all=true` lists with this filter when the job is started, without
 * those of `except`, and those of `ids`.
 */
export const VideoSelection = Type.Object(
  {
    ids: Type.Optional(Ids),
    filter: Type.Optional(
      Type.Object(
        {
          q: ListVideosQuery.properties.q,
          category: ListVideosQuery.properties.category,
          tag: ListVideosQuery.properties.tag,
        },
        strict,
      ),
    ),
    except: Type.Optional(Ids),
  },
  { ...strict, minProperties: 1 },
)
export type VideoSelection = Static<typeof VideoSelection>

/**
 * POST /api/videos/jobs/edit (admin): sets the same fields of many videos. POST /api/videos/edit-preview: what such a job
 * would change; nothing is written.
 */
export const EditJobBody = Type.Object({ videos: VideoSelection, fields: BulkFields }, strict)
export type EditJobBody = Static<typeof EditJobBody>

/** POST /api/videos/jobs/move (admin): moves many videos to a category. */
export const MoveJobBody = Type.Object({ videos: VideoSelection, category: VideoCategory }, strict)
export type MoveJobBody = Static<typeof MoveJobBody>

/** POST /api/videos/jobs/delete (admin): deletes many videos; they can be restored as single ones can. */
export const DeleteJobBody = Type.Object({ videos: VideoSelection }, strict)
export type DeleteJobBody = Static<typeof DeleteJobBody>

/** POST /api/videos/jobs/restore (admin): restores deleted videos. */
export const RestoreJobBody = Type.Object(
  { ids: Type.Array(Uuid, { minItems: 1, maxItems: MAX_SELECTED_IDS, uniqueItems: true }) },
  strict,
)
export type RestoreJobBody = Static<typeof RestoreJobBody>

/**
 * POST /api/videos/jobs/import (admin): adds one video per row, as `POST /api/videos/import` does. With
 * `allowUnplayableUrls` also URLs that no player supports.
 */
export const ImportJobBody = Type.Object(
  {
    rows: Type.Array(ImportRow, { minItems: 1, maxItems: MAX_IMPORT_ROWS }),
    allowUnplayableUrls: Type.Optional(Type.Boolean()),
  },
  strict,
)
export type ImportJobBody = Static<typeof ImportJobBody>

export const VideoJobKind = Type.Union([
  Type.Literal('import'),
  Type.Literal('edit'),
  Type.Literal('move'),
  Type.Literal('delete'),
  Type.Literal('restore'),
  Type.Literal('undo'),
])
export type VideoJobKind = Static<typeof VideoJobKind>

export const VideoJobState = Type.Union([
  Type.Literal('waiting'),
  Type.Literal('running'),
  Type.Literal('done'),
  Type.Literal('cancelled'),
  Type.Literal('failed'),
])
export type VideoJobState = Static<typeof VideoJobState>

/**
 * A change of many videos that the catalogue makes in the background, one job at a time, in batches of at most
 * {@link JOB_BATCH}.
 *
 * - `kind`: `undo` undoes the job `undoes`, whose kind is `undoesKind`.
 * - `state`: `failed` after an error that repeats; what was changed until then stays, and can be undone.
 * - `isCancelling`: it was cancelled and stops after the batch that is under way.
 * - `done`, `failed`: of `total` videos, those that are as they should be, and those that cannot be: deleted, under
 *   review, changed since the job to undo, or with a URL that was added again. Of an import, rows without the URL of a
 *   video. The rest remains.
 * - `changed`: those of `done` that the job has changed. Of an import, those that the library did not have.
 * - An undo of an import deletes what it has added, and an undo of a restoration what it has restored.
 * - `startedBy`: the user; null for the service key.
 * - `canUndo`: something that the job has changed can be undone, until {@link JOB_HOURS} after its end.
 * - `undoneBy`: the last job that undoes it.
 */
export const VideoJob = Type.Object({
  id: Uuid,
  kind: VideoJobKind,
  state: VideoJobState,
  isCancelling: Type.Boolean(),
  total: Type.Integer({ minimum: 0 }),
  done: Type.Integer({ minimum: 0 }),
  failed: Type.Integer({ minimum: 0 }),
  changed: Type.Integer({ minimum: 0 }),
  /** Of a move. */
  category: Nullable(VideoCategory),
  startedBy: Nullable(Uuid),
  cancelledBy: Nullable(Uuid),
  createdAt: Instant,
  startedAt: Nullable(Instant),
  finishedAt: Nullable(Instant),
  canCancel: Type.Boolean(),
  canUndo: Type.Boolean(),
  undoes: Nullable(Uuid),
  undoesKind: Nullable(VideoJobKind),
  undoneBy: Nullable(Uuid),
})
export type VideoJob = Static<typeof VideoJob>

/** GET /api/videos/jobs (admin): the jobs that are not finished, and those of the last {@link JOB_HOURS}, newest first. */
export const VideoJobsQuery = PageQuery
export const VideoJobPage = Page(VideoJob)
export type VideoJobPage = Static<typeof VideoJobPage>
