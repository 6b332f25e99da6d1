import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Cryptography with keys derived from `AUTH_KEY_SECRET`. Each purpose has its own key (HKDF, RFC 5869), so that one key
 * reveals nothing about another.
 */
export class Vault {
  readonly #current: Keys
  /** Keys of `AUTH_KEY_SECRET_PREVIOUS` during a change of the secret. They decrypt and verify; they create nothing. */
  readonly #previous: Keys | undefined

  constructor(secret: string, previousSecret?: string) {
    this.#current = deriveKeys(secret)
    this.#previous = previousSecret === undefined ? undefined : deriveKeys(previousSecret)
  }

  /** Whether the secret is being changed, so that stored values must be encrypted again. */
  get hasPrevious(): boolean {
    return this.#previous !== undefined
  }

  /** Encrypts with AES-256-GCM. The result is nonce, tag, ciphertext. `open` needs the same `context`. */
  seal(text: string, context: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#current.sealing, nonce).setAAD(Buffer.from(context))
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
  }

  /** Decrypts. Throws when neither secret encrypted the bytes, or when they were altered. */
  open(bytes: Buffer, context: string): string {
    if (this.#previous === undefined) return openWith(this.#current.sealing, bytes, context)
    try {
      return openWith(this.#current.sealing, bytes, context)
    } catch {
      return openWith(this.#previous.sealing, bytes, context)
    }
  }

  /** Whether the bytes were encrypted with the current secret. */
  isCurrent(bytes: Buffer, context: string): boolean {
    try {
      openWith(this.#current.sealing, bytes, context)
      return true
    } catch {
      return false
    }
  }

  /** The proof in a refresh token. It can be computed only with the secret and the session's row. */
  refreshProof(salt: Buffer, sessionId: string, counter: number): Buffer {
    return proofWith(this.#current.refresh, salt, sessionId, counter)
  }

  /** Whether `proof` was made for this token with the current or the former secret. */
  isRefreshProof(proof: Buffer, salt: Buffer, sessionId: string, counter: number): boolean {
    const keys = this.#previous === undefined ? [this.#current] : [this.#current, this.#previous]
    return keys.some(({ refresh }) => sameBytes(proof, proofWith(refresh, salt, sessionId, counter)))
  }

  /** Keyed digest, stored instead of a code or an email. The key prevents guessing of short values. */
  digest(purpose: string, ...parts: readonly string[]): Buffer {
    return digestWith(this.#current.digests, purpose, parts)
  }

  /** The digests under which a value may be stored: with the current secret and, if set, with the former one. */
  digests(purpose: string, ...parts: readonly string[]): Buffer[] {
    const keys = this.#previous === undefined ? [this.#current] : [this.#current, this.#previous]
    return keys.map(({ digests }) => digestWith(digests, purpose, parts))
  }
}

interface Keys {
  sealing: Buffer
  refresh: Buffer
  digests: Buffer
}

function deriveKeys(secret: string): Keys {
  const derive = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, 'looptide-auth', purpose, 32))
  return { sealing: derive('seal'), refresh: derive('refresh-token'), digests: derive('digest') }
}

function openWith(key: Buffer, bytes: Buffer, context: string): string {
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  decipher.setAuthTag(tag)
  const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
  return text.toString('utf8')
}

const proofWith = (key: Buffer, salt: Buffer, sessionId: string, counter: number): Buffer =>
  createHmac('sha256', key).update(salt).update(`${sessionId}:${counter}`).digest().subarray(0, 20)

const digestWith = (key: Buffer, purpose: string, parts: readonly string[]): Buffer =>
  createHmac('sha256', key)
    .update(JSON.stringify([purpose, ...parts]))
    .digest()

/** Compares in a time that depends only on the lengths. */
export const sameBytes = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b)
