import { newId } from '@looptide/service-kit/db/ids'
import type { Transaction } from 'kysely'
import { AccountError } from '../../../account-error.ts'
import type { Vault } from '../../../crypto/vault.ts'
import type { Database } from '../../../db/schema.ts'
import { addSpentChallenge } from './passkey-repository.ts'

export const CHALLENGE_TTL_MS = 300_000

/** A ceremony: registration of a passkey by this user, a sign-in by anyone, or use of this security key. */
export type Ceremony = { registrationOf: string } | { factorId: string } | 'authentication'

export interface IssuedChallenge {
  id: string
  challenge: Uint8Array<ArrayBuffer>
  expiresAt: Date
}

/**
 * Challenges of WebAuthn ceremonies. A challenge is derived from its id with the key secret, so that requests for
 * challenges, which anyone may send, store nothing; those that were used are stored until they expire
 * (docs/decisions/0059-passkey-challenges-are-derived.md).
 */
export class Challenges {
  readonly #vault: Vault
  readonly #now: () => number

  constructor(vault: Vault, now: () => number) {
    this.#vault = vault
    this.#now = now
  }

  issue(ceremony: Ceremony): IssuedChallenge {
    const nowMs = this.#now()
    const id = newId(nowMs)
    const challenge = new Uint8Array(this.#vault.digest('passkey-challenge', ...partsOf(ceremony), id))
    return { id, challenge, expiresAt: new Date(nowMs + CHALLENGE_TTL_MS) }
  }

  /**
   * Returns a check of the challenge that a client signed, in base64url. Errors: `passkey_challenge_expired`.
   */
  matcher(id: string, ceremony: Ceremony): (signed: string) => boolean {
    if (this.#now() >= issuedAtMs(id) + CHALLENGE_TTL_MS) {
      throw new AccountError('passkey_challenge_expired', 'Challenge has expired')
    }
    const accepted = this.#vault
      .digests('passkey-challenge', ...partsOf(ceremony), id)
      .map((digest) => digest.toString('base64url'))
    return (signed) => accepted.includes(signed)
  }

  /** Marks a challenge as used, in the caller's transaction. Errors: `passkey_challenge_not_found` the second time. */
  async spend(trx: Transaction<Database>, id: string): Promise<void> {
    if (await addSpentChallenge(trx, id, new Date(issuedAtMs(id) + CHALLENGE_TTL_MS))) return
    throw new AccountError('passkey_challenge_not_found', 'Challenge not found or already used')
  }
}

function partsOf(ceremony: Ceremony): string[] {
  if (ceremony === 'authentication') return [ceremony]
  return 'factorId' in ceremony ? ['factor', ceremony.factorId] : ['registration', ceremony.registrationOf]
}

/** The time in an id of `newId` (UUID version 7: its first 48 bits), in epoch ms. */
const issuedAtMs = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
