import type { Db } from '@looptide/service-kit/db/db'
import { FIRST_ID } from '@looptide/service-kit/db/ids'
import { Secret, TOTP } from 'otpauth'
import { encodeQR } from 'qr'
import type { Vault } from '../../../crypto/vault.ts'
import type { Database } from '../../../db/schema.ts'
import * as factorRepository from '../../user/factor-repository.ts'

/** RFC 6238 with the values that every authenticator app supports. */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 } as const
const PERIOD_MS = PARAMETERS.period * 1000
/** Accepted clock difference before and after, in time steps (RFC 6238 §5.2). */
const WINDOW = 1
/** RFC 4226 §4, R6 recommends 160 bits. */
const SECRET_BYTES = 20

/** A new secret as an authenticator app receives it. */
export interface TotpEnrollment {
  /** Base 32. */
  secret: string
  /** `otpauth://totp/…`, the format of Google Authenticator. */
  uri: string
  /** SVG of the URI, black modules on a transparent background. */
  qrCode: string
}

/** Creates a secret. `issuer` and `account` are shown by the app. */
export function newTotp(issuer: string, account: string): TotpEnrollment {
  const totp = new TOTP({ ...PARAMETERS, issuer, label: account, secret: new Secret({ size: SECRET_BYTES }) })
  const uri = totp.toString()
  return { secret: totp.secret.base32, uri, qrCode: encodeQR(uri, 'svg') }
}

/** The time step whose code this is. Null for a wrong code, and for a step that is not after `lastStep`. */
export function acceptedStep(secret: string, code: string, nowMs: number, lastStep: number): number | null {
  const totp = new TOTP({ ...PARAMETERS, secret: Secret.fromBase32(secret) })
  const delta = totp.validate({ token: code, timestamp: nowMs, window: WINDOW })
  if (delta === null) return null
  const step = Math.floor(nowMs / PERIOD_MS) + delta
  // RFC 6238 §5.2: a code is accepted once.
  return step > lastStep ? step : null
}

/**
 * Encrypts the TOTP secrets of one batch, those after the id `after`, with the current `AUTH_KEY_SECRET`. Returns where
 * the next batch begins: after the last batch from the beginning, since replicas with the former secret may still write.
 */
export async function resealSecrets(
  db: Db<Database>,
  vault: Vault,
  batchSize: number,
  after: string = FIRST_ID,
): Promise<string> {
  const factors = await factorRepository.sealedAfter(db, after, batchSize)
  for (const { id, sealedSecret } of factors) {
    if (vault.isCurrent(sealedSecret, id)) continue
    await factorRepository.update(db, id, { sealedSecret: vault.seal(vault.open(sealedSecret, id), id) })
  }
  return factors.length < batchSize ? FIRST_ID : (factors.at(-1)?.id ?? FIRST_ID)
}
