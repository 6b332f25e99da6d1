import { PageQuery } from '@looptide/contracts/common'
import type { Envelope } from '@looptide/contracts/events'
import { type DeadLetter, DeadLetterPage } from '@looptide/contracts/http/admin'
import type { Kysely, Selectable } from 'kysely'
import { Gauge } from 'prom-client'
import { Type } from 'typebox'
import { decodeCursor, toPage } from './cursor.ts'
import { errors } from './errors.ts'
import type { EventTables } from './event-tables.ts'
import type { Guard } from './guard.ts'
import type { Metrics } from './metrics.ts'
import { requireAdmin } from './request-user.ts'
import type { App } from './server.ts'

interface DeadLetterDeps {
  service: string
  db: Kysely<EventTables>
  guard: Guard
  metrics: Metrics
  replay: (envelope: Envelope) => Promise<void>
}

const present = (row: Selectable<EventTables['deadLetters']>): DeadLetter => ({
  id: String(row.id),
  consumer: row.consumer,
  subject: row.subject,
  eventId: row.eventId,
  envelope: row.envelope,
  error: row.error,
  failedAt: row.failedAt.toISOString(),
  replayedAt: row.replayedAt?.toISOString() ?? null,
})

/** Counts, at each look at `/metrics`, the events that wait for somebody to look at them. */
function measure(metrics: Metrics, db: Kysely<EventTables>): void {
  new Gauge({
    name: 'looptide_dead_letters',
    help: 'Events that were given up and have not been replayed.',
    registers: [metrics.registry],
    async collect() {
      const waiting = db
        .selectFrom('deadLetters')
        .select((select) => select.fn.countAll<number>().as('count'))
        .where('replayedAt', 'is', null)
      // While the database is away the last count stands; its being away is told elsewhere.
      const row = await waiting.executeTakeFirst().catch(() => undefined)
      if (row !== undefined) this.set(row.count)
    },
  })
}

/** `GET /api/dead-letters/<service>` and `POST …/:id/replay`, for admins. Replaying is a guarded action. */
export function addDeadLetterRoutes(app: App, { service, db, guard, metrics, replay }: DeadLetterDeps): void {
  measure(metrics, db)
  const base = `/api/dead-letters/${service}`
  app.get(
    base,
    {
      schema: { querystring: PageQuery, response: { 200: DeadLetterPage } },
      config: { operation: `${service}.dead_letter.list` },
      onRequest: requireAdmin,
    },
    async (request) => {
      const limit = request.query.limit ?? 100
      let query = db
        .selectFrom('deadLetters')
        .selectAll()
        .orderBy('id', 'desc')
        .limit(limit + 1)
      if (request.query.cursor !== undefined) {
        query = query.where('id', '<', decodeCursor(request.query.cursor, ['number'])[0])
      }
      return toPage(await query.execute(), limit, present, (row) => [row.id])
    },
  )
  app.post(
    `${base}/:id/replay`,
    {
      schema: {
        params: Type.Object({ id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) }),
        response: { 200: Type.Object({ replayed: Type.Literal(true) }) },
      },
      config: { operation: `${service}.dead_letter.replay` },
    },
    async (request) => {
      // The guard refuses whoever is no admin, and remembers that they tried.
      await guard.check(request, 'dead_letter.replay.admin')
      const row = await db
        .selectFrom('deadLetters')
        .selectAll()
        .where('id', '=', request.params.id)
        .executeTakeFirst()
      if (row === undefined) throw errors.notFound('This dead letter')
      try {
        await replay(row.envelope as unknown as Envelope)
      } catch (error) {
        throw errors.conflict(`It failed again: ${error instanceof Error ? error.message : String(error)}`)
      }
      await db.updateTable('deadLetters').set({ replayedAt: new Date() }).where('id', '=', row.id).execute()
      return { replayed: true as const }
    },
  )
}
