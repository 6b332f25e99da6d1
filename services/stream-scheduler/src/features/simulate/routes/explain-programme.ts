import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ProgrammeExplanation, ProgrammeParams } from '@looptide/contracts/http/simulation'
import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { explain } from '../explain.ts'

/** GET /api/channels/:id/programmes/:programmeId/explanation (`schedules:edit`): how a programme got its place in the timeline. */
export const explainProgramme: FastifyPluginAsyncTypebox<{
  db: Kysely<Database>
  fallbackMaxMs: number
}> = async (app, { db, fallbackMaxMs }) => {
  app.get(
    '/api/channels/:id/programmes/:programmeId/explanation',
    {
      schema: {
        summary: 'Why a programme is on',
        params: ProgrammeParams,
        response: { 200: ProgrammeExplanation },
      },
      config: { operation: 'stream.programme.explain' },
    },
    async ({ params: { id, programmeId } }) =>
      db
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute((trx) => explain(trx, id, programmeId, fallbackMaxMs)),
  )
}
