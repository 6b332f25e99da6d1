import type { PictureType } from '@looptide/contracts/pictures'
import { imageSize } from 'image-size'

export interface DetectedImage {
  type: PictureType
  /** Pixels. */
  width: number
  height: number
}

const startsWith = (bytes: Buffer, signature: readonly number[], at = 0): boolean =>
  bytes.length >= at + signature.length && signature.every((byte, index) => bytes[at + index] === byte)

const RIFF = [0x52, 0x49, 0x46, 0x46]
const WEBP = [0x57, 0x45, 0x42, 0x50]

/**
 * Signatures from the WHATWG MIME Sniffing standard (§6.1, "Matching an image type pattern"). Own, because `image-size`
 * and `file-type` would try their parsers of all formats on a user's bytes.
 */
function typeOf(bytes: Buffer): PictureType | undefined {
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return 'image/jpeg'
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'image/png'
  if (startsWith(bytes, RIFF) && startsWith(bytes, WEBP, 8)) return 'image/webp'
  return undefined
}

const LIBRARY_NAMES: Record<PictureType, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
}

/**
 * Detects type and size of an image from its bytes; the declared content type is ignored. Undefined unless it is a JPEG,
 * PNG or WebP with a readable header.
 */
export function detectImage(bytes: Buffer): DetectedImage | undefined {
  const type = typeOf(bytes)
  if (type === undefined) return undefined
  try {
    // Copied, because the library may read beyond the end of the slice into Node's shared buffer pool.
    const { width, height, type: found } = imageSize(new Uint8Array(bytes))
    return found === LIBRARY_NAMES[type] && width > 0 && height > 0 ? { type, width, height } : undefined
  } catch {
    return undefined
  }
}
