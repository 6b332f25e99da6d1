import { Secret } from 'otpauth'
import { sha256 } from '../../../crypto/one-time-secret.ts'

const CODES_PER_SET = 10
const BYTES_PER_CODE = 10

/** A code of 80 random bits: 16 characters of base 32, which has neither 0 nor 1, in lower case. */
const newRecoveryCode = (): string => new Secret({ size: BYTES_PER_CODE }).base32.toLowerCase()

export const newRecoveryCodes = (): string[] => Array.from({ length: CODES_PER_SET }, newRecoveryCode)

/**
 * Stored form of a code. Letter case, spaces and hyphens do not count. 80 random bits resist guessing without a key, so
 * that the codes outlive a change of `AUTH_KEY_SECRET`.
 */
export const recoveryCodeDigest = (factorId: string, code: string): Buffer =>
  sha256(`${factorId}:${code.toLowerCase().replaceAll(/[\s-]/g, '')}`)
