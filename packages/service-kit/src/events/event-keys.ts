import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import { OPTIONAL_OWNERS, OWNERS, type Owner } from '@looptide/contracts/event'

/** NATS header of an event's signature: `<key id>.<Ed25519 signature in base64url>`. */
export const SIGNATURE_HEADER = 'Looptide-Signature'

/** The reasons for which signatures are rejected. */
export const SIGNATURE_ERRORS = ['unsigned', 'unknown_key', 'bad_signature'] as const
export type SignatureError = (typeof SIGNATURE_ERRORS)[number]

/** A private key and its public key, each as the 32 raw bytes in base64url. */
export interface KeyPair {
  privateKey: string
  publicKey: string
}

interface PublicKey {
  owner: Owner
  key: KeyObject
}

/** During rotation, both the old and the new key of an owner are accepted. */
const KEYS_PER_OWNER = 2
const RAW_KEY = /^[A-Za-z0-9_-]{43}$/
const KEY_ID_LENGTH = 8

const privateKeyOf = (raw: string): KeyObject =>
  createPrivateKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', d: raw, x: '' } })
const publicKeyOf = (raw: string): KeyObject =>
  createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: raw } })

const rawPublic = (key: KeyObject): string => String(key.export({ format: 'jwk' }).x)

/** The public key of a private key. Throws when it is not a key. */
export function publicKeyFor(privateKey: string): string {
  if (!RAW_KEY.test(privateKey)) throw new Error('not an Ed25519 private key')
  return rawPublic(createPublicKey(privateKeyOf(privateKey)))
}

/** A new random key pair. */
export function generateKeyPair(): KeyPair {
  const { privateKey } = generateKeyPairSync('ed25519')
  const { d, x } = privateKey.export({ format: 'jwk' })
  return { privateKey: String(d), publicKey: String(x) }
}

/** The value of `EVENT_PUBLIC_KEYS` for these private keys: `<owner>:<public key>` pairs, separated by commas. */
export const eventPublicKeys = (privateKeys: Readonly<Record<Owner, string>>): string =>
  OWNERS.map((owner) => `${owner}:${publicKeyFor(privateKeys[owner])}`).join(',')

/**
 * Signs the events of one owner and verifies those of all owners. A signature covers the subject and the exact bytes of
 * the payload, so a message cannot be replayed on another subject.
 */
export class EventKeys {
  readonly #privateKey: KeyObject | undefined
  readonly #ownKeyId: string
  readonly #public: ReadonlyMap<string, PublicKey>

  /**
   * @param signingKey the private key of this process's owner; undefined if it publishes no events
   * @param publicKeys as in {@link eventPublicKeys}; every owner has one or two, {@link OPTIONAL_OWNERS} may have none
   * @throws Error whose message does not contain the key
   */
  constructor(signingKey: string | undefined, publicKeys: string) {
    this.#public = parsePublicKeys(publicKeys)
    this.#privateKey = signingKey === undefined ? undefined : privateKeyOf(checked(signingKey))
    this.#ownKeyId =
      this.#privateKey === undefined ? '' : keyIdOf(rawPublic(createPublicKey(this.#privateKey)))
    if (this.#privateKey !== undefined && !this.#public.has(this.#ownKeyId))
      throw new Error('the public key of the signing key is not among the public keys')
  }

  /** The owner whose events this process signs; undefined if it signs none. */
  get owner(): Owner | undefined {
    return this.#public.get(this.#ownKeyId)?.owner
  }

  /** The value of {@link SIGNATURE_HEADER}. Throws in a process without a signing key. */
  sign(subject: string, payload: Uint8Array): string {
    if (this.#privateKey === undefined) throw new Error('this process has no signing key')
    return `${this.#ownKeyId}.${sign(null, signed(subject, payload), this.#privateKey).toString('base64url')}`
  }

  /** Returns undefined if the owner of the subject signed exactly this payload. */
  checkSignature(
    subject: string,
    payload: Uint8Array,
    signature: string | undefined,
  ): SignatureError | undefined {
    if (signature === undefined || signature === '') return 'unsigned'
    const known = this.#public.get(signature.slice(0, KEY_ID_LENGTH))
    if (known === undefined || !subject.startsWith(`${known.owner}.`)) return 'unknown_key'
    if (signature[KEY_ID_LENGTH] !== '.') return 'bad_signature'
    const bytes = Buffer.from(signature.slice(KEY_ID_LENGTH + 1), 'base64url')
    return verify(null, signed(subject, payload), known.key, bytes) ? undefined : 'bad_signature'
  }
}

function checked(signingKey: string): string {
  if (!RAW_KEY.test(signingKey)) throw new Error('the signing key is not 32 bytes in base64url')
  return signingKey
}

/** Starts with the subject's length, so that no other subject and payload give the same bytes. */
const signed = (subject: string, payload: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`${subject.length}:${subject}`), payload])

/** The first characters of the public key. */
const keyIdOf = (publicKey: string): string => publicKey.slice(0, KEY_ID_LENGTH)

function parsePublicKeys(text: string): Map<string, PublicKey> {
  const found = new Map<string, PublicKey>()
  for (const pair of text.split(',').map((part) => part.trim())) {
    const [owner, raw = ''] = pair.split(':')
    const known = OWNERS.find((name) => name === owner)
    if (known === undefined || !RAW_KEY.test(raw))
      throw new Error('must be <owner>:<key>, separated by commas')
    if (found.has(keyIdOf(raw))) throw new Error(`the key of ${known} is given twice`)
    found.set(keyIdOf(raw), { owner: known, key: publicKeyOf(raw) })
  }
  for (const owner of OWNERS) {
    const count = [...found.values()].filter((key) => key.owner === owner).length
    const isMissing = count === 0 && !OPTIONAL_OWNERS.includes(owner)
    if (isMissing || count > KEYS_PER_OWNER)
      throw new Error(`${owner} must have one or two keys, and has ${count}`)
  }
  return found
}
