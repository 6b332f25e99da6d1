import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { PageQuery } from '@looptide/contracts/common'
import type { Envelope } from '@looptide/contracts/events'
import { DeadLetterPage, DeadLetterParams } from '@looptide/contracts/http/admin'
import type { Guard } from '@looptide/service-kit/audit/guard'
import { deadLetterFacts } from '@looptide/service-kit/events/dead-letters'
import { decodeCursor, toPage } from '@looptide/service-kit/http/cursor'
import { errors } from '@looptide/service-kit/http/errors'
import { Type } from 'typebox'
import type { AuditRecorder } from '../../../audit/audit-recorder.ts'
import type { RedisInbox } from '../../../inbox/redis-inbox.ts'

interface DeadLetterDeps {
  inbox: RedisInbox
  audit: AuditRecorder
}

export interface ReplayDeps extends DeadLetterDeps {
  guard: Guard
  replay: (envelope: Envelope) => Promise<void>
}

const SERVICE = 'metadata-worker'
const BASE = `/api/dead-letters/${SERVICE}`

/** The dead-letter routes, as in every service: list events that could not be processed, drop one (`system:operate`). */
export const deadLetterRoutes: FastifyPluginAsyncTypebox<DeadLetterDeps> = async (app, { inbox, audit }) => {
  app.get(
    BASE,
    {
      schema: { querystring: PageQuery, response: { 200: DeadLetterPage } },
      config: { operation: 'metadata-worker.dead_letter.list' },
    },
    async (request) => {
      const { limit = 100, cursor } = request.query
      const before = cursor === undefined ? undefined : decodeCursor(cursor, ['number'])[0]
      const letters = await inbox.deadLetters(limit + 1, before)
      return toPage(
        letters,
        limit,
        (letter) => letter,
        (letter) => [Number(letter.id)],
      )
    },
  )
  app.delete(
    `${BASE}/:id`,
    {
      schema: { params: DeadLetterParams, response: { 204: Type.Null() } },
      config: { operation: 'metadata-worker.dead_letter.drop' },
    },
    async (request, reply) => {
      const letter = await inbox.findDeadLetter(String(request.params.id))
      if (letter === null) throw errors.notFound('This dead letter')
      await audit.record(request, deadLetterFacts(SERVICE, 'drop', letter))
      if (!(await inbox.dropDeadLetter(letter.id))) throw errors.notFound('This dead letter')
      return reply.status(204).send(null)
    },
  )
}

/** Applies a dead letter's event again (`system:operate`, guarded). */
export const replayDeadLetter: FastifyPluginAsyncTypebox<ReplayDeps> = async (
  app,
  { inbox, guard, audit, replay },
) => {
  app.post(
    `${BASE}/:id/replay`,
    {
      schema: { params: DeadLetterParams, response: { 200: Type.Object({ replayed: Type.Literal(true) }) } },
      config: { operation: 'metadata-worker.dead_letter.replay' },
    },
    async (request) => {
      await guard.check(request, 'dead_letter.replay.admin')
      const letter = await inbox.findDeadLetter(String(request.params.id))
      if (letter === null) throw errors.notFound('This dead letter')
      if (letter.replayedAt !== null) return { replayed: true as const }
      await replay(letter.envelope as Envelope).catch((error: unknown) => {
        throw errors.conflict(`The replay failed: ${error instanceof Error ? error.message : String(error)}`)
      })
      await audit.record(request, deadLetterFacts(SERVICE, 'replay', letter))
      await inbox.markReplayed(letter)
      return { replayed: true as const }
    },
  )
}
