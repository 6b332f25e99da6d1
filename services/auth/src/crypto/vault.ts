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
 * All that is done with `AUTH_KEY_SECRET`. Each purpose has a key of its own (HKDF, RFC 5869), so that
 * what is known of one tells nothing of another.
 */
export class Vault {
  readonly #sealing: Buffer
  readonly #refresh: Buffer
  readonly #digests: Buffer

  constructor(secret: string) {
    const derive = (purpose: string): Buffer =>
      Buffer.from(hkdfSync('sha256', secret, 'looptide-auth', purpose, 32))
    this.#sealing = derive('seal')
    this.#refresh = derive('refresh-token')
    this.#digests = derive('digest')
  }

  /** AES-256-GCM: nonce, tag, text. `context` must be the same on opening. */
  seal(text: string, context: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#sealing, nonce).setAAD(Buffer.from(context))
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
  }

  /** Throws when the secret is another one or the bytes were altered. */
  open(bytes: Buffer, context: string): string {
    const nonce = bytes.subarray(0, NONCE_BYTES)
    const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
    const decipher = createDecipheriv('aes-256-gcm', this.#sealing, nonce).setAAD(Buffer.from(context))
    decipher.setAuthTag(tag)
    const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
    return text.toString('utf8')
  }

  /** The proof in a refresh token; nobody can compute it who lacks the secret or the session's row. */
  refreshProof(salt: Buffer, sessionId: string, counter: number): Buffer {
    return createHmac('sha256', this.#refresh)
      .update(salt)
      .update(`${sessionId}:${counter}`)
      .digest()
      .subarray(0, 20)
  }

  /** What is stored in place of a secret or an address, keyed so that a short one can't be found by trying. */
  digest(purpose: string, ...parts: readonly string[]): Buffer {
    return createHmac('sha256', this.#digests)
      .update(JSON.stringify([purpose, ...parts]))
      .digest()
  }
}

/** Equality in a time that depends only on the lengths. */
export const sameBytes = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b)
