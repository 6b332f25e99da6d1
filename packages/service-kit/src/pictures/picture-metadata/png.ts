import { crc32 } from 'node:zlib'
import { DamagedPictureError } from './damaged-picture-error.ts'
import { exifWith, orientationOf } from './orientation.ts'

const SIGNATURE_BYTES = 8
/** Size of a chunk's length, type and checksum. */
const CHUNK_OVERHEAD_BYTES = 12
/** Chunks needed to show the picture, its colours and its animation (PNG 3rd edition, §11). */
const KEPT: ReadonlySet<string> = new Set([
  ...['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'bKGD', 'pHYs', 'hIST', 'sBIT', 'sPLT'],
  ...['gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP', 'mDCV', 'cLLI'],
  ...['acTL', 'fcTL', 'fdAT'],
])

/**
 * Removes metadata from a PNG: of the ancillary chunks only those that affect the display are kept. Bytes after the end
 * are removed. The orientation is kept in a minimal Exif chunk. Throws {@link DamagedPictureError}.
 */
export function stripPng(bytes: Buffer): Buffer {
  const kept: Buffer[] = [bytes.subarray(0, SIGNATURE_BYTES)]
  let at = SIGNATURE_BYTES
  let hasOrientation = false
  while (at < bytes.length) {
    if (at + CHUNK_OVERHEAD_BYTES > bytes.length) throw new DamagedPictureError()
    const end = at + CHUNK_OVERHEAD_BYTES + bytes.readUInt32BE(at)
    if (end > bytes.length) throw new DamagedPictureError()
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (KEPT.has(type)) kept.push(bytes.subarray(at, end))
    if (type === 'eXIf' && !hasOrientation) {
      const orientation = orientationOf(bytes.subarray(at + 8, end - 4))
      if (orientation !== undefined) kept.push(chunk('eXIf', exifWith(orientation)))
      hasOrientation = orientation !== undefined
    }
    if (type === 'IEND') return Buffer.concat(kept)
    at = end
  }
  throw new DamagedPictureError()
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(content.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
