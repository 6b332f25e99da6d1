import type { Logger } from '@looptide/service-kit/logger'
import { AuthError } from '../protocol/auth-error.ts'
import type { AccountNetworks } from './account-networks.ts'
import type { ProofOfWork } from './proof-of-work.ts'
import type { RateLimits, Try } from './rate-limits.ts'

/** A sign-in by password, before the password is looked at. */
export interface SignInAttempt {
  email: string
  address: string
  /** `gotrue_meta_security.captcha_token` of the body. */
  proof: string | undefined
}

interface GuardDeps {
  limits: RateLimits
  networks: AccountNetworks
  proofs: ProofOfWork
  logger: Logger
}

/**
 * Limits wrong passwords without locking an account's owner out: networks from which the owner has signed in are
 * counted apart from all others, and beyond a limit a client is let through for a proof of work, up to a fixed number.
 */
export class SignInGuard {
  readonly #deps: GuardDeps

  constructor(deps: GuardDeps) {
    this.#deps = deps
  }

  /**
   * Counts a try; answers what to give back when the password turns out to be right. Errors:
   * `over_request_rate_limit`, with a challenge where solving it helps.
   */
  async admit({ email, address, proof }: SignInAttempt): Promise<readonly Try[]> {
    const { limits, networks, proofs } = this.#deps
    await limits.take(['password-network', address])
    const tries: Try[] = (await networks.isKnown(email, address))
      ? [['password-known-network', email, address]]
      : [
          ['password-account-network', email, address],
          ['password-account', email],
        ]
    const exhausted = await limits.count(...tries)
    if (exhausted === undefined) return tries
    const purpose = { action: 'password', email, address } as const
    if (await proofs.accept(proof, purpose)) {
      const proved: Try = ['password-proved', email, address]
      await limits.take(proved)
      return [proved]
    }
    throw AuthError.tooManyRequests(exhausted.retryAfterMs, await proofs.challenge(purpose, exhausted.excess))
  }

  /** Call after a sign-in of any kind: the client's network is now one of the account's. Never throws. */
  async remember(userId: string, address: string): Promise<void> {
    try {
      await this.#deps.networks.remember(userId, address)
    } catch (error) {
      // The session exists: an outage here must not turn it into a refusal.
      this.#deps.logger.warn({ err: error }, 'account network not recorded')
    }
  }
}
