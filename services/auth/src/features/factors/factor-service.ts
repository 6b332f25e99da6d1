import { newId } from '@looptide/service-kit/db/ids'
import type { Kysely, Transaction } from 'kysely'
import { AccountError } from '../../account-error.ts'
import type { Vault } from '../../crypto/vault.ts'
import type { Database } from '../../db/schema.ts'
import type { Caller } from '../accounts/caller.ts'
import type { SecurityNotices } from '../mail/security-notices.ts'
import { sessionRepository } from '../sessions/session-repository.ts'
import { type Client, networkOf, type SessionService } from '../sessions/session-service.ts'
import { type UserRow, userRepository } from '../users/user-repository.ts'
import { type FactorRow, factorRepository } from './factor-repository.ts'
import { isVerified } from './present-factor.ts'
import { acceptedStep, newTotp, type TotpEnrollment } from './totp.ts'

/** Factors of a user, verified or not (as in GoTrue). */
const MAX_FACTORS = 10
/** Open challenges of a factor. */
const MAX_CHALLENGES = 10
export const CHALLENGE_TTL_MS = 300_000
/** Time in which an enrolled factor must be verified, in ms. */
export const UNVERIFIED_TTL_MS = 900_000

export interface FactorDeps {
  db: Kysely<Database>
  vault: Vault
  sessions: SessionService
  notices: SecurityNotices
  now: () => number
}

/** TOTP factors: enrolled, challenged, verified and removed (docs/protocols/auth.md, "Second factors"). */
export class FactorService {
  readonly #deps: FactorDeps

  constructor(deps: FactorDeps) {
    this.#deps = deps
  }

  /**
   * Adds a factor that has to be verified within {@link UNVERIFIED_TTL_MS}. Errors: `factor_name_taken`,
   * `too_many_factors`, `insufficient_aal` if another factor is verified and the session was not verified with it.
   */
  async enroll(
    caller: Caller,
    { friendlyName, issuer }: { friendlyName: string; issuer: string },
  ): Promise<{ id: string; totp: TotpEnrollment }> {
    const { db, vault, now } = this.#deps
    const at = new Date(now())
    const id = newId(at.getTime())
    const totp = newTotp(issuer, caller.user.email)
    await db.transaction().execute(async (trx) => {
      await lockUser(trx, caller)
      await factorRepository.deleteUnverified(trx, caller.user.id, new Date(at.getTime() - UNVERIFIED_TTL_MS))
      requireRoom(await factorRepository.listOf(trx, caller.user.id), friendlyName, caller)
      await factorRepository.insert(trx, {
        id,
        userId: caller.user.id,
        factorType: 'totp',
        friendlyName,
        status: 'unverified',
        sealedSecret: vault.seal(totp.secret, id),
        createdAt: at,
        updatedAt: at,
        lastChallengedAt: null,
      })
    })
    return { id, totp }
  }

  /** Opens a challenge. `expiresAt` in seconds since the epoch. Errors: `factor_not_found`. */
  async challenge(
    caller: Caller,
    factorId: string,
    client: Client,
  ): Promise<{ id: string; expiresAt: number }> {
    const { db, now } = this.#deps
    const createdAt = new Date(now())
    const id = newId(createdAt.getTime())
    await db.transaction().execute(async (trx) => {
      await lockUser(trx, caller)
      const factor = await findTotp(trx, caller, factorId)
      const challenge = { id, factorId: factor.id, network: networkOf(client.ip), createdAt }
      await factorRepository.addChallenge(trx, challenge, MAX_CHALLENGES)
      await factorRepository.update(trx, factor.id, { lastChallengedAt: createdAt })
    })
    return { id, expiresAt: Math.floor((createdAt.getTime() + CHALLENGE_TTL_MS) / 1000) }
  }

  /**
   * Answers a challenge: the factor is verified and the session has `aal2`. Errors: `factor_not_found`,
   * `challenge_of_other_network`, `challenge_expired`, `factor_code_wrong`.
   */
  async verify(
    caller: Caller,
    factorId: string,
    answer: { challengeId: string; code: string },
    client: Client,
  ): Promise<Record<string, unknown>> {
    const { db, sessions, notices } = this.#deps
    const verified = await db.transaction().execute(async (trx) => {
      const user = await lockUser(trx, caller)
      const factor = await findTotp(trx, caller, factorId)
      await this.#useChallenge(trx, factor.id, answer.challengeId, client)
      const isNew = await this.#acceptCode(trx, factor, answer.code)
      const method = { id: factor.id, method: 'totp' } as const
      const session = await sessions.elevate(trx, caller.sessionId, method, client.cause)
      await factorRepository.deleteUnverified(trx, user.id)
      if (isNew) await notices.factorsChanged(trx, user, { kind: 'factor_added' })
      return { session, user }
    })
    notices.wake()
    return sessions.present(verified)
  }

  /**
   * Removes a factor, with its last one the recovery codes too. Sessions that were verified with it return to `aal1`.
   * Errors: `factor_not_found`, `insufficient_aal` for a verified factor.
   */
  async unenroll(caller: Caller, factorId: string): Promise<void> {
    const { db, notices } = this.#deps
    await db.transaction().execute(async (trx) => {
      const user = await lockUser(trx, caller)
      const factor = await findTotp(trx, caller, factorId)
      if (isVerified(factor) && !caller.hasFactor) {
        throw new AccountError('insufficient_aal', 'AAL2 required to unenroll verified factor')
      }
      await removeFactor(trx, notices, user, factor)
    })
    notices.wake()
  }

  async #useChallenge(
    trx: Transaction<Database>,
    factorId: string,
    challengeId: string,
    client: Client,
  ): Promise<void> {
    const challenge = await factorRepository.findChallenge(trx, challengeId, factorId)
    if (challenge === undefined) {
      throw new AccountError('factor_not_found', 'MFA factor with the provided challenge ID not found')
    }
    if (challenge.network !== networkOf(client.ip)) {
      throw new AccountError('challenge_of_other_network', 'Challenge and verify IP addresses mismatch.')
    }
    if (this.#deps.now() - challenge.createdAt.getTime() > CHALLENGE_TTL_MS) {
      const message = `MFA challenge ${challenge.id} has expired, verify against another challenge or create a new challenge.`
      throw new AccountError('challenge_expired', message)
    }
    await factorRepository.deleteChallenge(trx, challenge.id)
  }

  /** Checks the code and stores its time step. Returns whether the factor was unverified before. */
  async #acceptCode(trx: Transaction<Database>, factor: FactorRow, code: string): Promise<boolean> {
    const { vault, now } = this.#deps
    const nowMs = now()
    const secret = factor.sealedSecret === null ? null : vault.open(factor.sealedSecret, factor.id)
    const step = secret === null ? null : acceptedStep(secret, code, nowMs, Number(factor.lastStep))
    if (step === null) throw new AccountError('factor_code_wrong', 'Invalid TOTP code entered')
    const isNew = !isVerified(factor)
    const change = isNew ? ({ status: 'verified', updatedAt: new Date(nowMs) } as const) : {}
    await factorRepository.update(trx, factor.id, { ...change, lastStep: step })
    return isNew
  }
}

/**
 * Removes a factor of a locked user, with the last app the recovery codes too, and notifies the owner. Sessions that were
 * verified with it return to `aal1`.
 */
export async function removeFactor(
  trx: Transaction<Database>,
  notices: SecurityNotices,
  user: UserRow,
  factor: FactorRow,
): Promise<void> {
  const others = (await factorRepository.listOf(trx, user.id)).filter(({ id }) => id !== factor.id)
  const isLast = !others.some((other) => other.factorType === 'totp' && isVerified(other))
  const useless = isLast ? others.filter(({ factorType }) => factorType === 'recovery_code') : []
  const removed = [factor, ...useless].map(({ id }) => id)
  await factorRepository.delete(trx, user.id, removed)
  await sessionRepository.downgrade(trx, user.id, removed)
  if (!isVerified(factor)) return
  const kind = factor.factorType === 'totp' ? 'factor_removed' : 'recovery_codes_removed'
  await notices.factorsChanged(trx, user, { kind })
}

/** Locks the user's row, so that requests about one user's factors run one after another. */
export async function lockUser(trx: Transaction<Database>, caller: Caller): Promise<UserRow> {
  const user = await userRepository.lockById(trx, caller.user.id)
  if (user === undefined) throw new AccountError('user_not_found', 'User not found')
  return user
}

async function findTotp(trx: Transaction<Database>, caller: Caller, factorId: string): Promise<FactorRow> {
  const factors = await factorRepository.listOf(trx, caller.user.id)
  const factor = factors.find(({ id, factorType }) => id === factorId && factorType === 'totp')
  if (factor === undefined) throw new AccountError('factor_not_found', 'Factor not found')
  return factor
}

function requireRoom(factors: readonly FactorRow[], friendlyName: string, { hasFactor }: Caller): void {
  if (factors.some((factor) => factor.friendlyName === friendlyName)) {
    const message = `A factor with the friendly name ${JSON.stringify(friendlyName)} for this user already exists`
    throw new AccountError('factor_name_taken', message)
  }
  if (factors.length >= MAX_FACTORS) {
    const message = 'Maximum number of verified factors reached, unenroll to continue'
    throw new AccountError('too_many_factors', message)
  }
  if (factors.some(isVerified) && !hasFactor) {
    throw new AccountError('insufficient_aal', 'AAL2 required to enroll a new factor')
  }
}
