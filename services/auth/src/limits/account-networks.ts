import { clientNetworkOf } from '@looptide/service-kit/client-network'
import type { Kysely } from 'kysely'
import { sameBytes, type Vault } from '../crypto/vault.ts'
import type { AuthDatabase } from '../db/schema.ts'

/** Networks that are kept per account; one more removes the one used least recently. */
const NETWORKS_PER_ACCOUNT = 8
const KEPT_MS = 90 * 86_400_000
/** An entry younger than this is not written again. */
const REFRESH_MS = 3_600_000

interface NetworkDeps {
  db: Kysely<AuthDatabase>
  vault: Vault
  now: () => number
}

/** The networks from which people have signed in successfully, kept as keyed digests for 90 days. */
export class AccountNetworks {
  readonly #deps: NetworkDeps

  constructor(deps: NetworkDeps) {
    this.#deps = deps
  }

  /** Whether the account of `email` was used from the network of `address` recently. False for unknown accounts. */
  async isKnown(email: string, address: string): Promise<boolean> {
    const { db, now } = this.#deps
    const rows = await db
      .selectFrom('accountNetworks')
      .innerJoin('users', 'users.id', 'accountNetworks.userId')
      .select(['accountNetworks.userId', 'accountNetworks.networkDigest'])
      .where('users.email', '=', email)
      .where('accountNetworks.lastUsedAt', '>', new Date(now() - KEPT_MS))
      .limit(NETWORKS_PER_ACCOUNT * 2)
      .execute()
    const { network } = clientNetworkOf(address)
    return rows.some(({ userId, networkDigest }) =>
      this.#deps.vault
        .digests('account-network', userId, network)
        .some((digest) => sameBytes(networkDigest, digest)),
    )
  }

  /** Notes a successful sign-in. */
  async remember(userId: string, address: string): Promise<void> {
    const { db, now } = this.#deps
    const lastUsedAt = new Date(now())
    const written = await db
      .insertInto('accountNetworks')
      .values({ userId, networkDigest: this.#digest(userId, address), lastUsedAt })
      .onConflict((conflict) =>
        conflict
          .columns(['userId', 'networkDigest'])
          .doUpdateSet({ lastUsedAt })
          .where('accountNetworks.lastUsedAt', '<', new Date(now() - REFRESH_MS)),
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

  #digest(userId: string, address: string): Buffer {
    return this.#deps.vault.digest('account-network', userId, clientNetworkOf(address).network)
  }
}

/** Entries last used before this are deleted; epoch ms. */
export const forgottenBeforeMs = (nowMs: number): number => nowMs - KEPT_MS
