import { AccountError } from '../account-error.ts'
import type { ProofOfWork } from './proof-of-work.ts'
import type { RateLimits } from './rate-limits.ts'

/** Difficulty of a sign-up's challenge, as an excess of attempts: a million iterations, about a second in a browser. */
const SIGN_UP_EXCESS = 8

/** A request that may create an account. */
interface SignUpAttempt {
  email: string
  ip: string
  /** `gotrue_meta_security.captcha_token` of the request body. */
  proof: string | undefined
}

/** Requires a proof of work for requests that may create an account, if `PROOF_OF_WORK` is `sign-up`. */
export class SignUpGuard {
  readonly #limits: RateLimits
  readonly #proofs: ProofOfWork
  readonly #isRequired: boolean

  constructor(options: { limits: RateLimits; proofs: ProofOfWork; isRequired: boolean }) {
    this.#limits = options.limits
    this.#proofs = options.proofs
    this.#isRequired = options.isRequired
  }

  /**
   * Errors: `proof_required`, with a challenge that the client can solve; `too_many_requests` after too many challenges.
   * Call it before the account is looked up, so that its answer does not show whether one exists.
   */
  async admit({ email, ip, proof }: SignUpAttempt): Promise<void> {
    if (!this.#isRequired) return
    // Before the proof is verified, which costs more than counting.
    await this.#limits.consume(['sign-up-challenge', ip])
    const purpose = { action: 'sign-up', email, ip } as const
    if (await this.#proofs.accept(proof, purpose)) return
    throw AccountError.proofRequired(await this.#proofs.challenge(purpose, SIGN_UP_EXCESS))
  }
}
