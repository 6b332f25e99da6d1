import type { Db } from '@looptide/service-kit/db/db'
import { newId } from '@looptide/service-kit/db/ids'
import type { Cause } from '@looptide/service-kit/events/outbox'
import type { Kysely, Transaction } from 'kysely'
import { Secret } from 'otpauth'
import { AccountError } from '../../../account-error.ts'
import { sha256 } from '../../../crypto/one-time-secret.ts'
import type { Database } from '../../../db/schema.ts'
import type { SecurityNotices } from '../../mail/security-notices.ts'
import { type Caller, lockCaller } from '../../session/caller.ts'
import type { SessionService } from '../../session/session-service.ts'
import type { Client } from '../../session/sign-in-history.ts'
import type { FactorRow } from '../../user/factor-repository.ts'
import * as factorRepository from '../../user/factor-repository.ts'
import { isVerified } from '../../user/present-factor.ts'
import * as recoveryCodeRepository from '../../user/recovery-code-repository.ts'
import { auditFactor } from './audit-factor.ts'

const CODES_PER_SET = 10
const BYTES_PER_CODE = 10

/** A code of 80 random bits: 16 characters of base 32, which has neither 0 nor 1, in lower case. */
const newRecoveryCode = (): string => new Secret({ size: BYTES_PER_CODE }).base32.toLowerCase()

const newRecoveryCodes = (): string[] => Array.from({ length: CODES_PER_SET }, newRecoveryCode)

/**
 * Stored form of a code. Letter case, spaces and hyphens do not count. 80 random bits resist guessing without a key, so
 * that the codes outlive a change of `AUTH_KEY_SECRET`.
 */
const recoveryCodeDigest = (factorId: string, code: string): Buffer =>
  sha256(`${factorId}:${code.toLowerCase().replaceAll(/[\s-]/g, '')}`)

interface RecoveryCodeDeps {
  db: Kysely<Database>
  sessions: SessionService
  notices: SecurityNotices
  now: () => number
}

/** A set of recovery codes. The codes are returned only when they are created. */
export interface RecoveryCodeSet {
  factor: FactorRow
  codes: string[]
}

/** Recovery codes: a factor whose codes work once each (docs/protocols/auth.md, "Recovery codes"). */
export class RecoveryCodeService {
  readonly #deps: RecoveryCodeDeps

  constructor(deps: RecoveryCodeDeps) {
    this.#deps = deps
  }

  /** Errors: `factor_not_found` without codes. */
  async status(caller: Caller): Promise<{ id: string; total: number; remaining: number }> {
    const { db } = this.#deps
    const { id } = await requireRecovery(db, caller)
    return { id, ...(await recoveryCodeRepository.count(db, id)) }
  }

  /**
   * Creates the first set. Errors: `insufficient_aal`, `recovery_codes_sole_factor` without another verified factor,
   * `recovery_codes_exist`.
   */
  create(caller: Caller, friendlyName: string, cause: Cause): Promise<RecoveryCodeSet> {
    return this.#change(caller, cause, async (trx) => {
      const factors = await factorRepository.listOf(trx, caller.user.id)
      if (factors.some(({ factorType }) => factorType === 'recovery_code')) {
        throw new AccountError(
          'recovery_codes_exist',
          'Recovery codes already exist, regenerate them instead',
        )
      }
      if (!factors.some(isVerified)) {
        const message = 'Recovery codes require another verified factor'
        throw new AccountError('recovery_codes_sole_factor', message)
      }
      if (factors.some((factor) => factor.friendlyName === friendlyName)) {
        throw new AccountError('factor_name_taken', 'A factor with this friendly name already exists')
      }
      const at = new Date(this.#deps.now())
      const id = newId(at.getTime())
      await factorRepository.insert(trx, {
        id,
        userId: caller.user.id,
        factorType: 'recovery_code',
        friendlyName,
        status: 'verified',
        sealedSecret: null,
        createdAt: at,
        updatedAt: at,
        lastChallengedAt: null,
      })
    })
  }

  /** Replaces all codes. Errors: `insufficient_aal`, `factor_not_found`. */
  replace(caller: Caller, cause: Cause): Promise<RecoveryCodeSet> {
    return this.#change(caller, cause, async () => undefined)
  }

  /** Runs `prepare`, then gives the factor new codes. */
  async #change(
    caller: Caller,
    cause: Cause,
    prepare: (trx: Transaction<Database>) => Promise<void>,
  ): Promise<RecoveryCodeSet> {
    const { db, notices } = this.#deps
    requireFactor(caller)
    const codes = newRecoveryCodes()
    const factor = await db.transaction().execute(async (trx) => {
      const user = await lockCaller(trx, caller)
      await prepare(trx)
      const changed = await requireRecovery(trx, caller)
      const digests = codes.map((code) => recoveryCodeDigest(changed.id, code))
      await recoveryCodeRepository.replace(trx, changed.id, digests)
      await notices.factorsChanged(trx, user, { kind: 'recovery_codes_created' })
      await auditFactor(trx, 'factor.add', changed, cause)
      return changed
    })
    notices.wake()
    return { factor, codes }
  }

  /** Uses a code: the session has `aal2`. Errors: `factor_code_wrong` for a wrong, used or missing code. */
  async verify(caller: Caller, code: string, client: Client): Promise<Record<string, unknown>> {
    const { db, sessions, notices, now } = this.#deps
    const verified = await db.transaction().execute(async (trx) => {
      const user = await lockCaller(trx, caller)
      const factor = await findRecovery(trx, caller)
      const digest = recoveryCodeDigest(factor?.id ?? '', code)
      const usedAt = new Date(now())
      if (factor === undefined || !(await recoveryCodeRepository.use(trx, factor.id, digest, usedAt))) {
        throw new AccountError('factor_code_wrong', 'Invalid recovery code entered')
      }
      const method = { id: factor.id, method: 'mfa/recovery_code' } as const
      const session = await sessions.elevate(trx, caller.sessionId, method, client.cause)
      const { remaining } = await recoveryCodeRepository.count(trx, factor.id)
      await notices.factorsChanged(trx, user, { kind: 'recovery_code_used', remaining })
      return { session, user }
    })
    notices.wake()
    return sessions.present(verified)
  }

  /** Removes all codes and returns the factor's id. Errors: `insufficient_aal`, `factor_not_found`. */
  async remove(caller: Caller, cause: Cause): Promise<string> {
    const { db, sessions, notices } = this.#deps
    requireFactor(caller)
    const removed = await db.transaction().execute(async (trx) => {
      const user = await lockCaller(trx, caller)
      const factor = await requireRecovery(trx, caller)
      const { id } = factor
      await factorRepository.remove(trx, user.id, [id])
      await sessions.downgrade(trx, user.id, [id], cause)
      await notices.factorsChanged(trx, user, { kind: 'recovery_codes_removed' })
      await auditFactor(trx, 'factor.remove', factor, cause)
      return id
    })
    notices.wake()
    return removed
  }
}

function requireFactor(caller: Caller): void {
  if (!caller.hasFactor) throw new AccountError('insufficient_aal', 'AAL2 required to change recovery codes')
}

async function findRecovery(db: Db<Database>, caller: Caller): Promise<FactorRow | undefined> {
  const factors = await factorRepository.listOf(db, caller.user.id)
  return factors.find(({ factorType }) => factorType === 'recovery_code')
}

async function requireRecovery(db: Db<Database>, caller: Caller): Promise<FactorRow> {
  const factor = await findRecovery(db, caller)
  if (factor === undefined) throw new AccountError('factor_not_found', 'Factor not found')
  return factor
}
