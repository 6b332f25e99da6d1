import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { PageQuery } from '@looptide/contracts/common'
import { type PlaybackProblem, PlaybackProblemPage } from '@looptide/contracts/http/playback-problems'
import { decodeCursor, toPage } from '@looptide/service-kit/http/cursor'
import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { presentVideo } from '../../../timeline/present-programme.ts'
import { listProblems, type ProblemRow } from '../problem-repository.ts'

const present = (row: ProblemRow): PlaybackProblem => ({
  video: presentVideo(row),
  lastReportedAt: row.lastReportedAt.toISOString(),
  countries: row.countries,
})

/** GET /api/channels/playback-problems (`schedules:edit`): which videos do not play for whom. */
export const listPlaybackProblems: FastifyPluginAsyncTypebox<{ db: Kysely<Database> }> = async (
  app,
  { db },
) => {
  app.get(
    '/api/channels/playback-problems',
    {
      schema: { querystring: PageQuery, response: { 200: PlaybackProblemPage } },
      config: { operation: 'stream.playback_problem.list' },
    },
    async ({ query: { limit = 100, cursor } }) => {
      const [atMs, id] = cursor === undefined ? [0, ''] : decodeCursor(cursor, ['number', 'string'])
      const rows = await listProblems(db, cursor === undefined ? null : { atMs, id }, limit)
      return toPage(rows, limit, present, (row) => [row.lastReportedAt.getTime(), row.id])
    },
  )
}
