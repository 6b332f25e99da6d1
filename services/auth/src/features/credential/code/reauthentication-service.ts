import type { Kysely } from 'kysely'
import { AccountError } from '../../../account-error.ts'
import type { Vault } from '../../../crypto/vault.ts'
import type { Database } from '../../../db/schema.ts'
import type { MailRequester } from '../../limits/mail-guard.ts'
import type { RateLimits } from '../../limits/rate-limits.ts'
import { isAnonymous, requireAddress } from '../../user/require-address.ts'
import * as userRepository from '../../user/user-repository.ts'
import { codeLifetimeS } from './code-lifetime.ts'
import { type CodeSender, isCodeDigest } from './code-sender.ts'

/** The text of GoTrue, which clients match. */
const NO_ADDRESS = 'Reauthentication requires the user to have an email or a phone number'

interface ReauthenticationDeps {
  db: Kysely<Database>
  vault: Vault
  codes: CodeSender
  limits: RateLimits
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
  async send(userId: string, requester: MailRequester): Promise<void> {
    const { db, codes, now } = this.#deps
    await db.transaction().execute(async (trx) => {
      const user = await userRepository.lockById(trx, userId)
      if (user === undefined) throw new AccountError('user_not_found', 'User not found')
      if (isAnonymous(user)) throw new AccountError('email_not_confirmed', NO_ADDRESS)
      if (user.emailConfirmedAt === null) {
        throw new AccountError('email_not_confirmed', 'Please verify your email first.')
      }
      const email = requireAddress(user)
      await codes.claim(trx, { email, slot: 'reauthentication', requester })
      await userRepository.update(trx, userId, {
        reauthenticationDigest: await codes.sendReauthentication(trx, userId, email),
        reauthenticationSentAt: new Date(now()),
      })
    })
    codes.wake()
  }

  /**
   * Uses a code up. Errors: `nonce_invalid`, also for a correct code after too many wrong ones. These are counted for signed-in
   * clients alone, so that strangers who guess mailed codes do not use the attempts up.
   */
  async redeem(userId: string, code: string): Promise<void> {
    const { db, vault, limits, otpTtlS, now } = this.#deps
    const attempt = ['reauthentication-account', userId] as const
    const exhausted = await limits.tryConsume(attempt)
    const isValid = await db.transaction().execute(async (trx) => {
      const user = await userRepository.lockById(trx, userId)
      if (user === undefined || exhausted !== undefined) return false
      const { reauthenticationDigest: digest, reauthenticationSentAt: sentAt } = user
      const codeOf = { userId, slot: 'reauthentication', code } as const
      const validS = await codeLifetimeS(trx, codeOf, otpTtlS)
      const isFresh = sentAt !== null && now() - sentAt.getTime() <= validS * 1000
      if (digest === null || !isFresh || !isCodeDigest(vault, digest, codeOf)) return false
      await userRepository.update(trx, userId, { reauthenticationDigest: null, reauthenticationSentAt: null })
      return true
    })
    if (isValid) await limits.refund(attempt)
    else throw new AccountError('nonce_invalid', 'Nonce has expired or is invalid')
  }
}
