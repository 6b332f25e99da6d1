import {
  DeleteJobBody,
  EditJobBody,
  ImportJobBody,
  MoveJobBody,
  RestoreJobBody,
  VideoJob,
  VideoJobPage,
  VideoJobsQuery,
} from '../../http/video-jobs.ts'
import { IdParams } from '../../http/videos.ts'
import { operation } from '../../operation.ts'

/** Edits many videos in the background. `unprocessable` if the selection is empty. */
export const catalogueJobEdit = operation({
  name: 'catalogue.job.edit',
  summary: 'Start an edit of many videos',
  call: 'POST /api/videos/jobs/edit',
  audience: 'videos:edit',
  token: 'videos',
  // MAX_SELECTED_IDS ids.
  bodyBytes: 1_048_576,
  input: { body: EditJobBody },
  output: { 202: VideoJob },
})

export const catalogueJobMove = operation({
  name: 'catalogue.job.move',
  summary: 'Start to move many videos to a category',
  call: 'POST /api/videos/jobs/move',
  audience: 'videos:edit',
  token: 'videos',
  bodyBytes: 1_048_576,
  input: { body: MoveJobBody },
  output: { 202: VideoJob },
})

/** Deletes many videos in the background. More than 20 are a guarded action; every 500 count as one. */
export const catalogueJobDelete = operation({
  name: 'catalogue.job.delete',
  summary: 'Start to delete many videos',
  call: 'POST /api/videos/jobs/delete',
  audience: 'videos:edit',
  token: 'videos',
  bodyBytes: 1_048_576,
  input: { body: DeleteJobBody },
  output: { 202: VideoJob },
})

export const catalogueJobRestore = operation({
  name: 'catalogue.job.restore',
  summary: 'Start to restore many deleted videos',
  call: 'POST /api/videos/jobs/restore',
  audience: 'videos:edit',
  token: 'videos',
  bodyBytes: 1_048_576,
  input: { body: RestoreJobBody },
  output: { 202: VideoJob },
})

/** Adds many videos in the background. `unprocessable` if too many jobs are waiting. */
export const catalogueJobImport = operation({
  name: 'catalogue.job.import',
  summary: 'Start to import many videos',
  call: 'POST /api/videos/jobs/import',
  audience: 'videos:edit',
  token: 'videos',
  bodyBytes: 1_048_576,
  input: { body: ImportJobBody },
  output: { 202: VideoJob },
})

export const catalogueJobList = operation({
  name: 'catalogue.job.list',
  summary: 'List changes of many videos',
  call: 'GET /api/videos/jobs',
  audience: 'videos:edit',
  token: 'read',
  anonymous: 'allowed',
  input: { query: VideoJobsQuery },
  output: { 200: VideoJobPage },
})

export const catalogueJobGet = operation({
  name: 'catalogue.job.get',
  summary: 'Get a change of many videos',
  call: 'GET /api/videos/jobs/:id',
  audience: 'videos:edit',
  token: 'read',
  anonymous: 'allowed',
  input: { params: IdParams },
  output: { 200: VideoJob },
})

/** Ends a waiting job at once, and a running one after the batch that is under way. A finished job stays as it is. */
export const catalogueJobCancel = operation({
  name: 'catalogue.job.cancel',
  summary: 'Cancel a change of many videos',
  call: 'POST /api/videos/jobs/:id/cancel',
  audience: 'videos:edit',
  token: 'videos',
  input: { params: IdParams },
  output: { 200: VideoJob },
})

/** Starts a job that undoes another one. `conflict` if nothing of it can be undone. */
export const catalogueJobUndo = operation({
  name: 'catalogue.job.undo',
  summary: 'Start to undo a change of many videos',
  call: 'POST /api/videos/jobs/:id/undo',
  audience: 'videos:edit',
  token: 'videos',
  input: { params: IdParams },
  output: { 202: VideoJob },
})
