import {
  DELIVERY_KINDS,
  MAX_WAITING_DELIVERIES,
  type WebhookDelivery,
  type WebhookDeliveryList,
} from '@looptide/contracts/http/webhooks'
import { TEST_EVENT, type WebhookPayload } from '@looptide/contracts/webhook-events'
import { newId } from '@looptide/service-kit/db/ids'
import type { Cause } from '@looptide/service-kit/events/outbox'
import { AppError, errors } from '@looptide/service-kit/http/errors'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import {
  countWaiting,
  findDelivery,
  insertDeliveries,
  listDeliveries,
  makeDue,
} from './delivery-repository.ts'
import { presentDelivery } from './present-webhook.ts'
import { findWebhook, lockWebhook, type WebhookRow } from './webhook-repository.ts'
import { detailsOf, record } from './webhook-service.ts'

/** Maximum tests and repeated deliveries of a webhook that wait. */
const MAX_WAITING = 10

interface ManualDeps {
  db: Kysely<Database>
  now: () => number
  /** Tells the worker of this process that a delivery was stored. */
  wake: () => void
}

/** The deliveries of a webhook, and those that an admin sends: tests, and deliveries once more. */
export class ManualDeliveries {
  readonly #deps: ManualDeps

  constructor(deps: ManualDeps) {
    this.#deps = deps
  }

  /** Throws `not_found`. */
  async list(id: string): Promise<WebhookDeliveryList> {
    const webhook = known(await findWebhook(this.#deps.db, id))
    const rows = await listDeliveries(this.#deps.db, id)
    const waiting = await countWaiting(this.#deps.db, id, DELIVERY_KINDS, MAX_WAITING_DELIVERIES)
    return { items: rows.map((row) => presentDelivery(row, webhook.format)), waiting }
  }

  /** Sends a test, also to a webhook that is off. Throws `not_found`, and `unprocessable` if many wait. */
  async test(id: string, cause: Cause): Promise<WebhookDelivery> {
    return this.#send(id, cause, 'webhook.test', async () => ({
      eventId: newId(),
      kind: 'test',
      channelId: null,
      payload: {
        type: TEST_EVENT,
        timestamp: new Date(this.#deps.now()).toISOString(),
        data: { message: 'This is a test.' },
      },
    }))
  }

  /**
   * Sends a delivery once more, with the same `webhook-id`. One that still waits is sent at once instead. Throws
   * `not_found`, and `unprocessable` if many wait.
   */
  async resend(id: string, deliveryId: string, cause: Cause): Promise<WebhookDelivery> {
    return this.#send(id, cause, 'webhook.resend', async (trx) => {
      const delivery = await findDelivery(trx, id, deliveryId)
      if (delivery === undefined) throw errors.notFound('This delivery')
      if (delivery.state === 'waiting') return { waitingId: deliveryId }
      const { eventId, channelId, payload } = delivery
      return { eventId, kind: 'resend', channelId, payload }
    })
  }

  async #send(
    id: string,
    cause: Cause,
    action: 'webhook.test' | 'webhook.resend',
    read: (trx: Transaction<Database>) => Promise<Message | { waitingId: string }>,
  ): Promise<WebhookDelivery> {
    const { db, now, wake } = this.#deps
    const sent = await db.transaction().execute(async (trx) => {
      const webhook = known(await lockWebhook(trx, id))
      if ((await countWaiting(trx, id, ['test', 'resend'], MAX_WAITING)) >= MAX_WAITING)
        throw new AppError('unprocessable', 'Too many deliveries are waiting. Try again in a minute.')
      const message = await read(trx)
      const deliveryId = 'waitingId' in message ? message.waitingId : newId()
      const createdAt = new Date(now())
      if ('waitingId' in message) await makeDue(trx, deliveryId, createdAt)
      // In a lane of its own: it waits for no event, and no event waits for it.
      else
        await insertDeliveries(trx, [
          { ...message, id: deliveryId, webhookId: id, lane: deliveryId, createdAt },
        ])
      await record(trx, action, id, { details: detailsOf(webhook) }, cause)
      const row = await findDelivery(trx, id, deliveryId)
      if (row === undefined) throw errors.notFound('This delivery')
      return presentDelivery(row, webhook.format)
    })
    wake()
    return sent
  }
}

interface Message {
  eventId: string
  kind: 'test' | 'resend'
  channelId: string | null
  payload: WebhookPayload
}

function known(row: WebhookRow | undefined): WebhookRow {
  if (row === undefined) throw errors.notFound('This webhook')
  return row
}
