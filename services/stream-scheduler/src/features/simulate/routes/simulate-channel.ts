import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChannelParams } from '@looptide/contracts/http/channels'
import { SimulateBody, Simulation } from '@looptide/contracts/http/simulation'
import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import type { ScheduleReader } from '../../../schedule/schedule-reader.ts'
import { type CatalogueAccess, withReadinessCheck } from '../../../videos/video-readiness.ts'
import { simulate } from '../simulate.ts'

/** Bytes of twice 10,000 ids with quotes and commas, and a margin. */
const BODY_LIMIT = 1_048_576

/**
 * POST /api/channels/:id/simulate (`programmes:simulate`): the programmes after a change. Writes nothing. Moderators need it to see
 * the effect of accepting a submission onto a channel.
 */
export const simulateChannel: FastifyPluginAsyncTypebox<{
  db: Kysely<Database>
  now: () => number
  fallbackMaxMs: number
  catalogue: CatalogueAccess
  schedules: ScheduleReader
}> = async (app, { db, now, fallbackMaxMs, catalogue, schedules }) => {
  app.post(
    '/api/channels/:id/simulate',
    {
      bodyLimit: BODY_LIMIT,
      schema: {
        summary: 'What viewers would see',
        params: ChannelParams,
        body: SimulateBody,
        response: { 200: Simulation },
      },
      config: { operation: 'stream.channel.simulate' },
    },
    async (request) =>
      withReadinessCheck(catalogue, () =>
        db
          .transaction()
          .setIsolationLevel('repeatable read')
          .setAccessMode('read only')
          .execute((trx) =>
            simulate(trx, request.params.id, request.body, { nowMs: now(), fallbackMaxMs, schedules }),
          ),
      ),
  )
}
