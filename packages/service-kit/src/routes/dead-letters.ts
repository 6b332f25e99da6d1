import type { PageQuery } from '@looptide/contracts/common'
import { type Envelope, OWNERS } from '@looptide/contracts/events'
import type { DeadLetter } from '@looptide/contracts/http/admin'
import type { DeadLetterOperations } from '@looptide/contracts/operations/dead-letters'
import type { Kysely, Selectable, Transaction } from 'kysely'
import { Gauge } from 'prom-client'
import type { Static } from 'typebox'
import { type AuditFacts, type AuditType, appendAudit } from '../audit/audit.ts'
import type { EventTables } from '../db/event-tables.ts'
import type { Cause } from '../events/outbox.ts'
import { OUTBOX_DEAD_LETTER, returnToOutbox } from '../events/published-events.ts'
import { truncateJson } from '../events/truncate-json.ts'
import { decodeCursor, toPage } from '../http/cursor.ts'
import { errors } from '../http/errors.ts'
import type { Guard } from '../limits/guard.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { type Route, route } from './route.ts'

interface DeadLetterDeps {
  service: string
  operations: DeadLetterOperations
  db: Kysely<EventTables>
  guard: Guard
  metrics: Metrics
  /** Applies the event of a letter that was not replayed before. `audit` runs in the same transaction. */
  replay: (letterId: number, envelope: Envelope, audit: WriteAudit) => Promise<void>
}

type WriteAudit = (trx: Transaction<EventTables>) => Promise<void>
type LetterRow = Selectable<EventTables['deadLetters']>

/** Longer events are truncated in the list of letters, in bytes of JSON. */
const MAX_SHOWN_BYTES = 65_536

const present = (row: LetterRow): DeadLetter => ({
  id: String(row.id),
  consumer: row.consumer,
  subject: row.subject,
  eventId: row.eventId,
  envelope: truncateJson(row.envelope, MAX_SHOWN_BYTES),
  error: row.error,
  failedAt: row.failedAt.toISOString(),
  replayedAt: row.replayedAt?.toISOString() ?? null,
})

/** Registers the gauge of dead letters that were not replayed. It is read at each scrape of `/metrics`. */
function registerGauge(metrics: Metrics, db: Kysely<EventTables>): void {
  new Gauge({
    name: 'looptide_dead_letters',
    help: 'Dead letters that have not been replayed.',
    registers: [metrics.registry],
    async collect() {
      const waiting = db
        .selectFrom('deadLetters')
        .select((select) => select.fn.countAll<number>().as('count'))
        .where('replayedAt', 'is', null)
      // During a database outage the gauge keeps its last value. The health check reports the outage.
      const row = await waiting.executeTakeFirst().catch(() => undefined)
      if (row !== undefined) this.set(row.count)
    },
  })
}

/** The audit entry of a letter that an admin replayed or dropped. */
export function deadLetterFacts(service: string, verb: 'replay' | 'drop', letter: DeadLetter): AuditFacts {
  const { id, consumer, subject, eventId, error, failedAt } = letter
  return {
    action: `dead_letter.${verb}`,
    targetType: 'dead_letter',
    targetId: id,
    before: { consumer, subject, eventId, error, failedAt },
    details: { service },
  }
}

/** A service's name starts with the owner of its events. Throws for a service without events: it cannot be audited. */
function auditTypeOf(service: string): AuditType {
  const owner = OWNERS.find((name) => service === name || service.startsWith(`${name}-`))
  if (owner === undefined) throw new Error(`the service ${service} owns no events`)
  return `${owner}.audit.recorded.v1`
}

/** The routes about dead letters. Replaying applies an event once, even if repeated. Replaying and dropping are audited. */
export function deadLetterRoutes(deps: DeadLetterDeps): Route[] {
  registerGauge(deps.metrics, deps.db)
  const { list, replay, drop } = deps.operations
  return [
    route(list, ({ query }) => listLetters(deps, query)),
    route(replay, async ({ request, params, cause }) => {
      await deps.guard.check(request, 'dead_letter.replay.admin')
      await replayLetter(deps, params.id, cause)
      return { replayed: true as const }
    }),
    route(drop, ({ params, cause }) => dropLetter(deps, params.id, cause)),
  ]
}

/** A page of dead letters, the newest first. */
async function listLetters({ db }: DeadLetterDeps, { limit = 100, cursor }: Static<typeof PageQuery>) {
  let query = db
    .selectFrom('deadLetters')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit + 1)
  if (cursor !== undefined) query = query.where('id', '<', decodeCursor(cursor, ['number'])[0])
  return toPage(await query.execute(), limit, present, (row) => [row.id])
}

/** Returns an event that JetStream refused to the outbox; applies an event that a consumer could not apply. */
async function replayOnce({ db, replay }: DeadLetterDeps, row: LetterRow, audit: WriteAudit): Promise<void> {
  const envelope = row.envelope as unknown as Envelope
  if (row.consumer !== OUTBOX_DEAD_LETTER) return replay(row.id, envelope, audit)
  await db.transaction().execute(async (trx) => {
    if (await returnToOutbox(trx, row.id, envelope)) await audit(trx)
  })
}

async function replayLetter(deps: DeadLetterDeps, id: number, cause: Cause): Promise<void> {
  const { service, db } = deps
  const row = await db.selectFrom('deadLetters').selectAll().where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw errors.notFound('This dead letter')
  const facts = deadLetterFacts(service, 'replay', present(row))
  const audit: WriteAudit = (trx) => appendAudit(trx, auditTypeOf(service), facts, cause)
  await replayOnce(deps, row, audit).catch((error: unknown) => {
    throw errors.conflict(`The replay failed: ${error instanceof Error ? error.message : String(error)}`)
  })
}

const dropLetter = ({ service, db }: DeadLetterDeps, id: number, cause: Cause): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const row = await trx.deleteFrom('deadLetters').where('id', '=', id).returningAll().executeTakeFirst()
    if (row === undefined) throw errors.notFound('This dead letter')
    await appendAudit(trx, auditTypeOf(service), deadLetterFacts(service, 'drop', present(row)), cause)
  })
