import { AccountError } from '../../account-error.ts'
import type { PresentedProof } from './proof-of-work.ts'
import type { RateLimits } from './rate-limits.ts'

/** Difficulty of a sign-up's challenge, as an excess of attempts: a million iterations, about a second in a browser. */
const SIGN_UP_EXCESS = 8

/** Limits the creation of accounts. Above the limit of the station, which strangers share, a proof of work is required. */
export class SignUpGuard {
  readonly #limits: RateLimits
  /** Whether every request that may create an account needs a proof (`PROOF_OF_WORK` is `sign-up`). */
  readonly #isRequired: boolean

  constructor(options: { limits: RateLimits; isRequired: boolean }) {
    this.#limits = options.limits
    this.#isRequired = options.isRequired
  }

  /**
   * Requires a proof where every sign-up needs one. Errors: `proof_required`, with a challenge that the client can solve;
   * `too_many_requests` after too many challenges. Call it before the account is looked up, so that its answer does not
   * show whether one exists.
   */
  async requireProof(proof: PresentedProof, ip: string): Promise<void> {
    if (!this.#isRequired) return
    await this.#limits.consume(['sign-up-challenge', ip])
    if (await proof.isAccepted()) return
    throw AccountError.proofRequired(await proof.challenge(SIGN_UP_EXCESS))
  }

  /**
   * Counts one sign-up for the client's network and for the whole station. Errors: `too_many_requests`; with a challenge if
   * only the station's limit is exceeded and the request carries no proof.
   */
  async count(proof: PresentedProof, ip: string): Promise<void> {
    await this.#limits.consume(['sign-up-network', ip])
    const exhausted = await this.#limits.tryConsume(['station-sign-ups'])
    if (exhausted === undefined || (await proof.isAccepted())) return
    throw AccountError.tooManyRequests(exhausted.retryAfterMs, await proof.challenge(exhausted.excess))
  }
}
