import { appendAudit } from '@looptide/service-kit/audit/audit'
import type { Db } from '@looptide/service-kit/db/db'
import { newId } from '@looptide/service-kit/db/ids'
import { appendEvent, type Cause } from '@looptide/service-kit/events/outbox'
import type { Transaction } from 'kysely'
import type { Vault } from '../../crypto/vault.ts'
import type { Database } from '../../db/schema.ts'
import { mailboxOf } from '../user/mailbox.ts'
import * as restrictionRepository from '../user/restriction-repository.ts'
import { presentRestriction, type RestrictionRow } from '../user/restriction-repository.ts'
import { deleteKept, findKept, type KeptRow, upsertKept } from './kept-restriction-repository.ts'

/** Time for which a permanent restriction is kept after its account was deleted, in ms. Others are kept until they end. */
const PERMANENT_KEPT_MS = 365 * 86_400_000

/** The id and email of an account. Nothing is kept or applied for anonymous users, who have none. */
export interface AccountEmail {
  id: string
  email: string | null
}

/**
 * Restrictions of deleted accounts. They are stored by a keyed digest of the email, so that the table identifies no
 * user, and apply again to an account with the same email.
 */
export class KeptRestrictions {
  readonly #vault: Vault

  constructor(vault: Vault) {
    this.#vault = vault
  }

  /** Stores the active restrictions of accounts that will be deleted, in the caller's transaction. */
  async keep(trx: Transaction<Database>, accounts: readonly AccountEmail[], now: Date): Promise<void> {
    const emails = new Map(
      accounts.flatMap(({ id, email }) => (email === null ? [] : [[id, email] as const])),
    )
    for (const row of await restrictionRepository.activeOf(trx, [...emails.keys()], now)) {
      await this.#put(trx, row, emails.get(row.userId) ?? '', now)
    }
  }

  /**
   * Applies the restrictions kept for the account's email, with event and audit entry. If the account has one of the same
   * type, the longer one remains. They stay kept, for further accounts whose email differs only in a `+tag`.
   */
  async apply(trx: Transaction<Database>, account: AccountEmail, now: Date, cause: Cause): Promise<void> {
    if (account.email === null) return
    const rows = await findKept(trx, this.#digests(account.email), now)
    for (const kept of rows) {
      const current = await restrictionRepository.ofType(trx, account.id, kept.restrictionType)
      if (current !== undefined && endOf(current) >= endOf(kept)) continue
      if (current !== undefined) await restrictionRepository.remove(trx, current.id)
      await restrict(trx, account, kept, now, cause)
    }
  }

  /** Deletes the kept copy of a restriction that was lifted from an account with this email. */
  async forget(trx: Transaction<Database>, email: string | null, lifted: RestrictionRow): Promise<void> {
    if (email === null) return
    await deleteKept(trx, this.#digests(email), lifted)
  }

  async #put(db: Db<Database>, row: RestrictionRow, email: string, now: Date): Promise<void> {
    const { restrictionType, reason, createdBy, createdByRole, createdAt, expiresAt } = row
    await upsertKept(db, {
      addressDigest: this.#digest(email),
      restrictionType,
      reason,
      createdBy,
      createdByRole,
      createdAt,
      expiresAt,
      keptUntil: expiresAt ?? new Date(now.getTime() + PERMANENT_KEPT_MS),
    })
  }

  #digest(email: string): Buffer {
    return this.#vault.digest('restricted-address', mailboxOf(email))
  }

  /** The digests with the current and, if set, the former secret. */
  #digests(email: string): Buffer[] {
    return this.#vault.digests('restricted-address', mailboxOf(email))
  }
}

const endOf = ({ expiresAt }: { expiresAt: Date | null }): number =>
  expiresAt?.getTime() ?? Number.POSITIVE_INFINITY

/** Restricts an account as `kept` says, and publishes and audits it. */
async function restrict(
  trx: Transaction<Database>,
  account: AccountEmail,
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
  const data = {
    userId: account.id,
    restrictionId: id,
    restrictionType,
    reason,
    expiresAt: expiresAt?.toISOString() ?? null,
  }
  await appendEvent(trx, 'auth.user.restricted.v1', account.id, data, cause)
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
