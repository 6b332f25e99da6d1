import { AccountSummary } from '@looptide/contracts/http/requests'
import { errors } from '@looptide/service-kit/http/errors'
import { callInternal } from '@looptide/service-kit/identity/internal'
import type { Kysely } from 'kysely'
import { Check } from 'typebox/value'
import type { Database } from '../../db/schema.ts'
import { findRegisteredAt, insertRestriction, projectProfile } from './user-repository.ts'

interface AccountLoaderDeps {
  db: Kysely<Database>
  authUrl: string
  internalToken: string
}

/**
 * Ensures that an account's row exists, with the time of its registration. Events usually bring both. They are fetched from
 * auth for an account whose event has not arrived, or is no longer in the stream.
 */
export class AccountLoader {
  readonly #deps: AccountLoaderDeps

  constructor(deps: AccountLoaderDeps) {
    this.#deps = deps
  }

  /** Returns when the account was created. Throws `service_unavailable` if that is not known and auth does not answer. */
  async registeredAt(userId: string): Promise<Date> {
    const { db, authUrl, internalToken } = this.#deps
    const known = await findRegisteredAt(db, userId)
    if (known !== undefined) return known
    const what = 'The sign-in service'
    const found = await callInternal(`${authUrl}/internal/accounts/${userId}`, what, { internalToken })
    if (!Check(AccountSummary, found) || found.userId !== userId) throw errors.unavailable(what)
    const registeredAt = new Date(found.createdAt)
    await projectProfile(db, { userId, handle: found.handle, registeredAt, version: 0 })
    const restrictions = found.restrictions.map((one) => ({ ...one, restrictionType: 'restricted' as const }))
    for (const { restrictionId, restrictionType, expiresAt } of [...restrictions, ...(found.bans ?? [])]) {
      const until = expiresAt === null ? null : new Date(expiresAt)
      await insertRestriction(db, { restrictionId, restrictionType, userId, expiresAt: until })
    }
    return registeredAt
  }
}
