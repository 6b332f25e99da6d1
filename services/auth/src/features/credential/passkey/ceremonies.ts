import type { AuthenticationCredential, RegistrationCredential } from '@looptide/contracts/http/passkeys'
import type { AttestationObject } from '@simplewebauthn/server/helpers'
import { AccountError } from '../../../account-error.ts'
import type { RelyingParty } from './relying-party.ts'

/** `AuthenticatorTransport` of WebAuthn Level 3. Browsers may send others, which are dropped. */
const TRANSPORTS = ['ble', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']
/** COSE algorithms of new passkeys: EdDSA, ES256, RS256. The library's default adds some that are experimental in Node. */
export const ALGORITHMS = [-8, -7, -257]
/** Maximum size of a public key, in bytes. RSA keys have about 270 or 530. */
const MAX_PUBLIC_KEY_BYTES = 4096

export interface NewCredential {
  credentialId: Buffer
  publicKey: Buffer
  counter: number
  /** Transports by which browsers reach the authenticator. */
  transports: string[]
}

/** WebAuthn, loaded by the first ceremony: it takes 10 MB, and few sign-ins use it. */
export const loadWebauthn = () => import('@simplewebauthn/server')

interface Expected {
  party: RelyingParty
  /** Whether the station issued this challenge (base64url) for this ceremony. */
  isChallenge: (signed: string) => boolean
  /** Whether the authenticator must have checked a fingerprint or PIN, as when it is the only factor. */
  requireUserVerification: boolean
}

/**
 * Verifies the answer of `navigator.credentials.create()`: challenge, origin, RP ID, user verification if required, attestation.
 * Errors: `passkey_refused`.
 */
export async function verifyRegistration(
  { id, rawId, type, response }: RegistrationCredential,
  { party, isChallenge, requireUserVerification }: Expected,
): Promise<NewCredential> {
  const { verifyRegistrationResponse } = await loadWebauthn()
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const { registrationInfo } = await refuseOnError(async () => {
    const attestation = Buffer.from(response.attestationObject, 'base64url')
    requireNoCertificates(decodeAttestationObject(new Uint8Array(attestation)))
    return verifyRegistrationResponse({
      response: { id, rawId, type, response, clientExtensionResults: {} },
      expectedChallenge: isChallenge,
      expectedOrigin: [...party.origins],
      expectedRPID: party.id,
      requireUserVerification,
      supportedAlgorithmIDs: ALGORITHMS,
    })
  })
  if (registrationInfo === undefined) throw refused()
  const { credential } = registrationInfo
  if (credential.id !== id || credential.publicKey.length > MAX_PUBLIC_KEY_BYTES) throw refused()
  return {
    credentialId: Buffer.from(id, 'base64url'),
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: TRANSPORTS.filter((transport) => response.transports?.includes(transport)),
  }
}

/**
 * Verifies the answer of `navigator.credentials.get()`: challenge, origin, RP ID, user verification if required,
 * signature. Returns the signature counter, which the caller must compare with `isCopy`. Errors: `passkey_refused`.
 */
export async function verifyAuthentication(
  { id, rawId, type, response }: AuthenticationCredential,
  publicKey: Buffer,
  { party, isChallenge, requireUserVerification }: Expected,
): Promise<{ counter: number }> {
  const { clientDataJSON, authenticatorData, signature } = response
  const { verifyAuthenticationResponse } = await loadWebauthn()
  const { verified, authenticationInfo } = await refuseOnError(() =>
    verifyAuthenticationResponse({
      response: {
        id,
        rawId,
        type,
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: isChallenge,
      expectedOrigin: [...party.origins],
      expectedRPID: party.id,
      // Counter 0: the library would refuse a lower counter like any other fault, before it checks the signature.
      credential: { id, publicKey: new Uint8Array(publicKey), counter: 0 },
      requireUserVerification,
    }),
  )
  if (!verified) throw refused()
  return { counter: authenticationInfo.newCounter }
}

/**
 * Refuses attestations with certificates. Browsers send none, because the station requests none; the library would
 * fetch revocation lists from addresses in a forged certificate.
 */
function requireNoCertificates(attestation: AttestationObject): void {
  const format = attestation.get('fmt')
  const isSelfAttested = format === 'packed' && attestation.get('attStmt').get('x5c') === undefined
  if (format !== 'none' && !isSelfAttested) throw refused()
}

/** The library throws plain errors for every fault of an answer. */
async function refuseOnError<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify()
  } catch (error) {
    throw error instanceof AccountError ? error : refused(error)
  }
}

/** The refusal of a passkey, the same for all reasons. `cause` is for the log. */
export function refused(cause?: unknown): AccountError {
  const error = new AccountError('passkey_refused', 'Credential verification failed')
  error.cause = cause
  return error
}

/**
 * Whether a signature counter did not increase, as when another copy of the authenticator was used (WebAuthn Level 3,
 * §6.1.1). Authenticators without a counter, such as synchronised passkeys, always send 0.
 */
export const isCopy = (stored: number, signed: number): boolean =>
  (stored > 0 || signed > 0) && signed <= stored
