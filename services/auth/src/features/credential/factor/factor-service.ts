import { newId } from '@looptide/service-kit/db/ids'
import type { Cause } from '@looptide/service-kit/events/outbox'
import type { Kysely } from 'kysely'
import type { Vault } from '../../../crypto/vault.ts'
import type { Database } from '../../../db/schema.ts'
import type { SecurityNotices } from '../../mail/security-notices.ts'
import { type Caller, lockCaller } from '../../session/caller.ts'
import type { SessionService } from '../../session/session-service.ts'
import type { FactorRow } from '../../user/factor-repository.ts'
import * as factorRepository from '../../user/factor-repository.ts'
import { isVerified } from '../../user/present-factor.ts'
import { requireAddress } from '../../user/require-address.ts'
import { auditFactor } from './audit-factor.ts'
import { findFactor, removeFactor, requireMayEnroll } from './factor-rules.ts'
import { newTotp, type TotpEnrollment } from './totp.ts'

/** Time in which an enrolled factor must be verified, in ms. */
export const UNVERIFIED_TTL_MS = 900_000

interface FactorDeps {
  db: Kysely<Database>
  vault: Vault
  sessions: SessionService
  notices: SecurityNotices
  now: () => number
}

/** Authenticator apps and security keys: enrolled and removed (docs/protocols/auth.md, "Second factors"). */
export class FactorService {
  readonly #deps: FactorDeps

  constructor(deps: FactorDeps) {
    this.#deps = deps
  }

  /**
   * Adds an app that has to be verified within {@link UNVERIFIED_TTL_MS}. Errors: `factor_name_taken`,
   * `too_many_factors`.
   */
  async enrollApp(
    caller: Caller,
    { friendlyName, issuer }: { friendlyName: string; issuer: string },
  ): Promise<{ id: string; totp: TotpEnrollment }> {
    const totp = newTotp(issuer, requireAddress(caller.user))
    const id = newId(this.#deps.now())
    const sealedSecret = this.#deps.vault.seal(totp.secret, id)
    await this.#enroll(caller, { id, friendlyName, factorType: 'totp', sealedSecret })
    return { id, totp }
  }

  /** Adds a security key, like {@link enrollApp}. The browser creates the credential with the first challenge. */
  async enrollKey(caller: Caller, friendlyName: string): Promise<{ id: string }> {
    const id = newId(this.#deps.now())
    await this.#enroll(caller, { id, friendlyName, factorType: 'webauthn', sealedSecret: null })
    return { id }
  }

  async #enroll(
    caller: Caller,
    factor: Pick<FactorRow, 'id' | 'friendlyName' | 'factorType' | 'sealedSecret'>,
  ): Promise<void> {
    const at = new Date(this.#deps.now())
    const userId = caller.user.id
    await this.#deps.db.transaction().execute(async (trx) => {
      await lockCaller(trx, caller)
      await factorRepository.deleteUnverified(trx, userId, new Date(at.getTime() - UNVERIFIED_TTL_MS))
      requireMayEnroll(await factorRepository.listOf(trx, userId), factor.friendlyName)
      const state = { status: 'unverified', createdAt: at, updatedAt: at, lastChallengedAt: null } as const
      await factorRepository.insert(trx, { ...factor, ...state, userId })
    })
  }

  /** Removes a factor (see {@link removeFactor}). Errors: `factor_not_found`. */
  async unenroll(caller: Caller, factorId: string, cause: Cause): Promise<void> {
    const { db, notices } = this.#deps
    await db.transaction().execute(async (trx) => {
      const user = await lockCaller(trx, caller)
      const factor = await findFactor(trx, caller, factorId)
      await removeFactor(trx, this.#deps, { user, factor }, cause)
      if (isVerified(factor)) await auditFactor(trx, 'factor.remove', factor, cause)
    })
    notices.wake()
  }
}
