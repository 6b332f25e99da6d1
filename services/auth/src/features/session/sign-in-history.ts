import { minIdAt, newId } from '@looptide/service-kit/db/ids'
import type { Cause } from '@looptide/service-kit/events/outbox'
import { clientNetworkOf, shownNetworkOf } from '@looptide/service-kit/limits/client-network'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import type { Kysely, Transaction } from 'kysely'
import type { Database, SignInMethod } from '../../db/schema.ts'
import type { SecurityNotices } from '../mail/security-notices.ts'
import type { UserRow } from '../user/user-repository.ts'
import { deviceName } from './device-name.ts'
import type { SignInRow } from './sign-in-repository.ts'
import * as signInRepository from './sign-in-repository.ts'

const SIGN_IN_TTL_MS = 90 * 86_400_000

/** The client of a request. It is stored with the session, so that its user can recognise it. */
export interface Client {
  userAgent: string | null
  ip: string | null
  /** How a device names itself that is being paired. */
  deviceName?: string
  cause: Cause
}

interface HistoryDeps {
  db: Kysely<Database>
  notices: SecurityNotices
  logger: Logger
  now: () => number
}

/** The sign-ins of each user in the last 90 days, and the mail about one from a new network and browser. */
export class SignInHistory {
  readonly #deps: HistoryDeps

  constructor(deps: HistoryDeps) {
    this.#deps = deps
  }

  /**
   * Records a successful sign-in, in the caller's transaction and before its session is stored. The owner is notified if
   * neither the network nor the browser was used before, except at the first sign-in. `user` is from before the sign-in.
   */
  async succeeded(
    trx: Transaction<Database>,
    user: UserRow,
    method: SignInMethod,
    client: Client,
  ): Promise<void> {
    const row = this.#rowOf(user.id, method, true, client)
    if (user.lastSignInAt !== null && (await isNew(trx, row)))
      await this.#deps.notices.newSignIn(trx, user, row)
    await signInRepository.add(trx, [row])
  }

  /** Records a refused sign-in of these users. The same statements for any number of users, also for none. Never rejects. */
  async failed(userIds: readonly string[], method: SignInMethod, client: Client): Promise<void> {
    try {
      const rows = userIds.map((userId) => this.#rowOf(userId, method, false, client))
      await signInRepository.add(this.#deps.db, rows)
    } catch (error) {
      // The client is refused in any case. The account may have been deleted meanwhile.
      this.#deps.logger.warn({ err: error }, 'refused sign-in not recorded')
    }
  }

  /** Newest first. Returns `limit + 1` rows when there are more than `limit`. */
  list(userId: string, page: { after: string | undefined; limit: number }): Promise<SignInRow[]> {
    const { db, now } = this.#deps
    return signInRepository.listOf(db, userId, { ...page, minId: oldestSignInId(now()) })
  }

  #rowOf(userId: string, method: SignInMethod, succeeded: boolean, { userAgent, ip }: Client): SignInRow {
    const nowMs = this.#deps.now()
    return {
      id: newId(nowMs),
      userId,
      createdAt: new Date(nowMs),
      method,
      succeeded,
      device: deviceName(userAgent),
      network: ip === null ? null : shownNetworkOf(ip),
    }
  }
}

/** Rows with a smaller id are deleted. */
export const oldestSignInId = (nowMs: number): string => minIdAt(nowMs - SIGN_IN_TTL_MS)

/** Whether neither the device nor the network is known of the user's earlier sign-ins and current sessions. */
async function isNew(trx: Transaction<Database>, { userId, device, network }: SignInRow): Promise<boolean> {
  const matches = (known: Pick<SignInRow, 'device' | 'network'>): boolean =>
    known.device === device || known.network === network
  if ((await signInRepository.knownOf(trx, userId)).some(matches)) return false
  const clients = await signInRepository.clientsOf(trx, userId)
  return !clients.some(({ userAgent, ip }) =>
    matches({ device: deviceName(userAgent), network: ip === null ? null : shownNetworkOf(ip) }),
  )
}

/** The network that rate limits count an IP by; null for none. */
export const networkOf = (ip: string | null): string | null =>
  ip === null ? null : clientNetworkOf(ip).network
