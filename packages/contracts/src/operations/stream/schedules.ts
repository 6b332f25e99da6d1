import { Type } from 'typebox'
import { ChannelParams } from '../../http/channels.ts'
import {
  EndSubmissionBody,
  MAX_SCHEDULE_BYTES,
  PublishBody,
  PublishedSchedule,
  PublishPreview,
  PublishPreviewBody,
  PublishResult,
  ScheduleDraft,
  SchedulePreview,
  SchedulePreviewBody,
  ScheduleRemoval,
  ScheduleVersionDocument,
  ScheduleVersionPage,
  ScheduleVersionParams,
  ScheduleVersionsQuery,
  SourcePreview,
  SourcePreviewBody,
  SubmitDraftBody,
} from '../../http/schedules.ts'
import { operation } from '../../operation.ts'

export const streamScheduleGet = operation({
  name: 'stream.schedule.get',
  summary: 'Get the schedule of a channel',
  call: 'GET /api/channels/:id/schedule',
  audience: 'schedules:edit',
  token: 'read',
  anonymous: 'allowed',
  input: { params: ChannelParams },
  output: { 200: PublishedSchedule },
})

export const streamScheduleRemove = operation({
  name: 'stream.schedule.remove',
  summary: 'Let a channel repeat its playlist again',
  call: 'DELETE /api/channels/:id/schedule',
  audience: 'schedules:edit',
  token: 'schedules',
  input: { params: ChannelParams },
  output: { 200: ScheduleRemoval },
})

export const streamScheduleDraftGet = operation({
  name: 'stream.schedule.draft.get',
  summary: 'Get the draft of a schedule',
  call: 'GET /api/channels/:id/schedule/draft',
  audience: 'schedules:edit',
  token: 'read',
  anonymous: 'allowed',
  versioned: ['ETag'],
  input: { params: ChannelParams },
  output: { 200: ScheduleDraft },
})

export const streamScheduleDraftSave = operation({
  name: 'stream.schedule.draft.save',
  summary: 'Save the draft of a schedule',
  call: 'PUT /api/channels/:id/schedule/draft',
  audience: 'schedules:edit',
  token: 'schedules',
  versioned: ['ETag', 'If-Match'],
  bodyBytes: MAX_SCHEDULE_BYTES,
  input: { params: ChannelParams, body: Type.Unknown() },
  output: { 200: ScheduleDraft },
})

export const streamScheduleDraftDiscard = operation({
  name: 'stream.schedule.draft.discard',
  summary: 'Discard the draft of a schedule',
  call: 'DELETE /api/channels/:id/schedule/draft',
  audience: 'schedules:edit',
  token: 'schedules',
  versioned: ['If-Match'],
  input: { params: ChannelParams },
  output: { 204: null },
})

export const streamScheduleDraftSubmit = operation({
  name: 'stream.schedule.draft.submit',
  summary: 'Submit the draft of a schedule for approval',
  call: 'PUT /api/channels/:id/schedule/draft/submission',
  audience: 'schedules:edit',
  token: 'schedules',
  versioned: ['ETag', 'If-Match'],
  input: { params: ChannelParams, body: SubmitDraftBody },
  output: { 200: ScheduleDraft },
})

export const streamScheduleDraftWithdraw = operation({
  name: 'stream.schedule.draft.withdraw',
  summary: 'Withdraw a submitted draft of a schedule, or send it back',
  call: 'DELETE /api/channels/:id/schedule/draft/submission',
  audience: 'schedules:edit',
  token: 'schedules',
  input: { params: ChannelParams, body: EndSubmissionBody },
  output: { 204: null },
})

export const streamSchedulePreview = operation({
  name: 'stream.schedule.preview',
  summary: 'Preview what a schedule puts on the air',
  call: 'POST /api/channels/:id/schedule/preview',
  audience: 'schedules:edit',
  token: 'schedules',
  bodyBytes: MAX_SCHEDULE_BYTES,
  input: { params: ChannelParams, body: SchedulePreviewBody },
  output: { 200: SchedulePreview },
})

export const streamScheduleSource = operation({
  name: 'stream.schedule.source',
  summary: 'List the videos of a source of a schedule',
  call: 'POST /api/channels/:id/schedule/source',
  audience: 'schedules:edit',
  token: 'schedules',
  input: { params: ChannelParams, body: SourcePreviewBody },
  output: { 200: SourcePreview },
})

export const streamSchedulePublish = operation({
  name: 'stream.schedule.publish',
  summary: 'Publish the draft of a schedule',
  call: 'POST /api/channels/:id/schedule/publish',
  audience: 'schedules:edit',
  token: 'schedules',
  versioned: ['If-Match'],
  input: { params: ChannelParams, body: PublishBody },
  output: { 201: PublishResult },
})

export const streamSchedulePublishPreview = operation({
  name: 'stream.schedule.publish.preview',
  summary: 'Preview what publishing a schedule changes',
  call: 'POST /api/channels/:id/schedule/publish/preview',
  audience: 'schedules:edit',
  token: 'schedules',
  versioned: ['If-Match'],
  bodyBytes: MAX_SCHEDULE_BYTES,
  input: { params: ChannelParams, body: PublishPreviewBody },
  output: { 200: PublishPreview },
})

export const streamScheduleVersionsList = operation({
  name: 'stream.schedule.versions.list',
  summary: 'List the published versions of a schedule',
  call: 'GET /api/channels/:id/schedule/versions',
  audience: 'schedules:edit',
  token: 'read',
  anonymous: 'allowed',
  input: { params: ChannelParams, query: ScheduleVersionsQuery },
  output: { 200: ScheduleVersionPage },
})

export const streamScheduleVersionsGet = operation({
  name: 'stream.schedule.versions.get',
  summary: 'Get a published version of a schedule',
  call: 'GET /api/channels/:id/schedule/versions/:version',
  audience: 'schedules:edit',
  token: 'read',
  anonymous: 'allowed',
  input: { params: ScheduleVersionParams },
  output: { 200: ScheduleVersionDocument },
})

export const streamScheduleVersionsRestore = operation({
  name: 'stream.schedule.versions.restore',
  summary: 'Publish a version of a schedule again',
  call: 'POST /api/channels/:id/schedule/versions/:version/restore',
  audience: 'schedules:edit',
  token: 'schedules',
  input: { params: ScheduleVersionParams },
  output: { 201: PublishResult },
})
