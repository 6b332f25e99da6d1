import type { AuditAction } from '@looptide/contracts/audit-actions'
import {
  MAX_WEBHOOKS,
  type NewWebhookBody,
  SECRET_OVERLAP_MS,
  type Webhook,
  type WebhookChanges,
  type WebhookList,
  type WebhookWithSecret,
} from '@looptide/contracts/http/webhooks'
import { appendAudit } from '@looptide/service-kit/audit/audit'
import { newId } from '@looptide/service-kit/db/ids'
import type { Cause } from '@looptide/service-kit/events/outbox'
import { AppError, errors } from '@looptide/service-kit/http/errors'
import type { OutboundRequests } from '@looptide/service-kit/outbound/outbound-requests'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { dropWaiting } from './delivery-repository.ts'
import { presentWebhook } from './present-webhook.ts'
import { newSecrets } from './secrets.ts'
import {
  countWebhooks,
  deleteWebhook,
  insertWebhook,
  listWebhooks,
  lockWebhook,
  updateWebhook,
  type WebhookRow,
} from './webhook-repository.ts'

interface WebhookDeps {
  db: Kysely<Database>
  outbound: OutboundRequests
  now: () => number
}

type WebhookAction = Extract<AuditAction, `webhook.${string}`>

/** Creates, changes and deletes webhooks. Each change and its audit entry, without secrets, are one transaction. */
export class WebhookService {
  readonly #deps: WebhookDeps

  constructor(deps: WebhookDeps) {
    this.#deps = deps
  }

  async list(): Promise<WebhookList> {
    const rows = await listWebhooks(this.#deps.db)
    return { items: rows.map((row) => presentWebhook(row, this.#deps.now())) }
  }

  /** Throws `unprocessable` for a URL to which nothing may be sent, and above {@link MAX_WEBHOOKS}. */
  async create(body: NewWebhookBody, cause: Cause): Promise<WebhookWithSecret> {
    this.#checkUrl(body.url)
    const { db, now } = this.#deps
    const row = await db.transaction().execute(async (trx) => {
      if ((await countWebhooks(trx)) >= MAX_WEBHOOKS)
        throw new AppError('unprocessable', `There can be up to ${MAX_WEBHOOKS} webhooks. Delete one first.`)
      const { url, events, channelIds = null, format = 'standard', isActive = true } = body
      const created = await insertWebhook(trx, {
        ...{ id: newId(), url, events, channelIds, format, isActive, ...newSecrets() },
        createdBy: cause.actorId ?? null,
        createdAt: new Date(now()),
      })
      await record(trx, 'webhook.create', created.id, { after: auditedOf(created) }, cause)
      return created
    })
    return { ...presentWebhook(row, now()), secret: row.secret }
  }

  /** Throws `not_found`, and `unprocessable` as {@link create}. */
  async update(id: string, changes: WebhookChanges, cause: Cause): Promise<Webhook> {
    if (changes.url !== undefined) this.#checkUrl(changes.url)
    const row = await this.#change(id, async (trx, before) => {
      const restarts = changes.isActive === true && !before.isActive
      const fresh = restarts ? { disabledReason: null, disabledAt: null, failingSince: null } : {}
      const after = await updateWebhook(trx, id, { ...changes, ...fresh })
      if (!after.isActive) await dropWaiting(trx, id)
      const states = { before: auditedOf(before), after: auditedOf(after) }
      await record(trx, 'webhook.update', id, states, cause)
      return after
    })
    return presentWebhook(row, this.#deps.now())
  }

  /** Throws `not_found`. */
  async delete(id: string, cause: Cause): Promise<void> {
    await this.#change(id, async (trx, before) => {
      await deleteWebhook(trx, id)
      await record(trx, 'webhook.delete', id, { before: auditedOf(before) }, cause)
    })
  }

  /** Replaces the secrets. The replaced ones sign too for a day; those before them no longer. Throws `not_found`. */
  async rotateSecret(id: string, cause: Cause): Promise<WebhookWithSecret> {
    const { now } = this.#deps
    const row = await this.#change(id, async (trx, before) => {
      const after = await updateWebhook(trx, id, {
        ...newSecrets(),
        previousSecret: before.secret,
        previousSigningKey: before.signingKey,
        previousUntil: new Date(now() + SECRET_OVERLAP_MS),
      })
      await record(trx, 'webhook.rotate_secret', id, { details: detailsOf(before) }, cause)
      return after
    })
    return { ...presentWebhook(row, now()), secret: row.secret }
  }

  #change<T>(id: string, change: (trx: Transaction<Database>, row: WebhookRow) => Promise<T>): Promise<T> {
    return this.#deps.db.transaction().execute(async (trx) => {
      const row = await lockWebhook(trx, id)
      if (row === undefined) throw errors.notFound('This webhook')
      return change(trx, row)
    })
  }

  #checkUrl(url: string): void {
    const fault = this.#deps.outbound.faultOf(url)
    if (fault !== undefined)
      throw new AppError('unprocessable', fault, { details: [{ path: '/url', message: fault }] })
  }
}

/** Writes the audit entry of a change of a webhook. */
export const record = (
  trx: Transaction<Database>,
  action: WebhookAction,
  targetId: string,
  states: { before?: unknown; after?: unknown; details?: unknown },
  cause: Cause,
): Promise<void> =>
  appendAudit(trx, 'admin.audit.recorded.v1', { action, targetType: 'webhook', targetId, ...states }, cause)

/** What the audit log contains of a webhook. Of the URL only the host: the rest often is a secret of the receiver. */
function auditedOf(row: WebhookRow) {
  const { events, channelIds, format, isActive } = row
  return { ...detailsOf(row), events, channelIds, format, isActive }
}

/** The name of a webhook in the audit log: its host. */
export const detailsOf = ({ url }: Pick<WebhookRow, 'url'>) => ({ host: new URL(url).host })
