import { randomUUID } from 'node:crypto'
import { ConfigError } from '@looptide/service-kit/env'
import { appendEvent, type Cause } from '@looptide/service-kit/outbox'
import type { Background } from '@looptide/service-kit/run-service'
import { type CryptoKey, createLocalJWKSet, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { Kysely } from 'kysely'
import type { Vault } from '../../crypto/vault.ts'
import type { AuthDatabase } from '../../db/schema.ts'
import { type KeyRow, keyRepository } from './key-repository.ts'

export const ALGORITHM = 'ES256'
/** A new key is known to all replicas this long before it signs. */
const PRELUDE_MS = 15_000
/** A key that another process revoked is refused here after this long at most; `keys revoke` promises a second. */
const RELOAD_MS = 300
const SEARCH_COOL_DOWN_MS = 1000
/** docs/protocols/auth.md §1.4: a retired key stays published for the token lifetime plus ten minutes. */
const AFTERLIFE_MS = 600_000

export interface Signer {
  kid: string
  key: CryptoKey
}

interface KeyDeps {
  db: Kysely<AuthDatabase>
  vault: Vault
  accessTokenTtlS: number
  now: () => number
  warn: (error: unknown) => void
}

/** The keys that sign access tokens: kept in memory, stored sealed, replaced without a gap. */
export class SigningKeys implements Background {
  readonly #deps: KeyDeps
  readonly #signers = new Map<string, CryptoKey>()
  #rows: readonly KeyRow[] = []
  #set: ReturnType<typeof createLocalJWKSet> = createLocalJWKSet({ keys: [] })
  #timer: NodeJS.Timeout | undefined
  #searchedAtMs = Number.NEGATIVE_INFINITY

  constructor(deps: KeyDeps) {
    this.#deps = deps
  }

  /**
   * Makes the first key if there is none, and seals those of `AUTH_KEY_SECRET_PREVIOUS` with the secret in force.
   * Rejects when the database is away, and with a {@link ConfigError} when the secret does not open the stored keys.
   */
  async start(): Promise<void> {
    await this.load()
    await this.#reseal()
    if (this.#rows.length === 0) await this.rotate({ atOnce: true, onlyIfNone: true })
    this.#timer = setInterval(() => void this.load().catch(this.#deps.warn), RELOAD_MS)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** A wrong secret must stop the start: with it every sign-in would fail. */
  async #reseal(): Promise<void> {
    const { db, vault } = this.#deps
    for (const { kid, sealedPrivateJwk } of this.#rows) {
      if (vault.isCurrent(sealedPrivateJwk, kid)) continue
      let text: string
      try {
        text = vault.open(sealedPrivateJwk, kid)
      } catch {
        throw new ConfigError([
          'AUTH_KEY_SECRET does not open the stored signing keys: set the one they were made with, or during a change AUTH_KEY_SECRET_PREVIOUS',
        ])
      }
      await keyRepository.reseal(db, kid, vault.seal(text, kid))
    }
  }

  /** Reads the stored keys anew. */
  async load(): Promise<void> {
    this.#rows = await keyRepository.list(this.#deps.db)
    this.#set = createLocalJWKSet(this.published())
  }

  /**
   * Adds a key. It signs from fifteen seconds from now on, by when every replica has read it; the one
   * before is then retired. Keys nobody can need any more are deleted.
   */
  async rotate(options: { atOnce?: boolean; onlyIfNone?: boolean } = {}): Promise<string> {
    const { db, vault, now } = this.#deps
    const kid = randomUUID()
    const { privateKey, publicKey } = await generateKeyPair(ALGORITHM, { extractable: true })
    const publicJwk = await publicPart(publicKey, kid)
    const sealed = vault.seal(JSON.stringify(await exportJWK(privateKey)), kid)
    await db.transaction().execute(async (trx) => {
      await keyRepository.lock(trx)
      const existing = await keyRepository.list(trx)
      if (options.onlyIfNone === true && existing.length > 0) return
      const nowMs = now()
      await keyRepository.delete(
        trx,
        existing.filter((_, i) => this.#goneMs(existing, i) < nowMs).map((row) => row.kid),
      )
      await keyRepository.insert(trx, {
        kid,
        publicJwk: JSON.stringify(publicJwk),
        sealedPrivateJwk: sealed,
        createdAt: new Date(nowMs),
        signsFrom: new Date(this.#nextStartMs(existing, nowMs + (options.atOnce === true ? 0 : PRELUDE_MS))),
      })
    })
    await this.load()
    return kid
  }

  /** Never the same instant for two keys: the order of keys is the order of their starts. */
  #nextStartMs(existing: readonly KeyRow[], wishedMs: number): number {
    const latestMs = existing[0]?.signsFrom.getTime() ?? 0
    return Math.max(wishedMs, latestMs + 1)
  }

  /** The key that signs now. */
  async signer(): Promise<Signer> {
    const row = this.#rows.find((candidate) => candidate.signsFrom.getTime() <= this.#deps.now())
    if (row === undefined) throw new Error('There is no signing key yet')
    const known = this.#signers.get(row.kid)
    if (known !== undefined) return { kid: row.kid, key: known }
    const jwk = JSON.parse(this.#deps.vault.open(row.sealedPrivateJwk, row.kid)) as JWK
    const key = (await importJWK(jwk, ALGORITHM)) as CryptoKey
    this.#signers.set(row.kid, key)
    return { kid: row.kid, key }
  }

  /** The public set: keys to come, the one that signs, and retired ones whose tokens may still be about. */
  published(): { keys: JWK[] } {
    const nowMs = this.#deps.now()
    const rows = this.#rows.filter((_, i) => this.#goneMs(this.#rows, i) >= nowMs)
    return { keys: rows.map((row) => row.publicJwk as JWK) }
  }

  /** A look-up by `kid` in our own set; a `kid` not in memory may be a replica's newer one. */
  async resolver(kid: string): Promise<ReturnType<typeof createLocalJWKSet>> {
    const isKnown = this.#rows.some((row) => row.kid === kid)
    // Anybody can invent a `kid`: the table is read for one of them per second at most.
    if (!isKnown && this.#deps.now() - this.#searchedAtMs >= SEARCH_COOL_DOWN_MS) {
      this.#searchedAtMs = this.#deps.now()
      await this.load()
    }
    return this.#set
  }

  /**
   * Deletes a key: nothing it has signed is good any more. If it was the one that signs, the next one does, or a new
   * one at once. False when there is no such key. Other processes learn of it by `auth.key.revoked.v1`.
   */
  async revoke(kid: string, cause: Cause): Promise<boolean> {
    const { db, accessTokenTtlS, now } = this.#deps
    const untilMs = now() + accessTokenTtlS * 1000
    const found = await db.transaction().execute(async (trx) => {
      await keyRepository.lock(trx)
      const rows = await keyRepository.list(trx)
      if (!rows.some((row) => row.kid === kid)) return false
      await keyRepository.delete(trx, [kid])
      await keyRepository.addRevoked(trx, kid, new Date(untilMs))
      await appendEvent(trx, 'auth.key.revoked.v1', kid, { kid, untilMs }, cause)
      return true
    })
    if (!found) return false
    await this.load()
    const signs = this.#rows.some((row) => row.signsFrom.getTime() <= now())
    if (!signs) await this.rotate({ atOnce: true })
    return true
  }

  /** When the key at `i` of `rows` (latest first) is published no more; epoch ms. */
  #goneMs(rows: readonly KeyRow[], i: number): number {
    const successor = rows[i - 1]
    if (i === 0 || successor === undefined) return Number.POSITIVE_INFINITY
    return successor.signsFrom.getTime() + this.#deps.accessTokenTtlS * 1000 + AFTERLIFE_MS
  }
}

async function publicPart(publicKey: CryptoKey, kid: string): Promise<JWK> {
  const { kty, crv, x, y } = await exportJWK(publicKey)
  return { kty, crv, x, y, kid, alg: ALGORITHM, use: 'sig', key_ops: ['verify'] }
}
