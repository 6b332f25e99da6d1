import type { PlaybackProblem, QuarantinedVideo } from '@looptide/contracts/http/playback-problems'
import {
  streamPlaybackProblemList,
  streamPlaybackReport,
  streamQuarantineList,
  streamQuarantineRelease,
  streamQuarantineReplace,
} from '@looptide/contracts/operations/stream/guide'
import { clientIp } from '@looptide/service-kit/http/client-ip'
import { decodeCursor, toPage } from '@looptide/service-kit/http/cursor'
import { anonymousVisitorId } from '@looptide/service-kit/limits/client-network'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import { presentVideo } from '../timeline/present-programme.ts'
import { countryOf } from './country-of.ts'
import { listProblems, type ProblemRow } from './problem-repository.ts'
import { listQuarantined, type QuarantinedRow } from './report-repository.ts'
import type { ReportService } from './report-service.ts'

const sinceMs = (row: QuarantinedRow): number => row.quarantinedAt?.getTime() ?? 0

const presentQuarantined = (row: QuarantinedRow): QuarantinedVideo => ({
  videoId: row.id,
  channelId: row.quarantineChannelId,
  reason: row.quarantineReason ?? '',
  quarantinedAt: new Date(sinceMs(row)).toISOString(),
  reports: row.reports,
  countries: row.countries,
  lastReportedAt: row.lastReportedAt?.toISOString() ?? null,
  video: presentVideo(row),
})

const presentProblem = (row: ProblemRow): PlaybackProblem => ({
  video: presentVideo(row),
  lastReportedAt: row.lastReportedAt.toISOString(),
  countries: row.countries,
})

interface Deps {
  reports: ReportService
  db: Kysely<Database>
  /** Key with which the networks of visitors are hashed. */
  visitorKey: string
}

/** Routes of playback reports and quarantined videos. */
export const reportRoutes = ({ reports, db, visitorKey }: Deps): Route[] => [
  route(streamPlaybackReport, async ({ params, body, user, request }) => {
    const network = anonymousVisitorId(clientIp(request), visitorKey)
    const viewer = user === null ? `visitor:${network}` : `user:${user.id}`
    const { timeZone, ...report } = body
    const country = countryOf(timeZone)
    return { accepted: await reports.report({ channelId: params.id, viewer, network, country, ...report }) }
  }),
  route(streamPlaybackProblemList, async ({ query: { limit = 100, cursor } }) => {
    const [atMs, id] = cursor === undefined ? [0, ''] : decodeCursor(cursor, ['number', 'string'])
    const rows = await listProblems(db, cursor === undefined ? null : { atMs, id }, limit)
    return toPage(rows, limit, presentProblem, (row) => [row.lastReportedAt.getTime(), row.id])
  }),
  route(streamQuarantineList, async ({ query: { limit = 100, cursor } }) => {
    const [atMs, id] = cursor === undefined ? [0, ''] : decodeCursor(cursor, ['number', 'string'])
    const rows = await listQuarantined(db, cursor === undefined ? null : { atMs, id }, limit)
    return toPage(rows, limit, presentQuarantined, (row) => [sinceMs(row), row.id])
  }),
  route(streamQuarantineRelease, ({ params, cause }) => reports.release(params.videoId, cause)),
  route(streamQuarantineReplace, async ({ params, body, cause }) => ({
    count: await reports.replace(params.videoId, body.replacementId, cause),
  })),
]
