import { createHmac, createPrivateKey, randomBytes, sign } from 'node:crypto'
import { generateKeyPair, publicKeyFor } from '@looptide/service-kit/events/event-keys'

/** What signs the deliveries of a webhook: the secret (`whsec_…`) and an Ed25519 key as 32 bytes in base64url. */
export interface SigningSecrets {
  secret: string
  signingKey: string
}

const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** New random secrets. */
export const newSecrets = (): SigningSecrets => ({
  secret: SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64'),
  signingKey: generateKeyPair().privateKey,
})

/** The public key of a signing key, as Standard Webhooks writes it (`whpk_…`). */
export const publicKeyOf = (signingKey: string): string =>
  `whpk_${Buffer.from(publicKeyFor(signingKey), 'base64url').toString('base64')}`

/**
 * The headers of a delivery, as Standard Webhooks 1.0 defines them. Each of the secrets signs with HMAC-SHA256 (`v1`) and
 * Ed25519 (`v1a`). Not the library `standardwebhooks`, which knows only the first; the tests verify with it.
 */
export function signedHeaders(
  message: { id: string; body: string; atMs: number },
  secrets: readonly SigningSecrets[],
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(message.atMs / 1000))
  const signed = Buffer.from(`${message.id}.${timestamp}.${message.body}`)
  const signatures = secrets.flatMap(({ secret, signingKey }) => [
    `v1,${createHmac('sha256', keyOf(secret)).update(signed).digest('base64')}`,
    `v1a,${sign(null, signed, privateKeyOf(signingKey)).toString('base64')}`,
  ])
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}

const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')

const privateKeyOf = (raw: string) =>
  createPrivateKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', d: raw, x: '' } })
