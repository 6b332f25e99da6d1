import { PageQuery } from '../../common.ts'
import { ExportQuery, RequestExportPage, RequestLoadExportPage, VoteExportPage } from '../../http/exports.ts'
import {
  AddRequestExclusionBody,
  AiredRequestAnswer,
  AiredRequestPage,
  AiredRequestsQuery,
  CreateRequestBody,
  ListRequestsQuery,
  OwnRequestPage,
  OwnRequestSettings,
  RefuseRequestBody,
  RequestChannelParams,
  RequestExclusion,
  RequestExclusionList,
  RequestExclusionParams,
  RequestPage,
  RequestParams,
  RequestReceipt,
  RequestSettings,
  ViewerRequest,
  VoteResult,
  WatchReport,
} from '../../http/requests.ts'
import { ProgrammeParams } from '../../http/simulation.ts'
import { operation } from '../../operation.ts'

export const audienceRequestList = operation({
  name: 'audience.request.list',
  summary: 'List the requests that wait on a channel',
  call: 'GET /api/channels/:id/requests',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  input: { params: RequestChannelParams, query: ListRequestsQuery },
  output: { 200: RequestPage },
})

/** Responds 201 with the new request, or 200 with the caller's waiting one for the same video. */
export const audienceRequestCreate = operation({
  name: 'audience.request.create',
  summary: 'Request a video on a channel',
  call: 'POST /api/channels/:id/requests',
  audience: 'user',
  token: 'requests',
  anonymous: { purpose: 'request videos' },
  input: { params: RequestChannelParams, body: CreateRequestBody },
  output: { 200: ViewerRequest, 201: ViewerRequest },
})

export const audienceRequestListOwn = operation({
  name: 'audience.request.list_own',
  summary: "List the caller's requests",
  call: 'GET /api/me/requests',
  audience: 'user',
  token: 'read',
  anonymous: 'allowed',
  input: { query: PageQuery },
  output: { 200: OwnRequestPage },
})

export const audienceOwnSettingsGet = operation({
  name: 'audience.own_settings.get',
  summary: "Get whether others see who has made the caller's requests",
  call: 'GET /api/me/requests/settings',
  audience: 'user',
  token: 'session-only',
  anonymous: { purpose: 'request videos' },
  input: {},
  output: { 200: OwnRequestSettings },
})

export const audienceOwnSettingsUpdate = operation({
  name: 'audience.own_settings.update',
  summary: "Show or hide who has made the caller's requests",
  call: 'PATCH /api/me/requests/settings',
  audience: 'user',
  token: 'session-only',
  anonymous: { purpose: 'request videos' },
  input: { body: OwnRequestSettings },
  output: { 200: OwnRequestSettings },
})

/** 404 for a request that was refused or withdrawn: GET /api/me/requests has those of the caller. */
export const audienceRequestGet = operation({
  name: 'audience.request.get',
  summary: 'Get a request that waits, is planned or was on the air',
  call: 'GET /api/requests/:requestId',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  input: { params: RequestParams },
  output: { 200: ViewerRequest },
})

/** The caller's own request, or with `schedules:edit` that of any user. */
export const audienceRequestWithdraw = operation({
  name: 'audience.request.withdraw',
  summary: 'Withdraw a request',
  call: 'DELETE /api/requests/:requestId',
  audience: 'user',
  token: 'requests',
  anonymous: { purpose: 'request videos' },
  input: { params: RequestParams },
  output: { 204: null },
})

export const audienceRequestRefuse = operation({
  name: 'audience.request.refuse',
  summary: 'Refuse a request',
  call: 'POST /api/requests/:requestId/refuse',
  audience: 'schedules:edit',
  token: 'schedules',
  input: { params: RequestParams, body: RefuseRequestBody },
  output: { 200: ViewerRequest },
})

export const audienceRequestPin = operation({
  name: 'audience.request.pin',
  summary: 'Put a request before all others',
  call: 'POST /api/requests/:requestId/pin',
  audience: 'schedules:edit',
  token: 'schedules',
  input: { params: RequestParams },
  output: { 200: ViewerRequest },
})

export const audienceRequestUnpin = operation({
  name: 'audience.request.unpin',
  summary: 'Return a pinned request to its place',
  call: 'DELETE /api/requests/:requestId/pin',
  audience: 'schedules:edit',
  token: 'schedules',
  input: { params: RequestParams },
  output: { 200: ViewerRequest },
})

export const audienceRequestAired = operation({
  name: 'audience.request.aired',
  summary: 'Get the request that a programme was',
  call: 'GET /api/channels/:id/requests/aired/:programmeId',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  input: { params: ProgrammeParams },
  output: { 200: AiredRequestAnswer },
})

/** What `looptide audience verify` reads. 404 for a channel that is not active, except for staff. */
export const audienceRequestAiredList = operation({
  name: 'audience.request.aired_list',
  summary: 'List the requests that were on the air, with the digests of their receipts',
  call: 'GET /api/channels/:id/requests/aired',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  input: { params: RequestChannelParams, query: AiredRequestsQuery },
  output: { 200: AiredRequestPage },
})

/** 404 for a request that was not aired, was pinned, or whose receipt is not kept any more. */
export const audienceRequestReceipt = operation({
  name: 'audience.request.receipt',
  summary: 'Get the receipt of an aired request',
  call: 'GET /api/requests/:requestId/receipt',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  input: { params: RequestParams },
  output: { 200: RequestReceipt },
})

export const audienceVoteCast = operation({
  name: 'audience.vote.cast',
  summary: 'Vote for a request',
  call: 'PUT /api/requests/:requestId/vote',
  audience: 'user',
  token: 'requests',
  anonymous: { purpose: 'vote' },
  input: { params: RequestParams },
  output: { 200: VoteResult },
})

export const audienceVoteWithdraw = operation({
  name: 'audience.vote.withdraw',
  summary: 'Take a vote back',
  call: 'DELETE /api/requests/:requestId/vote',
  audience: 'user',
  token: 'requests',
  anonymous: { purpose: 'vote' },
  input: { params: RequestParams },
  output: { 200: VoteResult },
})

export const audienceSettingsGet = operation({
  name: 'audience.settings.get',
  summary: 'Get whether a channel accepts requests',
  call: 'GET /api/channels/:id/requests/settings',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  input: { params: RequestChannelParams },
  output: { 200: RequestSettings },
})

export const audienceSettingsUpdate = operation({
  name: 'audience.settings.update',
  summary: 'Open or close the requests of a channel',
  call: 'PATCH /api/channels/:id/requests/settings',
  audience: 'schedules:edit',
  token: 'schedules',
  input: { params: RequestChannelParams, body: RequestSettings },
  output: { 200: RequestSettings },
})

export const audienceExclusionList = operation({
  name: 'audience.exclusion.list',
  summary: 'List what cannot be requested on a channel',
  call: 'GET /api/channels/:id/requests/exclusions',
  audience: 'schedules:edit',
  token: 'schedules',
  input: { params: RequestChannelParams },
  output: { 200: RequestExclusionList },
})

/** Responds 200 with the exclusion that exists already, or 201. */
export const audienceExclusionAdd = operation({
  name: 'audience.exclusion.add',
  summary: 'Exclude a video or an artist from requests',
  call: 'POST /api/channels/:id/requests/exclusions',
  audience: 'schedules:edit',
  token: 'schedules',
  input: { params: RequestChannelParams, body: AddRequestExclusionBody },
  output: { 200: RequestExclusion, 201: RequestExclusion },
})

export const audienceExclusionRemove = operation({
  name: 'audience.exclusion.remove',
  summary: 'Allow requests of a video or an artist again',
  call: 'DELETE /api/channels/:id/requests/exclusions/:exclusionId',
  audience: 'schedules:edit',
  token: 'schedules',
  input: { params: RequestExclusionParams },
  output: { 204: null },
})

export const audienceWatchingReport = operation({
  name: 'audience.watching.report',
  summary: 'Report that the caller watches in sync',
  call: 'POST /api/channels/:id/watching',
  audience: 'user',
  token: 'requests',
  anonymous: { purpose: 'vote' },
  input: { params: RequestChannelParams },
  output: { 200: WatchReport },
})

export const audienceRequestExport = operation({
  name: 'audience.request.export',
  summary: "Export the caller's requests",
  call: 'GET /api/export/requests',
  audience: 'user',
  token: 'session-only',
  anonymous: 'allowed',
  perMinute: 60,
  input: { query: ExportQuery },
  output: { 200: RequestExportPage },
})

export const audienceVoteExport = operation({
  name: 'audience.vote.export',
  summary: "Export the caller's votes",
  call: 'GET /api/export/votes',
  audience: 'user',
  token: 'session-only',
  anonymous: 'allowed',
  perMinute: 60,
  input: { query: ExportQuery },
  output: { 200: VoteExportPage },
})

export const audienceLoadExport = operation({
  name: 'audience.load.export',
  summary: "Export the caller's loads of votes and turns",
  call: 'GET /api/export/loads',
  audience: 'user',
  token: 'session-only',
  anonymous: 'allowed',
  perMinute: 60,
  input: { query: ExportQuery },
  output: { 200: RequestLoadExportPage },
})
