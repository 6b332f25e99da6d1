import { Type } from 'typebox'
import { HealthReport, ViewerReport } from '../http/admin.ts'
import { BroadcastBody, BroadcastParams, BroadcastQuery, MAX_MESSAGE_BYTES } from '../http/broadcast.ts'
import { ChannelParams, NowState } from '../http/channels.ts'
import { NowPlaying, NowPlayingList, NowPlayingParams } from '../http/now-playing.ts'
import { operation } from '../operation.ts'
import type { WebConfig } from '../realtime.ts'

export const gatewayHealthRead = operation({
  name: 'gateway.health.read',
  summary: 'Get the health of each service',
  call: 'GET /api/health',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  output: { 200: HealthReport },
})

export const gatewayViewersRead = operation({
  name: 'gateway.viewers.read',
  summary: 'Count the viewers of each channel',
  call: 'GET /api/viewers',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  output: { 200: ViewerReport },
})

export const gatewayConfigRead = operation({
  name: 'gateway.config.read',
  summary: 'Get the settings of the web app',
  call: 'GET /api/config',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  output: { 200: Type.Unsafe<WebConfig>({ type: 'object' }) },
})

export const gatewayNowRead = operation({
  name: 'gateway.now.read',
  summary: 'Get the current and next programmes of a channel',
  call: 'GET /api/channels/:id/now',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  input: { params: ChannelParams },
  output: { 200: NowState },
})

/** Answered from memory, for pages of any origin. Active channels by position, at most 100. */
export const gatewayNowPlayingList = operation({
  name: 'gateway.now_playing.list',
  summary: 'Get what is on, on all channels, as AzuraCast does',
  call: 'GET /api/nowplaying',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  output: { 200: NowPlayingList },
})

/** The same of one active channel. `not_found` for others. */
export const gatewayNowPlayingRead = operation({
  name: 'gateway.now_playing.read',
  summary: 'Get what is on, on a channel, as AzuraCast does',
  call: 'GET /api/nowplaying/:channelId',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  input: { params: NowPlayingParams },
  output: { 200: NowPlaying },
})

export const gatewayCspReport = operation({
  name: 'gateway.csp.report',
  summary: 'Report a content security policy violation',
  call: 'POST /api/csp-reports',
  audience: 'anyone',
  token: 'session-only',
  anonymous: 'allowed',
  bodyBytes: 16_384,
  output: { 204: null },
})

export const gatewayBroadcastSend = operation({
  name: 'gateway.broadcast.send',
  summary: 'Broadcast messages to topics',
  call: 'POST /realtime/v1/api/broadcast',
  audience: 'user',
  token: 'session-only',
  anonymous: 'allowed',
  bodyBytes: MAX_MESSAGE_BYTES,
  input: { body: BroadcastBody },
  output: { 202: null },
})

export const gatewayBroadcastSendOne = operation({
  name: 'gateway.broadcast.send_one',
  summary: 'Broadcast one message to a topic',
  call: 'POST /realtime/v1/api/broadcast/:topic/events/:event',
  audience: 'user',
  token: 'session-only',
  anonymous: 'allowed',
  bodyBytes: MAX_MESSAGE_BYTES,
  input: { params: BroadcastParams, query: BroadcastQuery },
  output: { 202: null },
})
