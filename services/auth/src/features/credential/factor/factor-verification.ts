import type { WebauthnAnswer } from '@looptide/contracts/http/auth'
import { appendAudit } from '@looptide/service-kit/audit/audit'
import { newId } from '@looptide/service-kit/db/ids'
import type { Cause } from '@looptide/service-kit/events/outbox'
import type { Kysely, Transaction } from 'kysely'
import { AccountError } from '../../../account-error.ts'
import type { Vault } from '../../../crypto/vault.ts'
import type { Database, FactorMethod } from '../../../db/schema.ts'
import type { SecurityNotices } from '../../mail/security-notices.ts'
import { type Caller, lockCaller } from '../../session/caller.ts'
import * as personalTokenRepository from '../../session/personal-token-repository.ts'
import type { SessionRow } from '../../session/session-repository.ts'
import type { SessionService } from '../../session/session-service.ts'
import { type Client, networkOf } from '../../session/sign-in-history.ts'
import type { FactorRow } from '../../user/factor-repository.ts'
import * as factorRepository from '../../user/factor-repository.ts'
import { isVerified } from '../../user/present-factor.ts'
import type { UserRow } from '../../user/user-repository.ts'
import { refused } from '../passkey/ceremonies.ts'
import { CHALLENGE_TTL_MS } from '../passkey/challenges.ts'
import { auditFactor } from './audit-factor.ts'
import { type DeviceFactor, findFactor } from './factor-rules.ts'
import type { KeyRequest, SecurityKeys } from './security-keys.ts'
import { acceptedStep } from './totp.ts'

/** Open challenges of a factor. */
const MAX_CHALLENGES = 10

const METHODS: Record<DeviceFactor['factorType'], FactorMethod> = {
  totp: 'totp',
  webauthn: 'mfa/webauthn',
}

interface VerificationDeps {
  db: Kysely<Database>
  vault: Vault
  sessions: SessionService
  notices: SecurityNotices
  securityKeys: SecurityKeys
  now: () => number
}

/** An open challenge. `expiresAt` in seconds since the epoch; `request`: the options for a security key. */
interface OpenChallenge {
  id: string
  type: DeviceFactor['factorType']
  expiresAt: number
  request: KeyRequest | undefined
}

/** The answer to a challenge: a code of an app, or what the browser got from a security key. */
export type FactorAnswer = { challengeId: string } & ({ code: string } | { webauthn: WebauthnAnswer })

interface Verified {
  session: SessionRow
  user: UserRow
}

/** Challenges of authenticator apps and security keys (docs/protocols/auth.md, "Second factors"). */
export class FactorVerification {
  readonly #deps: VerificationDeps

  constructor(deps: VerificationDeps) {
    this.#deps = deps
  }

  /** Opens a challenge. Errors: `factor_not_found`, `passkey_disabled`. */
  async challenge(caller: Caller, factorId: string, client: Client): Promise<OpenChallenge> {
    const { db, securityKeys, now } = this.#deps
    const createdAt = new Date(now())
    const expiresAt = Math.floor((createdAt.getTime() + CHALLENGE_TTL_MS) / 1000)
    return db.transaction().execute(async (trx) => {
      const user = await lockCaller(trx, caller)
      const factor = await findFactor(trx, caller, factorId)
      const isKey = factor.factorType === 'webauthn'
      const { id, request } = isKey
        ? await securityKeys.ask(trx, user, factor)
        : { id: newId(createdAt.getTime()), request: undefined }
      const challenge = { id, factorId, network: networkOf(client.ip), createdAt }
      await factorRepository.addChallenge(trx, challenge, MAX_CHALLENGES)
      await factorRepository.update(trx, factorId, { lastChallengedAt: createdAt })
      return { id, type: factor.factorType, expiresAt, request }
    })
  }

  /**
   * Answers a challenge: the factor is verified and the session has `aal2`. Errors: `factor_not_found`,
   * `challenge_of_other_network`, `challenge_expired`, `factor_code_wrong`, those of {@link SecurityKeys.accept}, and
   * `passkey_refused` for a copied key.
   */
  async verify(
    caller: Caller,
    factorId: string,
    answer: FactorAnswer,
    client: Client,
  ): Promise<Record<string, unknown>> {
    const { db, sessions, notices } = this.#deps
    const verified = await db.transaction().execute(async (trx): Promise<Verified | AccountError> => {
      const user = await lockCaller(trx, caller)
      const factor = await findFactor(trx, caller, factorId)
      await this.#useChallenge(trx, factor.id, answer.challengeId, client)
      const { isCopied } = await this.#accept(trx, factor, answer)
      // Returned, not thrown, because the notice about the copy must be committed.
      if (isCopied) return refuseCopiedKey(trx, notices, user, factor, client.cause)
      if (!isVerified(factor)) await this.#finishEnrolment(trx, user, factor, client.cause)
      await factorRepository.deleteUnverified(trx, user.id)
      const method = { id: factor.id, method: METHODS[factor.factorType] }
      const session = await sessions.elevate(trx, caller.sessionId, method, client.cause)
      return { session, user }
    })
    notices.wake()
    if (verified instanceof AccountError) throw verified
    return sessions.present(verified)
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

  async #accept(
    trx: Transaction<Database>,
    factor: DeviceFactor,
    answer: FactorAnswer,
  ): Promise<{ isCopied: boolean }> {
    if (factor.factorType === 'webauthn') {
      if ('code' in answer) throw AccountError.invalidInput('webauthn needs to be non-empty')
      return this.#deps.securityKeys.accept(trx, factor, answer.challengeId, answer.webauthn)
    }
    if (!('code' in answer)) throw AccountError.invalidInput('Code needs to be non-empty')
    await this.#acceptCode(trx, factor, answer.code)
    return { isCopied: false }
  }

  /** Checks the code and stores its time step. */
  async #acceptCode(trx: Transaction<Database>, factor: DeviceFactor, code: string): Promise<void> {
    const { vault, now } = this.#deps
    const secret = factor.sealedSecret === null ? null : vault.open(factor.sealedSecret, factor.id)
    const step = secret === null ? null : acceptedStep(secret, code, now(), factor.lastStep)
    if (step === null) throw new AccountError('factor_code_wrong', 'Invalid TOTP code entered')
    await factorRepository.update(trx, factor.id, { lastStep: step })
  }

  async #finishEnrolment(
    trx: Transaction<Database>,
    user: UserRow,
    factor: DeviceFactor,
    cause: Cause,
  ): Promise<void> {
    const { sessions, notices, now } = this.#deps
    const { id, factorType } = factor
    await factorRepository.update(trx, id, { status: 'verified', updatedAt: new Date(now()) })
    // Access tokens that act for personal ones say whether their owner has a second factor.
    await sessions.outdate(trx, user.id, await personalTokenRepository.outdateAll(trx, user.id), cause)
    await notices.factorsChanged(trx, user, { kind: 'factor_added', factorType })
    await auditFactor(trx, 'factor.add', factor, cause)
  }
}

/** Notifies the owner of a copied security key and records it, in the caller's transaction. Returns the refusal. */
async function refuseCopiedKey(
  trx: Transaction<Database>,
  notices: SecurityNotices,
  user: UserRow,
  factor: FactorRow,
  cause: Cause,
): Promise<AccountError> {
  await notices.credentialCopied(trx, user, { kind: 'security key', name: factor.friendlyName })
  const facts = {
    action: 'security_key_copied',
    targetType: 'factor',
    targetId: factor.id,
    targetUserId: user.id,
  } as const
  await appendAudit(trx, 'auth.audit.recorded.v1', facts, cause)
  return refused('the counter did not increase')
}
