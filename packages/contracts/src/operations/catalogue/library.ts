import {
  FollowedList,
  FollowedLists,
  FollowListBody,
  UpdateFollowedListBody,
} from '../../http/followed-lists.ts'
import {
  AcceptSubmissionsBody,
  DecideSubmissionsResult,
  ListOwnSubmissionsQuery,
  ListSubmissionsQuery,
  OwnSubmissionPage,
  RejectSubmissionsBody,
  SubmissionPage,
} from '../../http/submissions.ts'
import { CreateFilterBody, SavedFilter, SavedFilterList, UpdateFilterBody } from '../../http/video-filters.ts'
import { IdParams } from '../../http/videos.ts'
import { operation } from '../../operation.ts'

export const catalogueSubmissionList = operation({
  name: 'catalogue.submission.list',
  summary: 'List submitted videos',
  call: 'GET /api/submissions',
  audience: 'submissions:review',
  token: 'read',
  anonymous: 'allowed',
  input: { query: ListSubmissionsQuery },
  output: { 200: SubmissionPage },
})

/** What became of the videos that the caller submitted. Deleted videos are omitted. */
export const catalogueSubmissionListOwn = operation({
  name: 'catalogue.submission.list_own',
  summary: 'List the videos that the caller submitted',
  call: 'GET /api/submissions/own',
  audience: 'user',
  token: 'read',
  anonymous: 'allowed',
  input: { query: ListOwnSubmissionsQuery },
  output: { 200: OwnSubmissionPage },
})

/** Accepts videos into the library and, with `channelId`, onto a channel. */
export const catalogueSubmissionAccept = operation({
  name: 'catalogue.submission.accept',
  summary: 'Accept submitted videos',
  call: 'POST /api/submissions/accept',
  audience: 'submissions:review',
  token: 'moderation',
  input: { body: AcceptSubmissionsBody },
  output: { 200: DecideSubmissionsResult },
})

export const catalogueSubmissionReject = operation({
  name: 'catalogue.submission.reject',
  summary: 'Reject submitted videos',
  call: 'POST /api/submissions/reject',
  audience: 'submissions:review',
  token: 'moderation',
  input: { body: RejectSubmissionsBody },
  output: { 200: DecideSubmissionsResult },
})

export const catalogueVideoFilterList = operation({
  name: 'catalogue.video_filter.list',
  summary: 'List saved filters of the library',
  call: 'GET /api/videos/filters',
  audience: 'videos:edit',
  token: 'read',
  anonymous: 'allowed',
  output: { 200: SavedFilterList },
})

export const catalogueVideoFilterCreate = operation({
  name: 'catalogue.video_filter.create',
  summary: 'Save a filter of the library',
  call: 'POST /api/videos/filters',
  audience: 'videos:edit',
  token: 'videos',
  input: { body: CreateFilterBody },
  output: { 201: SavedFilter },
})

export const catalogueVideoFilterUpdate = operation({
  name: 'catalogue.video_filter.update',
  summary: 'Rename or replace a saved filter',
  call: 'PATCH /api/videos/filters/:id',
  audience: 'videos:edit',
  token: 'videos',
  input: { params: IdParams, body: UpdateFilterBody },
  output: { 200: SavedFilter },
})

export const catalogueVideoFilterDelete = operation({
  name: 'catalogue.video_filter.delete',
  summary: 'Delete a saved filter',
  call: 'DELETE /api/videos/filters/:id',
  audience: 'videos:edit',
  token: 'videos',
  input: { params: IdParams },
  output: { 204: null },
})

export const catalogueFollowedListList = operation({
  name: 'catalogue.followed_list.list',
  summary: 'List the followed YouTube playlists and channels',
  call: 'GET /api/followed-lists',
  audience: 'videos:edit',
  token: 'read',
  anonymous: 'allowed',
  output: { 200: FollowedLists },
})

export const catalogueFollowedListCreate = operation({
  name: 'catalogue.followed_list.create',
  summary: 'Follow a YouTube playlist or channel',
  call: 'POST /api/followed-lists',
  audience: 'videos:edit',
  token: 'videos',
  input: { body: FollowListBody },
  output: { 201: FollowedList },
})

export const catalogueFollowedListUpdate = operation({
  name: 'catalogue.followed_list.update',
  summary: 'Change, pause or resume a followed list',
  call: 'PATCH /api/followed-lists/:id',
  audience: 'videos:edit',
  token: 'videos',
  input: { params: IdParams, body: UpdateFollowedListBody },
  output: { 200: FollowedList },
})

export const catalogueFollowedListDelete = operation({
  name: 'catalogue.followed_list.delete',
  summary: 'Stop following a list',
  call: 'DELETE /api/followed-lists/:id',
  audience: 'videos:edit',
  token: 'videos',
  input: { params: IdParams },
  output: { 204: null },
})

export const catalogueFollowedListCheck = operation({
  name: 'catalogue.followed_list.check',
  summary: 'Check a followed list now',
  call: 'POST /api/followed-lists/:id/check',
  audience: 'videos:edit',
  token: 'videos',
  input: { params: IdParams },
  output: { 200: FollowedList },
})
