import {
  type AddPushSubscriptionBody,
  MAX_PUSH_SUBSCRIPTIONS,
  type PushSubscriptionInfo,
} from '@looptide/contracts/http/reminders'
import { newId } from '@looptide/service-kit/db/ids'
import { AppError, errors } from '@looptide/service-kit/http/errors'
import type { RequestUser } from '@looptide/service-kit/identity/request-user'
import type { OutboundRequests } from '@looptide/service-kit/outbound/outbound-requests'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { AccountLoader } from '../users/account-loader.ts'
import { lockProfile } from '../users/user-repository.ts'
import {
  deleteSubscription,
  listSubscriptions,
  type SubscriptionRow,
  saveSubscription,
} from './push-repository.ts'
import { isPublicKey } from './vapid-keys.ts'

interface PushDeps {
  db: Kysely<Database>
  accounts: AccountLoader
  outbound: OutboundRequests
  /** Whether the station sends pushes. */
  pushes: boolean
  now: () => number
}

/** The browsers that receive the reminders of accounts. */
export class PushService {
  readonly #deps: PushDeps

  constructor(deps: PushDeps) {
    this.#deps = deps
  }

  /**
   * Adds a browser until the user's session ends; one that is known is changed, and belongs to this account from then on.
   * Throws `validation_failed` for an address to which the station sends nothing and for a wrong key,
   * `push_subscription_limit`, `not_found` where no pushes are sent.
   */
  async add(
    { id: userId, sessionId }: Pick<RequestUser, 'id' | 'sessionId'>,
    body: AddPushSubscriptionBody,
  ): Promise<PushSubscriptionInfo> {
    const { db, accounts, outbound, pushes, now } = this.#deps
    if (!pushes) throw errors.notFound('Web Push')
    const { endpoint, keys, deviceName = null, declarative = false } = body
    const fault = outbound.faultOf(endpoint)
    if (fault !== undefined) throw errors.validation(fault, [{ path: '/endpoint', message: fault }])
    const p256dh = keys.p256dh.replace(/=$/, '')
    const auth = keys.auth.replace(/==$/, '')
    if (!isPublicKey(p256dh)) throw errors.validation('The key of the subscription is not valid.')
    await accounts.registeredAt(userId)
    const nowMs = now()
    return db.transaction().execute(async (trx) => {
      // Browsers of an account are counted one after another.
      await lockProfile(trx, userId)
      const others = (await listSubscriptions(trx, userId)).filter((one) => one.endpoint !== endpoint)
      if (others.length >= MAX_PUSH_SUBSCRIPTIONS) {
        const message = `Reminders are sent to ${MAX_PUSH_SUBSCRIPTIONS} devices at most. Remove one first.`
        throw new AppError('push_subscription_limit', message)
      }
      const saved = await saveSubscription(trx, {
        ...{ id: newId(nowMs), userId, endpoint, host: new URL(endpoint).host, p256dh, auth, deviceName },
        ...{ isDeclarative: declarative, createdAt: new Date(nowMs), sessionId },
      })
      return present(saved)
    })
  }

  /** The browsers of an account, oldest first. */
  async list(userId: string): Promise<PushSubscriptionInfo[]> {
    return (await listSubscriptions(this.#deps.db, userId)).map(present)
  }

  /** Removes a browser of the account. Idempotent. */
  remove(userId: string, id: string): Promise<void> {
    return deleteSubscription(this.#deps.db, userId, id)
  }
}

const present = ({ id, deviceName, createdAt, lastUsedAt }: SubscriptionRow): PushSubscriptionInfo => ({
  ...{ id, deviceName, createdAt: createdAt.toISOString() },
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
})
