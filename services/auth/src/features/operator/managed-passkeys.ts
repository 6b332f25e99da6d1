import type { Passkey } from '@looptide/contracts/http/passkeys'
import type { Cause } from '@looptide/service-kit/events/outbox'
import { errors } from '@looptide/service-kit/http/errors'
import type { Kysely } from 'kysely'
import { AccountError } from '../../account-error.ts'
import type { Database } from '../../db/schema.ts'
import * as passkeyRepository from '../credential/passkey/passkey-repository.ts'
import { presentPasskey } from '../credential/passkey/present-passkey.ts'
import type { SecurityNotices } from '../mail/security-notices.ts'
import * as userRepository from '../user/user-repository.ts'
import { recordManagement } from './administration-service.ts'

interface ManagedPasskeysDeps {
  db: Kysely<Database>
  notices: SecurityNotices
}

/** The passkeys of an account as the holder of the service key manages them. */
export class ManagedPasskeys {
  readonly #deps: ManagedPasskeysDeps

  constructor(deps: ManagedPasskeysDeps) {
    this.#deps = deps
  }

  /** The passkeys of an account, the oldest first. Errors: `not_found`. */
  async list(userId: string): Promise<Passkey[]> {
    const { db } = this.#deps
    if ((await userRepository.byId(db, userId)) === undefined) throw errors.notFound('This user')
    return (await passkeyRepository.listOf(db, userId)).map(presentPasskey)
  }

  /**
   * Removes a passkey and notifies its owner by mail. Sessions that it started continue. Errors: `not_found`,
   * `passkey_not_found`.
   */
  async remove(userId: string, id: string, cause: Cause): Promise<void> {
    const { db, notices } = this.#deps
    await db.transaction().execute(async (trx) => {
      const user = await userRepository.lockById(trx, userId)
      if (user === undefined) throw errors.notFound('This user')
      const removed = await passkeyRepository.remove(trx, userId, id)
      if (removed === undefined) throw new AccountError('passkey_not_found', 'Passkey not found')
      await notices.passkeyRemoved(trx, user, removed.name)
      await recordManagement(trx, 'user.remove_passkey', userId, null, cause)
    })
    notices.wake()
  }
}
