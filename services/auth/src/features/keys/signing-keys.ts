import { randomUUID } from 'node:crypto'
import { appendEvent, type Cause } from '@looptide/service-kit/events/outbox'
import type { Background } from '@looptide/service-kit/process/background'
import { type CryptoKey, createLocalJWKSet, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { Kysely, Transaction } from 'kysely'
import type { Vault } from '../../crypto/vault.ts'
import type { Database } from '../../db/schema.ts'
import type { KeyRow } from './key-repository.ts'
import * as keyRepository from './key-repository.ts'
import { ensureSecretCheck, openSealed, requireKeySecret } from './secret-check.ts'

export const ALGORITHM = 'ES256'
/** Time between publishing a new key and signing with it, in ms. All replicas read the key within this time. */
const SIGNING_DELAY_MS = 15_000
/** Interval of reading the stored keys, in ms. `keys revoke` promises that every process refuses a key within 1 s. */
const RELOAD_INTERVAL_MS = 300
/** Minimum time between two reads for an unknown `kid`, in ms. */
const UNKNOWN_KID_RELOAD_MS = 1000
/** Time for which a retired key stays published after its last token has expired, in ms. */
const RETIRED_KEY_GRACE_MS = 600_000

export interface Signer {
  kid: string
  key: CryptoKey
}

/** A generated key before it is stored. */
interface NewKey {
  kid: string
  /** JSON. */
  publicJwk: string
  sealedPrivateJwk: Buffer
}

interface KeyDeps {
  db: Kysely<Database>
  vault: Vault
  accessTokenTtlS: number
  now: () => number
  warn: (error: unknown) => void
}

/** The keys that sign access tokens: cached in memory, stored encrypted, rotated without an interruption. */
export class SigningKeys implements Background {
  readonly #deps: KeyDeps
  readonly #signers = new Map<string, CryptoKey>()
  #rows: readonly KeyRow[] = []
  #set: ReturnType<typeof createLocalJWKSet> = createLocalJWKSet({ keys: [] })
  #timer: NodeJS.Timeout | undefined
  #unknownKidReloadAtMs = Number.NEGATIVE_INFINITY

  constructor(deps: KeyDeps) {
    this.#deps = deps
  }

  /**
   * Creates the first key if there is none, and encrypts keys of `AUTH_KEY_SECRET_PREVIOUS` with the current secret.
   * Rejects when the database is unavailable, and with a `ConfigError` when neither secret is that of the database.
   */
  async start(): Promise<void> {
    await this.load()
    await this.#reseal()
    // After the keys: they prove the secret of a database that an earlier release has set up.
    await ensureSecretCheck(this.#deps.db, this.#deps.vault)
    if (this.#rows.length === 0) await this.rotate({ immediately: true, onlyIfNone: true })
    this.#timer = setInterval(() => void this.load().catch(this.#deps.warn), RELOAD_INTERVAL_MS)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /**
   * For programs that change keys without {@link start}. Throws a `ConfigError` when neither secret is that of the
   * database: no process could sign with a key that such a program adds.
   */
  async requireSecret(): Promise<void> {
    const { db, vault } = this.#deps
    await requireKeySecret(db, vault)
    for (const { kid, sealedPrivateJwk } of await keyRepository.list(db)) {
      openSealed(vault, sealedPrivateJwk, kid)
    }
  }

  /** Encrypts keys of the former secret again. A wrong secret must stop the start, or every sign-in would fail. */
  async #reseal(): Promise<void> {
    const { db, vault } = this.#deps
    for (const { kid, sealedPrivateJwk } of this.#rows) {
      if (vault.isCurrent(sealedPrivateJwk, kid)) continue
      const text = openSealed(vault, sealedPrivateJwk, kid)
      await keyRepository.reseal(db, kid, vault.seal(text, kid))
    }
  }

  /** Reads the stored keys. */
  async load(): Promise<void> {
    this.#rows = await keyRepository.list(this.#deps.db)
    this.#set = createLocalJWKSet(this.published())
  }

  /**
   * Adds a key and returns its id. It signs after {@link SIGNING_DELAY_MS}, when every replica has read it; the former
   * key is then retired. Keys whose tokens have all expired are deleted.
   */
  async rotate(options: { immediately?: boolean; onlyIfNone?: boolean } = {}): Promise<string> {
    const { db, now } = this.#deps
    const key = await this.#generateKey()
    await db.transaction().execute(async (trx) => {
      await keyRepository.lock(trx)
      const existing = await keyRepository.list(trx)
      if (options.onlyIfNone === true && existing.length > 0) return
      const nowMs = now()
      await keyRepository.remove(
        trx,
        existing.filter((_, i) => this.#publishedUntilMs(existing, i) < nowMs).map((row) => row.kid),
      )
      const startsAtMs = nowMs + (options.immediately === true ? 0 : SIGNING_DELAY_MS)
      await this.#insert(trx, key, existing, startsAtMs)
    })
    await this.load()
    return key.kid
  }

  async #generateKey(): Promise<NewKey> {
    const kid = randomUUID()
    const { privateKey, publicKey } = await generateKeyPair(ALGORITHM, { extractable: true })
    const publicJwk = JSON.stringify(await publicPart(publicKey, kid))
    const sealedPrivateJwk = this.#deps.vault.seal(JSON.stringify(await exportJWK(privateKey)), kid)
    return { kid, publicJwk, sealedPrivateJwk }
  }

  /** Stores a key that signs from `earliestMs` (epoch ms), or right after the latest of `existing`. */
  async #insert(
    trx: Transaction<Database>,
    key: NewKey,
    existing: readonly KeyRow[],
    earliestMs: number,
  ): Promise<void> {
    const signsFrom = new Date(this.#nextStartMs(existing, earliestMs))
    await keyRepository.insert(trx, { ...key, createdAt: new Date(this.#deps.now()), signsFrom })
  }

  /** Two keys never start at the same instant: keys are ordered by their starts. */
  #nextStartMs(existing: readonly KeyRow[], earliestMs: number): number {
    const latestMs = existing[0]?.signsFrom.getTime() ?? 0
    return Math.max(earliestMs, latestMs + 1)
  }

  /** The key that signs now. */
  async signer(): Promise<Signer> {
    const started = this.#rows.find((candidate) => candidate.signsFrom.getTime() <= this.#deps.now())
    // The clock of the process that replaced a revoked key may be ahead of this one: then no key has started here.
    const row = started ?? this.#rows.at(-1)
    if (row === undefined) throw new Error('There is no signing key yet')
    const cached = this.#signers.get(row.kid)
    if (cached !== undefined) return { kid: row.kid, key: cached }
    const jwk = JSON.parse(this.#deps.vault.open(row.sealedPrivateJwk, row.kid)) as JWK
    const key = (await importJWK(jwk, ALGORITHM)) as CryptoKey
    this.#signers.set(row.kid, key)
    return { kid: row.kid, key }
  }

  /** The public key set: future keys, the signing key, and retired keys whose tokens may still be valid. */
  published(): { keys: JWK[] } {
    const nowMs = this.#deps.now()
    const rows = this.#rows.filter((_, i) => this.#publishedUntilMs(this.#rows, i) >= nowMs)
    return { keys: rows.map((row) => row.publicJwk as JWK) }
  }

  /** The key set to verify a token with this `kid`. An unknown `kid` may be a newer key that a replica created. */
  async resolver(kid: string): Promise<ReturnType<typeof createLocalJWKSet>> {
    const isKnown = this.#rows.some((row) => row.kid === kid)
    // Clients can send any `kid`, so unknown ones cause at most one read per second.
    if (!isKnown && this.#deps.now() - this.#unknownKidReloadAtMs >= UNKNOWN_KID_RELOAD_MS) {
      this.#unknownKidReloadAtMs = this.#deps.now()
      await this.load()
    }
    return this.#set
  }

  /**
   * Deletes a key and invalidates its tokens. If it was the signing key, the next one takes over, or a new one is created
   * in the same transaction: no process ever reads a set without a signing key. Returns false when there is no such key.
   * Other processes are notified by `auth.key.revoked.v1`.
   */
  async revoke(kid: string, cause: Cause): Promise<boolean> {
    const { db, accessTokenTtlS, now } = this.#deps
    const replacement = await this.#generateKey()
    const found = await db.transaction().execute(async (trx) => {
      await keyRepository.lock(trx)
      const rows = await keyRepository.list(trx)
      if (!rows.some((row) => row.kid === kid)) return false
      const nowMs = now()
      const untilMs = nowMs + accessTokenTtlS * 1000
      await keyRepository.remove(trx, [kid])
      await keyRepository.addRevoked(trx, kid, new Date(untilMs))
      const remaining = rows.filter((row) => row.kid !== kid)
      const signs = remaining.some((row) => row.signsFrom.getTime() <= nowMs)
      if (!signs) await this.#insert(trx, replacement, remaining, nowMs)
      await appendEvent(trx, 'auth.key.revoked.v1', kid, { kid, untilMs }, cause)
      return true
    })
    if (found) await this.load()
    return found
  }

  /** End of publication of the key at index `i` of `rows` (latest first); epoch ms. */
  #publishedUntilMs(rows: readonly KeyRow[], i: number): number {
    const successor = rows[i - 1]
    if (i === 0 || successor === undefined) return Number.POSITIVE_INFINITY
    return successor.signsFrom.getTime() + this.#deps.accessTokenTtlS * 1000 + RETIRED_KEY_GRACE_MS
  }
}

async function publicPart(publicKey: CryptoKey, kid: string): Promise<JWK> {
  const { kty, crv, x, y } = await exportJWK(publicKey)
  return { kty, crv, x, y, kid, alg: ALGORITHM, use: 'sig', key_ops: ['verify'] }
}
