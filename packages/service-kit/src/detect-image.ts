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

/** First bytes as the WHATWG's MIME sniffing standard lists them (§6.1, "Matching an image type pattern"). */
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
 * What a picture is, by its own bytes: what its sender called it counts for nothing. Undefined for anything but a
 * JPEG, PNG or WebP whose header can be read.
 */
export function detectImage(bytes: Buffer): DetectedImage | undefined {
  const type = typeOf(bytes)
  if (type === undefined) return undefined
  try {
    // A copy of their own memory: the library would read on behind their end, in what other requests have left there.
    const { width, height, type: found } = imageSize(new Uint8Array(bytes))
    return found === LIBRARY_NAMES[type] && width > 0 && height > 0 ? { type, width, height } : undefined
  } catch {
    return undefined
  }
}
