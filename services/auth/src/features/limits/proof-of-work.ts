import { clientNetworkOf } from '@looptide/service-kit/limits/client-network'
import { type Challenge, createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import type { Vault } from '../../crypto/vault.ts'
import type { RateLimits } from './rate-limits.ts'

const ALGORITHM = 'PBKDF2/SHA-256'
/** Lifetime of a challenge, in seconds. */
const PROOF_TTL_S = 300
const MAX_PROOF_LENGTH = 4096
/** Highest level of difficulty: 16 million iterations, up to about ten seconds in a browser. */
const MAX_LEVEL = 7
const LEVELS_PER_DIGIT = 4
const BASE_COST = 500
const BASE_DIGITS = 2

/** A solved challenge as ALTCHA clients send it: this object as base64-encoded JSON. */
const Proof = Type.Object({
  challenge: Type.Object({
    parameters: Type.Object({
      algorithm: Type.Literal(ALGORITHM),
      nonce: Type.String({ pattern: '^[0-9a-f]{32}$' }),
      salt: Type.String({ pattern: '^[0-9a-f]{32}$' }),
      cost: Type.Integer({ minimum: 1, maximum: BASE_COST * 2 ** LEVELS_PER_DIGIT }),
      keyLength: Type.Literal(32),
      keyPrefix: Type.String({ pattern: '^0{1,8}$' }),
      expiresAt: Type.Integer(),
      data: Type.Object({ action: Type.String(), subject: Type.String() }),
    }),
    signature: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  }),
  solution: Type.Object({
    counter: Type.Integer({ minimum: 0, maximum: 0xffff_ffff }),
    derivedKey: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  }),
})
type Proof = Static<typeof Proof>

/** What a challenge is issued for. Its solution is valid for nothing else. */
export interface Purpose {
  action: 'password' | 'sign-up' | 'mail'
  email: string
  ip: string
}

/** The proof of work of one request. It is verified at most once, and counts for every limit that the request exceeds. */
export interface PresentedProof {
  /** Verifying costs more than counting: call it after the limit of the client's network. */
  isAccepted(): Promise<boolean>
  /**
   * Creates a challenge; undefined when proofs are turned off. Its difficulty doubles with each doubling of `excess`, the
   * number of attempts over the limit.
   */
  challenge(excess: number): Promise<Challenge | undefined>
}

interface ProofDeps {
  vault: Vault
  limits: RateLimits
  now: () => number
  /** False: no challenges are issued and no solutions accepted. */
  isOn: boolean
}

/**
 * Proof of work in the ALTCHA format. A client can spend computing time instead of waiting for a limit that strangers have
 * used up, and a sign-up can be required to. A
 * challenge is signed, not stored; it is bound to action, account and network. A solution is accepted once. Verifying
 * one costs a single derivation of at most {@link BASE_COST} × 8 iterations.
 */
export class ProofOfWork {
  readonly #deps: ProofDeps

  constructor(deps: ProofDeps) {
    this.#deps = deps
  }

  /** The proof that a request may carry: `token` is `gotrue_meta_security.captcha_token` of its body. */
  presented(token: string | undefined, purpose: Purpose): PresentedProof {
    let accepted: Promise<boolean> | undefined
    return {
      isAccepted: () => (accepted ??= this.#accept(token, purpose)),
      challenge: (excess) => this.#challenge(purpose, excess),
    }
  }

  async #challenge(purpose: Purpose, excess: number): Promise<Challenge | undefined> {
    if (!this.#deps.isOn) return undefined
    const level = Math.min(MAX_LEVEL, Math.floor(Math.log2(Math.max(1, excess))))
    return createChallenge({
      algorithm: ALGORITHM,
      deriveKey,
      cost: BASE_COST * 2 ** (level % LEVELS_PER_DIGIT),
      keyPrefix: '0'.repeat(BASE_DIGITS + Math.floor(level / LEVELS_PER_DIGIT)),
      expiresAt: Math.floor(this.#deps.now() / 1000) + PROOF_TTL_S,
      data: { action: purpose.action, subject: this.#subjectOf(purpose) },
      hmacSignatureSecret: this.#secret(),
    })
  }

  /** Whether `token` solves a challenge issued for this purpose and was not used before. */
  async #accept(token: string | undefined, purpose: Purpose): Promise<boolean> {
    const { limits, now, isOn } = this.#deps
    const proof = isOn ? readProof(token) : undefined
    if (proof === undefined) return false
    const { parameters, signature } = proof.challenge
    if (parameters.expiresAt * 1000 <= now()) return false
    if (parameters.data.action !== purpose.action) return false
    if (parameters.data.subject !== this.#subjectOf(purpose)) return false
    const { verified } = await verifySolution({ ...proof, deriveKey, hmacSignatureSecret: this.#secret() })
    if (!verified) return false
    return (await limits.tryConsume(['proof-used', signature])) === undefined
  }

  #subjectOf({ action, email, ip }: Purpose): string {
    return this.#deps.vault
      .digest('proof-of-work', action, email, clientNetworkOf(ip).network)
      .toString('base64url')
  }

  #secret(): string {
    return this.#deps.vault.digest('proof-of-work-signature').toString('base64url')
  }
}

function readProof(token: string | undefined): Proof | undefined {
  if (token === undefined || token.length > MAX_PROOF_LENGTH) return undefined
  try {
    const proof: unknown = JSON.parse(Buffer.from(token, 'base64').toString('utf8'))
    return Check(Proof, proof) ? proof : undefined
  } catch {
    return undefined
  }
}
