import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { AccountError } from '../../account-error.ts'
import { requireAddress } from '../user/require-address.ts'
import type { UserRow } from '../user/user-repository.ts'
import type { AccountNetworks } from './account-networks.ts'
import type { ProofOfWork } from './proof-of-work.ts'
import type { LimitedAttempt, RateLimits } from './rate-limits.ts'

/** A password sign-in whose password was not checked yet. */
export interface SignInAttempt {
  email: string
  ip: string
  /** `gotrue_meta_security.captcha_token` of the request body. */
  proof: string | undefined
}

interface GuardDeps {
  limits: RateLimits
  networks: AccountNetworks
  proofs: ProofOfWork
  logger: Logger
}

/**
 * Limits password guessing without locking out the owner of an account. Networks from which the owner signed in are
 * counted separately from all others. Over a limit a client may continue with a proof of work, up to a fixed number.
 */
export class SignInGuard {
  readonly #deps: GuardDeps

  constructor(deps: GuardDeps) {
    this.#deps = deps
  }

  /**
   * Counts an attempt. Returns the attempts to refund when the password turns out to be correct. Errors:
   * `too_many_requests`, with a challenge the client can solve to continue.
   */
  async admit({ email, ip, proof }: SignInAttempt): Promise<readonly LimitedAttempt[]> {
    const { limits, networks, proofs } = this.#deps
    await limits.consume(['password-network', ip])
    const attempts: LimitedAttempt[] = (await networks.isKnown(email, ip))
      ? [['password-known-network', email, ip]]
      : [
          ['password-account-network', email, ip],
          ['password-account', email],
        ]
    const exhausted = await limits.tryConsume(...attempts)
    if (exhausted === undefined) return attempts
    const presented = proofs.presented(proof, { action: 'password', email, ip })
    if (await presented.isAccepted()) {
      const attemptWithProof: LimitedAttempt = ['password-with-proof', email, ip]
      await limits.consume(attemptWithProof)
      return [attemptWithProof]
    }
    throw AccountError.tooManyRequests(exhausted.retryAfterMs, await presented.challenge(exhausted.excess))
  }

  /**
   * Counts an answer to a challenge of a second factor. Returns the attempts to refund when it turns out to be correct.
   * Errors: `too_many_requests`. There is no challenge to continue: six digits can be guessed.
   */
  async admitFactor(user: UserRow, ip: string): Promise<readonly LimitedAttempt[]> {
    const { limits, networks } = this.#deps
    const isKnown = await networks.isKnown(requireAddress(user), ip)
    const attempts: LimitedAttempt[] = [
      ['factor-account-network', user.id, ip],
      isKnown ? ['factor-known-network', user.id, ip] : ['factor-account', user.id],
    ]
    await limits.consume(...attempts)
    return attempts
  }

  /** Records the client's network as known for the account. Call it after every successful sign-in. Never throws. */
  async recordNetwork(userId: string, ip: string): Promise<void> {
    try {
      await this.#deps.networks.record(userId, ip)
    } catch (error) {
      // The session exists already. An outage here must not fail the sign-in.
      this.#deps.logger.warn({ err: error }, 'account network not recorded')
    }
  }
}
