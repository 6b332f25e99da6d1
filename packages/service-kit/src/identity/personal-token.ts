import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * A personal access token is `looptide_pat_` and 48 characters of base64url: 32 random bytes and their CRC-32. The prefix
 * lets scanners find leaked tokens; the checksum lets them and the gateway recognise random texts without a look-up.
 */
export const PERSONAL_TOKEN_PREFIX = 'looptide_pat_'

const SECRET_BYTES = 32
const CHECKSUM_BYTES = 4
const LENGTH = PERSONAL_TOKEN_PREFIX.length + ((SECRET_BYTES + CHECKSUM_BYTES) / 3) * 4

const checksumOf = (secret: Buffer): Buffer => {
  const bytes = Buffer.alloc(CHECKSUM_BYTES)
  bytes.writeUInt32BE(crc32(secret))
  return bytes
}

/** A new token and the digest that is stored. */
export function createPersonalToken(secret = randomBytes(SECRET_BYTES)): { token: string; digest: Buffer } {
  const token = PERSONAL_TOKEN_PREFIX + Buffer.concat([secret, checksumOf(secret)]).toString('base64url')
  return { token, digest: digestOf(token) }
}

/** The digest of a token; null for a text that is not one. */
export function personalTokenDigest(text: string): Buffer | null {
  if (text.length !== LENGTH || !text.startsWith(PERSONAL_TOKEN_PREFIX)) return null
  const encoded = text.slice(PERSONAL_TOKEN_PREFIX.length)
  const bytes = Buffer.from(encoded, 'base64url')
  // Node ignores characters outside the alphabet.
  if (bytes.toString('base64url') !== encoded) return null
  const secret = bytes.subarray(0, SECRET_BYTES)
  return checksumOf(secret).equals(bytes.subarray(SECRET_BYTES)) ? digestOf(text) : null
}

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest()
