import { createECDH } from 'node:crypto'

/** The key pair of Voluntary Application Server Identification (RFC 8292), in base64url. */
export interface VapidKeys {
  publicKey: string
  privateKey: string
}

/** The keys of a private one: 32 bytes in base64url, of the curve P-256. Throws for anything else, without the value. */
export function vapidKeysOf(privateKey: string): VapidKeys {
  const bytes = Buffer.from(privateKey, 'base64url')
  if (bytes.length !== 32 || bytes.toString('base64url') !== privateKey) {
    throw new Error('must be 32 bytes in base64url')
  }
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(bytes)
  return { publicKey: curve.getPublicKey('base64url'), privateKey }
}

/** Whether base64url contains a point of P-256, as the key of a subscription must be. */
export function isPublicKey(text: string): boolean {
  try {
    const curve = createECDH('prime256v1')
    curve.generateKeys()
    curve.computeSecret(Buffer.from(text, 'base64url'))
    return true
  } catch {
    return false
  }
}
