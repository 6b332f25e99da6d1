import { PageQuery } from '../../common.ts'
import {
  Channel,
  ChannelPage,
  ChannelParams,
  CreateChannelBody,
  StreamActionBody,
  StreamActionResult,
  UpdateChannelBody,
} from '../../http/channels.ts'
import { ShortLoops, WithoutVideosBody } from '../../http/loops.ts'
import { RequestCheck, RequestCheckQuery } from '../../http/requests.ts'
import { ProgrammeExplanation, ProgrammeParams, SimulateBody, Simulation } from '../../http/simulation.ts'
import {
  CurrentTakeover,
  PastTakeovers,
  PastTakeoversQuery,
  StartTakeoverBody,
  StopTakeoverQuery,
  Takeover,
} from '../../http/takeovers.ts'
import { operation } from '../../operation.ts'

/**
 * The active channels by position, or all channels for those who edit schedules. Answered from the timeline cache.
 */
export const streamChannelList = operation({
  name: 'stream.channel.list',
  summary: 'List channels',
  call: 'GET /api/channels',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  // Users who edit schedules also see inactive channels.
  shared: { differsFor: 'schedules:edit' },
  input: { query: PageQuery },
  output: { 200: ChannelPage },
})

/**
 * The programmes after a change. Writes nothing. Moderators need it to see the effect of accepting a submission onto a
 * channel.
 */
export const streamChannelSimulate = operation({
  name: 'stream.channel.simulate',
  summary: 'Simulate the timeline of a changed playlist',
  call: 'POST /api/channels/:id/simulate',
  audience: 'programmes:simulate',
  token: 'schedules',
  // Bytes of twice 10,000 ids with quotes and commas, and a margin.
  bodyBytes: 1_048_576,
  input: { params: ChannelParams, body: SimulateBody },
  output: { 200: Simulation },
})

/** Everything but the shuffle of its playlist needs `channels:manage`. */
export const streamChannelUpdate = operation({
  name: 'stream.channel.update',
  summary: 'Change a channel',
  call: 'PATCH /api/channels/:id',
  audience: 'schedules:edit',
  token: 'schedules',
  input: { params: ChannelParams, body: UpdateChannelBody },
  output: { 200: Channel },
})

export const streamChannelListShortLoops = operation({
  name: 'stream.channel.list_short_loops',
  summary: 'List channels whose playlist repeats within an hour',
  call: 'GET /api/channels/short-loops',
  audience: 'schedules:edit',
  token: 'read',
  anonymous: 'allowed',
  output: { 200: ShortLoops },
})

export const streamChannelPreviewShortLoops = operation({
  name: 'stream.channel.preview_short_loops',
  summary: 'List channels that would repeat within an hour without some videos',
  call: 'POST /api/channels/short-loops',
  audience: 'schedules:edit',
  token: 'schedules',
  // Bytes of 20,000 ids with quotes and commas.
  bodyBytes: 1_048_576,
  input: { body: WithoutVideosBody },
  output: { 200: ShortLoops },
})

export const streamChannelCreate = operation({
  name: 'stream.channel.create',
  summary: 'Create a channel',
  call: 'POST /api/channels',
  audience: 'channels:manage',
  token: 'schedules',
  input: { body: CreateChannelBody },
  output: { 201: Channel },
})

export const streamChannelDelete = operation({
  name: 'stream.channel.delete',
  summary: 'Delete a channel',
  call: 'DELETE /api/channels/:id',
  audience: 'channels:manage',
  token: 'schedules',
  input: { params: ChannelParams },
  output: { 204: null },
})

export const streamChannelControl = operation({
  name: 'stream.channel.control',
  summary: 'Start, stop, restart or reset a channel',
  call: 'POST /api/channels/:id/stream',
  audience: 'channels:manage',
  token: 'stream',
  input: { params: ChannelParams, body: StreamActionBody },
  output: { 200: StreamActionResult },
})

export const streamTakeoverGet = operation({
  name: 'stream.takeover.get',
  summary: 'Get the live takeover of a channel',
  call: 'GET /api/channels/:id/takeover',
  audience: 'takeovers:run',
  token: 'read',
  anonymous: 'allowed',
  input: { params: ChannelParams },
  output: { 200: CurrentTakeover },
})

export const streamTakeoverList = operation({
  name: 'stream.takeover.list',
  summary: 'List the past live takeovers of a channel',
  call: 'GET /api/channels/:id/takeovers',
  audience: 'schedules:edit',
  token: 'read',
  anonymous: 'allowed',
  input: { params: ChannelParams, query: PastTakeoversQuery },
  output: { 200: PastTakeovers },
})

export const streamTakeoverStart = operation({
  name: 'stream.takeover.start',
  summary: 'Put a video, playlist or live stream on the air now',
  call: 'POST /api/channels/:id/takeover',
  audience: 'takeovers:run',
  token: 'stream',
  input: { params: ChannelParams, body: StartTakeoverBody },
  output: { 201: Takeover },
})

export const streamTakeoverStop = operation({
  name: 'stream.takeover.stop',
  summary: 'End the live takeover of a channel',
  call: 'DELETE /api/channels/:id/takeover',
  audience: 'takeovers:run',
  token: 'stream',
  input: { params: ChannelParams, query: StopTakeoverQuery },
  output: { 204: null },
})

export const streamProgrammeExplain = operation({
  name: 'stream.programme.explain',
  summary: 'Explain why a programme is scheduled',
  call: 'GET /api/channels/:id/programmes/:programmeId/explanation',
  audience: 'schedules:edit',
  token: 'read',
  anonymous: 'allowed',
  input: { params: ProgrammeParams },
  output: { 200: ProgrammeExplanation },
})

export const streamRequestCheck = operation({
  name: 'stream.request.check',
  summary: 'Check whether a channel would air a requested video now',
  call: 'GET /internal/channels/:id/request-check',
  audience: 'internal',
  token: 'session-only',
  input: { params: ChannelParams, query: RequestCheckQuery },
  output: { 200: RequestCheck },
})
