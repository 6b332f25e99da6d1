import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { PageQuery } from '@looptide/contracts/common'
import { type QuarantinedVideo, QuarantinePage } from '@looptide/contracts/http/channels'
import { decodeCursor, toPage } from '@looptide/service-kit/http/cursor'
import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { presentVideo } from '../../../timeline/present-programme.ts'
import { listQuarantined, type QuarantinedRow } from '../report-repository.ts'

const sinceMs = (row: QuarantinedRow): number => row.quarantinedAt?.getTime() ?? 0

const present = (row: QuarantinedRow): QuarantinedVideo => ({
  videoId: row.id,
  channelId: row.quarantineChannelId,
  reason: row.quarantineReason ?? '',
  quarantinedAt: new Date(sinceMs(row)).toISOString(),
  reports: row.reports,
  countries: row.countries,
  lastReportedAt: row.lastReportedAt?.toISOString() ?? null,
  video: presentVideo(row),
})

/** GET /api/channels/quarantine (`schedules:edit`), newest first. */
export const listQuarantine: FastifyPluginAsyncTypebox<{ db: Kysely<Database> }> = async (app, { db }) => {
  app.get(
    '/api/channels/quarantine',
    {
      schema: { querystring: PageQuery, response: { 200: QuarantinePage } },
      config: { operation: 'stream.quarantine.list' },
    },
    async ({ query: { limit = 100, cursor } }) => {
      const [atMs, id] = cursor === undefined ? [0, ''] : decodeCursor(cursor, ['number', 'string'])
      const rows = await listQuarantined(db, cursor === undefined ? null : { atMs, id }, limit)
      return toPage(rows, limit, present, (row) => [sinceMs(row), row.id])
    },
  )
}
