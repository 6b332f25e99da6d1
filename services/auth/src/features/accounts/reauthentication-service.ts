import type { Kysely } from 'kysely'
import { AccountError } from '../../account-error.ts'
import type { Vault } from '../../crypto/vault.ts'
import type { Database } from '../../db/schema.ts'
import { codeLifetimeS } from '../codes/code-lifetime.ts'
import { type CodeSender, isCodeDigest } from '../codes/code-sender.ts'
import { countWrongCode, hasTooManyWrongCodes } from '../codes/wrong-codes.ts'
import { requireAddress } from '../users/require-address.ts'
import { userRepository } from '../users/user-repository.ts'

interface ReauthenticationDeps {
  db: Kysely<Database>
  vault: Vault
  codes: CodeSender
  /** Longest lifetime of a code, in seconds. */
  otpTtlS: number
  now: () => number
}

/** Codes that are mailed to a signed-in user and replace the current password (docs/protocols/auth.md, "PUT /user"). */
export class ReauthenticationService {
  readonly #deps: ReauthenticationDeps

  constructor(deps: ReauthenticationDeps) {
    this.#deps = deps
  }

  /** Mails a code, which replaces the former one. Errors: `email_not_confirmed`, `too_many_mails`. */
  async send(userId: string): Promise<void> {
    const { db, codes, now } = this.#deps
    await db.transaction().execute(async (trx) => {
      const user = await userRepository.lockById(trx, userId)
      if (user === undefined) throw new AccountError('user_not_found', 'User not found')
      if (user.emailConfirmedAt === null) {
        throw new AccountError('email_not_confirmed', 'Please verify your email first.')
      }
      const email = requireAddress(user)
      await codes.claim(trx, email, 'reauthentication')
      await userRepository.update(trx, userId, {
        reauthenticationDigest: await codes.sendReauthentication(trx, userId, email),
        reauthenticationSentAt: new Date(now()),
      })
    })
    codes.wake()
  }

  /** Uses a code up. Errors: `nonce_invalid`; wrong codes are counted with those of links. */
  async redeem(userId: string, code: string): Promise<void> {
    const { db, vault, otpTtlS, now } = this.#deps
    const isValid = await db.transaction().execute(async (trx) => {
      const user = await userRepository.lockById(trx, userId)
      if (user === undefined || hasTooManyWrongCodes(user, now())) return false
      const { reauthenticationDigest: digest, reauthenticationSentAt: sentAt } = user
      const codeOf = { userId, slot: 'reauthentication', code } as const
      const validS = await codeLifetimeS(trx, codeOf, otpTtlS)
      const isFresh = sentAt !== null && now() - sentAt.getTime() <= validS * 1000
      if (digest === null || !isFresh || !isCodeDigest(vault, digest, codeOf)) {
        // The refusal is returned, not thrown, because the count must be committed.
        await countWrongCode(trx, userId, new Date(now()))
        return false
      }
      const used = { reauthenticationDigest: null, reauthenticationSentAt: null }
      await userRepository.update(trx, userId, { ...used, wrongCodes: 0, wrongCodesSince: null })
      return true
    })
    if (!isValid) throw new AccountError('nonce_invalid', 'Nonce has expired or is invalid')
  }
}
