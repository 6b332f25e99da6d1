import { PageQuery } from '../../common.ts'
import { AirLogPage, AirLogQuery, ChannelParams, Guide, GuideQuery, NowState } from '../../http/channels.ts'
import { Announced, StationGuide, StationGuideQuery, SubstituteList } from '../../http/guide.ts'
import { StationOverview } from '../../http/overview.ts'
import {
  PlaybackProblemPage,
  PlaybackReportBody,
  PlaybackReportResult,
  QuarantinePage,
  QuarantineParams,
  ReplaceVideoBody,
  ReplaceVideoResult,
} from '../../http/playback-problems.ts'
import { ProgrammeParams } from '../../http/simulation.ts'
import { file, operation } from '../../operation.ts'

/**
 * Answered from the timeline cache. The response contains the server's time, so HTTP caches must not store it: after a
 * 304 they would send an old time. A client that keeps the programmes may use the ETag and take the time from the
 * header `x-server-now-ms` of every response.
 */
export const streamNowGet = operation({
  name: 'stream.now.get',
  summary: 'Get the current and next programmes of a channel',
  call: 'GET /api/channels/:id/now',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  input: { params: ChannelParams },
  output: { 200: NowState },
})

/**
 * Answered from the timeline cache: without `fromMs` from the current programme. At most 2,000 programmes; for a
 * channel of very short clips the client requests the rest from the end of the response. HTTP caches revalidate each
 * time, so that an edit is visible at once.
 */
export const streamGuideGet = operation({
  name: 'stream.guide.get',
  summary: 'Get the programmes of a channel',
  call: 'GET /api/channels/:id/guide',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  shared: {},
  input: { params: ChannelParams, query: GuideQuery },
  output: { 200: Guide },
})

/**
 * The channel's next 24 hours as an iCalendar feed, cacheable for five minutes. `not_found` for an unknown channel.
 */
export const streamGuideCalendar = operation({
  name: 'stream.guide.calendar',
  summary: "Get a channel's guide as iCalendar",
  call: 'GET /api/channels/:id/guide.ics',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  input: { params: ChannelParams },
  output: { 200: file('text/calendar') },
})

/** The next 36 hours of all active channels as XMLTV, cacheable for five minutes. */
export const streamGuideXmltv = operation({
  name: 'stream.guide.xmltv',
  summary: 'Get the guide of all channels as XMLTV',
  call: 'GET /api/guide.xml',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  perMinute: 60,
  heldCompressed: true,
  output: { 200: file('application/xml') },
})

/**
 * Answered from the timeline cache: the active channels by position, each with its programmes in blocks. HTTP caches
 * revalidate each time and usually receive 304.
 */
export const streamStationGuideGet = operation({
  name: 'stream.station_guide.get',
  summary: 'Get the guide of all channels',
  call: 'GET /api/guide',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  shared: {},
  input: { query: StationGuideQuery },
  output: { 200: StationGuide },
})

/** Answered from the timeline cache, with one text for everybody who watches. */
export const streamStationOverviewGet = operation({
  name: 'stream.station_overview.get',
  summary: 'Get what is on all channels, the next hard starts and the problems',
  call: 'GET /api/channels/overview',
  audience: 'dashboard:watch',
  token: 'read',
  output: { 200: StationOverview },
})

/** Entries that overlap (afterMs, beforeMs), newest or oldest first. */
export const streamAirLogList = operation({
  name: 'stream.air_log.list',
  summary: 'List past programmes of a channel',
  call: 'GET /api/channels/:id/air-log',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  shared: { group: 'air-log' },
  input: { params: ChannelParams, query: AirLogQuery },
  output: { 200: AirLogPage },
})

/**
 * A player's error or measured duration of a video. Signed-in users are identified by account and visitors by network,
 * since a name chosen by the client could be changed for each report.
 */
export const streamPlaybackReport = operation({
  name: 'stream.playback.report',
  summary: 'Report a playback error or a measured duration',
  call: 'POST /api/channels/:id/reports',
  audience: 'anyone',
  token: 'session-only',
  anonymous: 'allowed',
  outdatesShared: false,
  input: { params: ChannelParams, body: PlaybackReportBody },
  output: { 202: PlaybackReportResult },
})

export const streamSubstituteList = operation({
  name: 'stream.substitute.list',
  summary: 'List videos for viewers in whose region a programme does not play',
  call: 'GET /api/channels/:id/programmes/:programmeId/substitutes',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  shared: {},
  input: { params: ProgrammeParams },
  output: { 200: SubstituteList },
})

export const streamPlaybackProblemList = operation({
  name: 'stream.playback_problem.list',
  summary: 'List videos that do not play for some viewers',
  call: 'GET /api/channels/playback-problems',
  audience: 'schedules:edit',
  token: 'read',
  anonymous: 'allowed',
  input: { query: PageQuery },
  output: { 200: PlaybackProblemPage },
})

export const streamQuarantineList = operation({
  name: 'stream.quarantine.list',
  summary: 'List quarantined videos',
  call: 'GET /api/channels/quarantine',
  audience: 'schedules:edit',
  token: 'read',
  anonymous: 'allowed',
  input: { query: PageQuery },
  output: { 200: QuarantinePage },
})

export const streamQuarantineRelease = operation({
  name: 'stream.quarantine.release',
  summary: 'Release a quarantined video',
  call: 'DELETE /api/channels/quarantine/:videoId',
  audience: 'schedules:edit',
  token: 'schedules',
  input: { params: QuarantineParams },
  output: { 204: null },
})

export const streamQuarantineReplace = operation({
  name: 'stream.quarantine.replace',
  summary: 'Replace a quarantined video',
  call: 'POST /api/channels/quarantine/:videoId/replacement',
  audience: 'schedules:edit',
  token: 'schedules',
  input: { params: QuarantineParams, body: ReplaceVideoBody },
  output: { 200: ReplaceVideoResult },
})

export const streamAnnouncedGet = operation({
  name: 'stream.announced.get',
  summary: 'Get what the guide of a channel announces, for reminders',
  call: 'GET /internal/channels/:id/announced',
  audience: 'internal',
  token: 'session-only',
  input: { params: ChannelParams },
  output: { 200: Announced },
})
