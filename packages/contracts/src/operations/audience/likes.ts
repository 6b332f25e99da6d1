import { ExportQuery, LikeExportPage } from '../../http/exports.ts'
import { LikePage, LikeResult, ListLikesQuery } from '../../http/likes.ts'
import { IdParams } from '../../http/videos.ts'
import { operation } from '../../operation.ts'

/** Idempotent: an account likes a video once. 404 for a video that is not in the public library. */
export const audienceLikeAdd = operation({
  name: 'audience.like.add',
  summary: 'Like a video',
  call: 'PUT /api/videos/:id/like',
  audience: 'user',
  token: 'session-only',
  anonymous: { purpose: 'like videos' },
  input: { params: IdParams },
  output: { 200: LikeResult },
})

export const audienceLikeRemove = operation({
  name: 'audience.like.remove',
  summary: 'Take a like back',
  call: 'DELETE /api/videos/:id/like',
  audience: 'user',
  token: 'session-only',
  anonymous: { purpose: 'like videos' },
  input: { params: IdParams },
  output: { 200: LikeResult },
})

export const audienceLikeList = operation({
  name: 'audience.like.list',
  summary: 'List the videos that the caller likes',
  call: 'GET /api/me/likes',
  audience: 'user',
  token: 'read',
  anonymous: 'allowed',
  input: { query: ListLikesQuery },
  output: { 200: LikePage },
})

export const audienceLikeExport = operation({
  name: 'audience.like.export',
  summary: 'Export the videos that the caller likes',
  call: 'GET /api/export/likes',
  audience: 'user',
  token: 'session-only',
  anonymous: 'allowed',
  perMinute: 60,
  input: { query: ExportQuery },
  output: { 200: LikeExportPage },
})
