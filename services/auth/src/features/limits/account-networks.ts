import type { Db } from '@looptide/service-kit/db/db'
import { clientNetworkOf } from '@looptide/service-kit/limits/client-network'
import type { Kysely } from 'kysely'
import { sameBytes, type Vault } from '../../crypto/vault.ts'
import type { Database } from '../../db/schema.ts'
import {
  findNetworksOf,
  findNetworksOfEmail,
  type NetworkRow,
  trimNetworks,
  upsertNetwork,
} from './network-repository.ts'

/** Maximum number of networks per account. A further one replaces the least recently used. */
const NETWORKS_PER_ACCOUNT = 8
const NETWORK_TTL_MS = 90 * 86_400_000
/** Minimum time between two updates of the same row, in ms. */
const UPDATE_INTERVAL_MS = 3_600_000

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
    const rows = await findNetworksOfEmail(db, email, {
      usedAfter: new Date(now() - NETWORK_TTL_MS),
      limit: NETWORKS_PER_ACCOUNT * 2,
    })
    return rows.some((row) => this.#isOf(row, ip))
  }

  /** The rows of these users for the network of `ip`: those who signed in from it recently. One statement. */
  async find(db: Db<Database>, userIds: readonly string[], ip: string | null): Promise<NetworkRow[]> {
    const rows = await findNetworksOf(db, userIds, new Date(this.#deps.now() - NETWORK_TTL_MS))
    return ip === null ? [] : rows.filter((row) => this.#isOf(row, ip))
  }

  /** Records a successful sign-in from the network of `ip`. */
  async record(userId: string, ip: string): Promise<void> {
    const { db, now } = this.#deps
    const row = { userId, networkDigest: this.#digest(userId, ip), lastUsedAt: new Date(now()) }
    const isWritten = await upsertNetwork(db, row, new Date(now() - UPDATE_INTERVAL_MS))
    if (isWritten) await trimNetworks(db, userId, NETWORKS_PER_ACCOUNT)
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
