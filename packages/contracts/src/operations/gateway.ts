import { Type } from 'typebox'
import { HealthReport, ViewerReport } from '../http/admin.ts'
import { BroadcastBody, BroadcastParams, BroadcastQuery, MAX_MESSAGE_BYTES } from '../http/broadcast.ts'
import { ChannelParams, NowState } from '../http/channels.ts'
import { CardQuery, Oembed, OembedQuery } from '../http/embeds.ts'
import { NowPlaying, NowPlayingList, NowPlayingParams, NowPlayingStreamQuery } from '../http/now-playing.ts'
import { file, operation } from '../operation.ts'
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

/**
 * Server-sent events named `nowplaying`, with the same object as data: one at the beginning, one for each programme and for
 * each change of the published number of viewers, at most one a second; a comment every 15 seconds. Counts as a socket.
 */
export const gatewayNowPlayingStream = operation({
  name: 'gateway.now_playing.stream',
  summary: 'Follow what is on, on a channel, by server-sent events',
  call: 'GET /api/live/nowplaying/sse',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  head: false,
  input: { query: NowPlayingStreamQuery },
  output: { 200: file('text/event-stream') },
})

/** The last 50 programmes that have ended, newest first. For feed readers. `not_found` unless the channel is active. */
export const gatewayHistoryRss = operation({
  name: 'gateway.history.rss',
  summary: "Get a channel's past programmes as RSS",
  call: 'GET /api/channels/:id/history.rss',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  input: { params: ChannelParams },
  output: { 200: file('application/rss+xml') },
})

/** The same as JSON Feed 1.1. */
export const gatewayHistoryJson = operation({
  name: 'gateway.history.json',
  summary: "Get a channel's past programmes as a JSON feed",
  call: 'GET /api/channels/:id/history.json',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  input: { params: ChannelParams },
  output: { 200: file('application/feed+json') },
})

/** The active channels that play only files and streams, none of YouTube's videos, as an extended M3U list. */
export const gatewayChannelM3u = operation({
  name: 'gateway.channel.playlist',
  summary: 'List the channels for IPTV players',
  call: 'GET /api/channels.m3u',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  output: { 200: file('audio/x-mpegurl') },
})

/** Redirects to the file or stream on the air. `not_found` for other channels than those of the list. */
export const gatewayChannelMedia = operation({
  name: 'gateway.channel.media',
  summary: 'Go to the file that a channel plays',
  call: 'GET /api/channels/:id/media',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  input: { params: ChannelParams },
  output: { 302: null },
})

/** oEmbed 1.0 of the live page and of embeds. `not_found` for other addresses, `format_not_supported` for XML. */
export const gatewayOembedRead = operation({
  name: 'gateway.oembed.read',
  summary: 'Get the embed of a page of the station (oEmbed)',
  call: 'GET /api/oembed',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  input: { query: OembedQuery },
  output: { 200: Oembed },
})

/** Drawn from the texts of the page. `not_found` for a page without one, or while too many are being drawn. */
export const gatewayCardRead = operation({
  name: 'gateway.card.read',
  summary: 'Get the picture of a page for link previews',
  call: 'GET /api/cards',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  input: { query: CardQuery },
  output: { 200: file('image/png') },
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
