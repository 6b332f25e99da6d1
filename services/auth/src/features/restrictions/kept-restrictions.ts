import { appendAudit } from '@looptide/service-kit/audit'
import type { Db } from '@looptide/service-kit/db'
import { newId } from '@looptide/service-kit/ids'
import { appendEvent, type Cause } from '@looptide/service-kit/outbox'
import { type Selectable, sql, type Transaction } from 'kysely'
import type { Vault } from '../../crypto/vault.ts'
import type { AuthDatabase } from '../../db/schema.ts'
import { presentRestriction, type RestrictionRow, restrictionRepository } from './restriction-repository.ts'

/** How long a permanent restriction is kept after its account was deleted; others until they end by themselves. */
export const PERMANENT_KEPT_MS = 365 * 86_400_000

type KeptRow = Selectable<AuthDatabase['keptRestrictions']>

/** An account as far as its address counts. */
export interface Addressed {
  id: string
  email: string
}

/**
 * Restrictions of deleted accounts. They are stored under a keyed digest of the mail address, so that the table names
 * nobody, and apply again to an account with that address.
 */
export class KeptRestrictions {
  readonly #vault: Vault

  constructor(vault: Vault) {
    this.#vault = vault
  }

  /** Stores what is in force for accounts that are about to be deleted, in the caller's transaction. */
  async keep(trx: Transaction<AuthDatabase>, accounts: readonly Addressed[], now: Date): Promise<void> {
    const emails = new Map(accounts.map(({ id, email }) => [id, email]))
    for (const row of await restrictionRepository.activeOf(trx, [...emails.keys()], now)) {
      await this.#put(trx, row, emails.get(row.userId) ?? '', now)
    }
  }

  /**
   * Gives an account the restrictions kept for its address, with event and audit entry; of two of a type the one that
   * lasts longer stays. They stay kept for other accounts with a tag in the address.
   */
  async apply(trx: Transaction<AuthDatabase>, account: Addressed, now: Date, cause: Cause): Promise<void> {
    const rows = await trx
      .selectFrom('keptRestrictions')
      .selectAll()
      .where('addressDigest', 'in', this.#digests(account.email))
      .where('keptUntil', '>', now)
      .execute()
    for (const kept of rows) {
      const present = await restrictionRepository.ofType(trx, account.id, kept.restrictionType)
      if (present !== undefined && endOf(present) >= endOf(kept)) continue
      if (present !== undefined) await restrictionRepository.delete(trx, present.id)
      await restrict(trx, account, kept, now, cause)
    }
  }

  /** Forgets a restriction that was lifted from an account with this address. */
  async forget(trx: Transaction<AuthDatabase>, email: string, lifted: RestrictionRow): Promise<void> {
    await trx
      .deleteFrom('keptRestrictions')
      .where('addressDigest', 'in', this.#digests(email))
      .where('restrictionType', '=', lifted.restrictionType)
      // Not one that somebody else set on another account with a tag in the address.
      .where('createdAt', '=', lifted.createdAt)
      .execute()
  }

  async #put(db: Db<AuthDatabase>, row: RestrictionRow, email: string, now: Date): Promise<void> {
    const { restrictionType, reason, createdBy, createdByRole, createdAt, expiresAt } = row
    const fresh = {
      reason,
      createdBy,
      createdByRole,
      createdAt,
      expiresAt,
      keptUntil: expiresAt ?? new Date(now.getTime() + PERMANENT_KEPT_MS),
    }
    const isShorter = sql<boolean>`kept_restrictions.expires_at is not null
      and (excluded.expires_at is null or excluded.expires_at > kept_restrictions.expires_at)`
    await db
      .insertInto('keptRestrictions')
      .values({ addressDigest: this.#digest(email), restrictionType, ...fresh })
      .onConflict((conflict) =>
        conflict.columns(['addressDigest', 'restrictionType']).doUpdateSet(fresh).where(isShorter),
      )
      .execute()
  }

  #digest(email: string): Buffer {
    return this.#vault.digest('restricted-address', mailboxOf(email))
  }

  /** Also by the previous secret, while there is one. */
  #digests(email: string): Buffer[] {
    return this.#vault.digests('restricted-address', mailboxOf(email))
  }
}

/**
 * The mailbox of an address: in lower case and without a `+tag` (RFC 5233), which most mail servers deliver to the same
 * person. Other aliases are not recognised.
 */
export const mailboxOf = (email: string): string => email.toLowerCase().replace(/(?<=.)\+[^@]*(?=@)/, '')

const endOf = ({ expiresAt }: { expiresAt: Date | null }): number =>
  expiresAt?.getTime() ?? Number.POSITIVE_INFINITY

async function restrict(
  trx: Transaction<AuthDatabase>,
  account: Addressed,
  kept: KeptRow,
  now: Date,
  cause: Cause,
): Promise<void> {
  const { restrictionType, reason, createdBy, createdByRole, createdAt, expiresAt } = kept
  const id = newId(now.getTime())
  const row = {
    id,
    userId: account.id,
    restrictionType,
    reason,
    createdBy,
    createdByRole,
    createdAt,
    expiresAt,
  }
  await restrictionRepository.insert(trx, row)
  const facts = {
    userId: account.id,
    restrictionId: id,
    restrictionType,
    reason,
    expiresAt: expiresAt?.toISOString() ?? null,
  }
  await appendEvent(trx, 'auth.user.restricted.v1', account.id, facts, cause)
  await appendAudit(
    trx,
    'auth.audit.recorded.v1',
    {
      action: 'user.restriction.carry_over',
      targetType: 'user_restriction',
      targetId: id,
      targetUserId: account.id,
      before: null,
      after: presentRestriction(row),
    },
    cause,
  )
}
