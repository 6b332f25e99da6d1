import type { AirLogEntry, AirLogQuery } from '@looptide/contracts/http/channels'
import {
  streamAirLogList,
  streamAnnouncedGet,
  streamGuideCalendar,
  streamGuideGet,
  streamGuideXmltv,
  streamNowGet,
  streamStationGuideGet,
  streamStationOverviewGet,
} from '@looptide/contracts/operations/stream/guide'
import { sendCachedText } from '@looptide/service-kit/http/cached-text'
import { isNotModified } from '@looptide/service-kit/http/conditional'
import { decodeCursor, toPage } from '@looptide/service-kit/http/cursor'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { Static } from 'typebox'
import type { Database } from '../db/schema.ts'
import { type AirLogRow, searchAirLog } from '../timeline/air-log-repository.ts'
import { presentReason, thumbnailOf } from '../timeline/present-programme.ts'
import type { TimelineCache } from '../timeline/timeline-cache.ts'
import { announcedOf } from './announced.ts'
import type { GuideFeeds } from './guide-feeds.ts'
import { channelGuide, findChannel, type NowResponses } from './now-response.ts'
import type { StationGuideResponses } from './station-guide.ts'
import type { StationOverviews } from './station-overview.ts'

const HOUR_MS = 3_600_000

function presentEntry({ seq, youtubeId, thumbnailUrl, reason, ...row }: AirLogRow): AirLogEntry {
  return {
    id: `${row.channelId}.${seq}`,
    ...row,
    thumbnailUrl: thumbnailUrl ?? thumbnailOf(youtubeId),
    reason: presentReason(reason),
  }
}

interface Deps {
  feeds: GuideFeeds
  now: () => number
  guide: StationGuideResponses
  overviews: StationOverviews
  nowResponses: NowResponses
  timelines: TimelineCache
  db: Kysely<Database>
}

/** A page of past programmes. Throws `invalid_cursor`. */
async function airLogPage(db: Kysely<Database>, channelId: string, query: Static<typeof AirLogQuery>) {
  const { limit = 100, cursor, afterMs, beforeMs, order = 'newest' } = query
  const [lastMs] = cursor === undefined ? [undefined] : decodeCursor(cursor, ['number'])
  const rows = await searchAirLog(db, {
    channelId,
    beforeMs: order === 'newest' ? (lastMs ?? beforeMs) : beforeMs,
    startedAfterMs: order === 'oldest' ? lastMs : undefined,
    afterMs,
    order,
    limit,
  })
  return toPage(rows, limit, presentEntry, (row) => [row.startedAtMs])
}

/** Routes of the guide, of what it announces, and of the air log. */
export const guideRoutes = ({ feeds, now, guide, overviews, nowResponses, timelines, db }: Deps): Route[] => [
  route(streamNowGet, async ({ params, reply, request }) => {
    const nowMs = now()
    const response = await nowResponses.get(params.id, nowMs)
    reply.header('cache-control', 'no-store').header('x-server-now-ms', nowMs)
    return sendJsonText(request, reply, response)
  }),
  route(streamGuideGet, async ({ params, query, reply, request }) => {
    const response = await channelGuide(timelines, params.id, query, now())
    reply.header('cache-control', 'public, no-cache')
    return sendJsonText(request, reply, response)
  }),
  route(streamGuideCalendar, async ({ params, reply, request }) => {
    const text = await feeds.calendar(params.id, now())
    reply.header('cache-control', 'public, max-age=300')
    return sendCachedText(request, reply, text, 'text/calendar; charset=utf-8')
  }),
  route(streamGuideXmltv, async ({ reply, request }) => {
    const text = await feeds.xmltv(now())
    reply.header('cache-control', 'public, max-age=300')
    return sendCachedText(request, reply, text, 'application/xml; charset=utf-8')
  }),
  route(streamStationGuideGet, async ({ query, reply, request }) => {
    const nowMs = now()
    const { fromMs = nowMs - (nowMs % HOUR_MS), hours = 24, limit = 50, cursor } = query
    const text = await guide.get({ fromMs, hours, limit, cursor }, nowMs)
    reply.header('cache-control', 'public, no-cache')
    return sendCachedText(request, reply, text, 'application/json; charset=utf-8')
  }),
  route(streamStationOverviewGet, async ({ reply, request }) => {
    reply.header('cache-control', 'private, no-cache')
    return sendCachedText(request, reply, await overviews.get(now()), 'application/json; charset=utf-8')
  }),
  route(streamAirLogList, async ({ params: { id }, query }) => {
    await findChannel(timelines, id)
    return airLogPage(db, id, query)
  }),
  route(streamAnnouncedGet, ({ params }) => announcedOf(timelines, params.id, now())),
]

/** Sends JSON text, or 304 if the client has the current version. */
function sendJsonText(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, etag }: { body: string; etag: string },
): FastifyReply {
  if (isNotModified(request, reply, etag)) return reply.send()
  return reply.type('application/json; charset=utf-8').send(body)
}
