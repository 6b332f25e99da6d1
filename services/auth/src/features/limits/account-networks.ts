import type { Db } from '@looptide/service-kit/db/db'
import { clientNetworkOf } from '@looptide/service-kit/limits/client-network'
import { type Kysely, type Selectable, sql } from 'kysely'
import { sameBytes, type Vault } from '../../crypto/vault.ts'
import type { Database } from '../../db/schema.ts'

/** Maximum number of networks per account. A further one replaces the least recently used. */
const NETWORKS_PER_ACCOUNT = 8
const NETWORK_TTL_MS = 90 * 86_400_000
/** Minimum time between two updates of the same row, in ms. */
const UPDATE_INTERVAL_MS = 3_600_000

type NetworkRow = Selectable<Database['accountNetworks']>

interface NetworkDeps {
  db: Kysely<Database>
  vault: Vault
  now: () => number
}

/** Networks from which users signed in during the last 90 days, stored as keyed digests. */
export class AccountNetworks {
  readonly #deps: NetworkDeps

  constructor(deps: NetworkDeps) {
    this.#deps = deps
  }

  /** Whether a user with this email signed in from the network of `ip` recently. False for unknown accounts. */
  async isKnown(email: string, ip: string): Promise<boolean> {
    const { db, now } = this.#deps
    const rows = await db
      .selectFrom('accountNetworks')
      .innerJoin('users', 'users.id', 'accountNetworks.userId')
      .select(['accountNetworks.userId', 'accountNetworks.networkDigest'])
      .where('users.email', '=', email)
      .where('accountNetworks.lastUsedAt', '>', new Date(now() - NETWORK_TTL_MS))
      .limit(NETWORKS_PER_ACCOUNT * 2)
      .execute()
    return rows.some((row) => this.#isOf(row, ip))
  }

  /** The rows of these users for the network of `ip`: those who signed in from it recently. One statement. */
  async find(db: Db<Database>, userIds: readonly string[], ip: string | null): Promise<NetworkRow[]> {
    const rows = await db
      .selectFrom('accountNetworks')
      .selectAll()
      .where('userId', '=', sql<string>`any(${[...userIds]}::uuid[])`)
      .where('lastUsedAt', '>', new Date(this.#deps.now() - NETWORK_TTL_MS))
      .execute()
    return ip === null ? [] : rows.filter((row) => this.#isOf(row, ip))
  }

  /** Records a successful sign-in from the network of `ip`. */
  async record(userId: string, ip: string): Promise<void> {
    const { db, now } = this.#deps
    const lastUsedAt = new Date(now())
    const written = await db
      .insertInto('accountNetworks')
      .values({ userId, networkDigest: this.#digest(userId, ip), lastUsedAt, wrongCodesSince: null })
      .onConflict((conflict) =>
        conflict
          .columns(['userId', 'networkDigest'])
          .doUpdateSet({ lastUsedAt })
          .where('accountNetworks.lastUsedAt', '<', new Date(now() - UPDATE_INTERVAL_MS)),
      )
      .returning('userId')
      .executeTakeFirst()
    if (written !== undefined) await this.#trim(userId)
  }

  async #trim(userId: string): Promise<void> {
    const { db } = this.#deps
    const surplus = db
      .selectFrom('accountNetworks')
      .select('networkDigest')
      .where('userId', '=', userId)
      .orderBy('lastUsedAt', 'desc')
      .offset(NETWORKS_PER_ACCOUNT)
    await db
      .deleteFrom('accountNetworks')
      .where('userId', '=', userId)
      .where('networkDigest', 'in', surplus)
      .execute()
  }

  #isOf({ userId, networkDigest }: Pick<NetworkRow, 'userId' | 'networkDigest'>, ip: string): boolean {
    return this.#deps.vault
      .digests('account-network', userId, clientNetworkOf(ip).network)
      .some((digest) => sameBytes(networkDigest, digest))
  }

  #digest(userId: string, ip: string): Buffer {
    return this.#deps.vault.digest('account-network', userId, clientNetworkOf(ip).network)
  }
}

/** Rows last used before this time are deleted; epoch ms. */
export const networksExpiredBeforeMs = (nowMs: number): number => nowMs - NETWORK_TTL_MS
