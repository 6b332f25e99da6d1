import type { Passkey } from '@looptide/contracts/http/passkeys'
import type { Cause } from '@looptide/service-kit/events/outbox'
import type { Kysely } from 'kysely'
import { AccountError } from '../../../account-error.ts'
import type { Database } from '../../../db/schema.ts'
import type { SecurityNotices } from '../../mail/security-notices.ts'
import { type Caller, lockCaller } from '../../session/caller.ts'
import { auditStaff } from '../../user/user-role.ts'
import * as passkeyRepository from './passkey-repository.ts'
import { presentPasskey } from './present-passkey.ts'

interface PasskeyDeps {
  db: Kysely<Database>
  notices: SecurityNotices
}

/** The passkeys of a signed-in user: list, names, removal. */
export class PasskeyService {
  readonly #deps: PasskeyDeps

  constructor(deps: PasskeyDeps) {
    this.#deps = deps
  }

  async list(userId: string): Promise<Passkey[]> {
    return (await passkeyRepository.listOf(this.#deps.db, userId)).map(presentPasskey)
  }

  /** Errors: `passkey_not_found`. */
  async rename(userId: string, id: string, name: string): Promise<Passkey> {
    const row = await passkeyRepository.rename(this.#deps.db, userId, id, name)
    if (row === undefined) throw notFound()
    return presentPasskey(row)
  }

  /**
   * Removes a passkey and notifies its owner by mail. Sessions that it started continue. Errors:
   * `passkey_not_found`.
   */
  async remove(caller: Caller, id: string, cause: Cause): Promise<void> {
    const { db, notices } = this.#deps
    const userId = caller.user.id
    await db.transaction().execute(async (trx) => {
      const user = await lockCaller(trx, caller)
      const removed = await passkeyRepository.remove(trx, userId, id)
      if (removed === undefined) throw notFound()
      await notices.passkeyRemoved(trx, user, removed.name)
      const details = { passkeyName: removed.name }
      const facts = { action: 'passkey.remove', targetType: 'passkey', targetId: id, details } as const
      await auditStaff(trx, userId, facts, cause)
    })
    notices.wake()
  }
}

const notFound = (): AccountError => new AccountError('passkey_not_found', 'Passkey not found')
