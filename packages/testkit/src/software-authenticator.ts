import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'

/** The used part of the options of `navigator.credentials.create()`, as JSON. */
interface CreationOptions {
  challenge: string
  rp: { id?: string }
  user: { id: string }
}

/** The used part of the options of `navigator.credentials.get()`, as JSON. */
interface RequestOptions {
  challenge: string
  rpId?: string
}

/** Deviations from a valid ceremony. */
export interface Deviation {
  origin?: string
  /** Base64url. */
  challenge?: string
  rpId?: string
  /** Default: true. */
  isUserVerified?: boolean
  /** The user handle that the authenticator returns, base64url. */
  userHandle?: string
  /** Format of the attestation. Default: `none`. */
  format?: string
}

const FLAG_USER_PRESENT = 0x01
const FLAG_USER_VERIFIED = 0x04
const FLAG_HAS_CREDENTIAL = 0x40

/**
 * A browser with an authenticator that holds one discoverable credential (ES256), for tests without a browser. It
 * answers with the JSON that browsers' `toJSON()` returns (WebAuthn Level 3, §5.1).
 */
export class SoftwareAuthenticator {
  readonly #origin: string
  readonly #id = randomBytes(32)
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  #userHandle = ''
  /** Signature counter of the last ceremony. It increases with each; undefined: the authenticator has none. */
  counter: number | undefined

  constructor(origin: string, options: { hasCounter?: boolean } = {}) {
    this.#origin = origin
    this.counter = options.hasCounter === false ? undefined : 0
  }

  /** The id of the credential, base64url. */
  get credentialId(): string {
    return base64url(this.#id)
  }

  /** `RegistrationResponseJSON` */
  create(options: CreationOptions, deviation: Deviation = {}) {
    this.#userHandle = options.user.id
    const authData = Buffer.concat([
      this.#authenticatorData(deviation.rpId ?? options.rp.id ?? '', deviation, FLAG_HAS_CREDENTIAL),
      Buffer.alloc(16),
      uint16(this.#id.length),
      this.#id,
      coseKey(this.#keys.publicKey),
    ])
    const format = deviation.format ?? 'none'
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3]),
      cborText('fmt'),
      cborText(format),
      cborText('attStmt'),
      Buffer.from([0xa0]),
      cborText('authData'),
      Buffer.from([0x59]),
      uint16(authData.length),
      authData,
    ])
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: base64url(this.#clientData('webauthn.create', options.challenge, deviation)),
        attestationObject: base64url(attestationObject),
        transports: ['internal' as const],
      },
    }
  }

  /** `AuthenticationResponseJSON` */
  get(options: RequestOptions, deviation: Deviation = {}) {
    const clientData = this.#clientData('webauthn.get', options.challenge, deviation)
    const authData = this.#authenticatorData(deviation.rpId ?? options.rpId ?? '', deviation)
    const signature = createSign('sha256')
      .update(authData)
      .update(sha256(clientData))
      .sign(this.#keys.privateKey)
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(authData),
        signature: base64url(signature),
        userHandle: deviation.userHandle ?? this.#userHandle,
      },
    }
  }

  #credential() {
    const id = this.credentialId
    return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} }
  }

  #clientData(type: string, challenge: string, deviation: Deviation): Buffer {
    const { origin = this.#origin } = deviation
    return Buffer.from(
      JSON.stringify({ type, challenge: deviation.challenge ?? challenge, origin, crossOrigin: false }),
    )
  }

  /** Authenticator data up to the counter (WebAuthn Level 3, §6.1). */
  #authenticatorData(rpId: string, { isUserVerified = true }: Deviation, moreFlags = 0): Buffer {
    if (this.counter !== undefined) this.counter += 1
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter ?? 0)
    const flags = FLAG_USER_PRESENT | (isUserVerified ? FLAG_USER_VERIFIED : 0) | moreFlags
    return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.from([flags]), counter])
  }
}

const base64url = (bytes: Buffer): string => bytes.toString('base64url')
const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

/** A text of at most 23 bytes in CBOR (RFC 8949). */
const cborText = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])

/** A P-256 key in COSE format: `{1: 2, 3: -7, -1: 1, -2: x, -3: y}` in CBOR (RFC 9053, §7.1). */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
    Buffer.from(x, 'base64url'),
    Buffer.from([0x22, 0x58, 0x20]),
    Buffer.from(y, 'base64url'),
  ])
}
