import { DamagedPictureError } from './damaged-picture-error.ts'
import { exifWith, orientationOf } from './orientation.ts'

const SOI = 0xd8
const EOI = 0xd9
const SOS = 0xda
const APP0 = 0xe0
const APP1 = 0xe1
const APP2 = 0xe2
const APP14 = 0xee
const APP15 = 0xef
const COM = 0xfe
const EXIF = 'Exif\0\0'

/**
 * Removes metadata from a JPEG (ITU-T T.81, annex B): comments and application segments, except JFIF, the colour profile
 * and Adobe's colour transform. The image data is copied unchanged; bytes after the end of the image are removed. The
 * orientation is kept in a minimal Exif segment. Throws {@link DamagedPictureError}.
 */
export function stripJpeg(bytes: Buffer): Buffer {
  const kept: Buffer[] = [bytes.subarray(0, 2)]
  let orientation: number | undefined
  let at = 2
  while (at < bytes.length) {
    const start = at
    if (bytes[at] !== 0xff) throw new DamagedPictureError()
    // A marker may be preceded by any number of fill bytes.
    while (bytes[at] === 0xff) at += 1
    const marker = bytes[at]
    at += 1
    if (marker === undefined || marker === 0x00 || marker === SOI) throw new DamagedPictureError()
    if (marker === EOI) return joined(kept, orientation, bytes.subarray(start, at))
    const end = at + lengthAt(bytes, at)
    const content = bytes.subarray(at + 2, end)
    if (marker === APP1 && startsWith(content, EXIF)) orientation ??= orientationOf(content)
    if (isKept(marker, content)) kept.push(bytes.subarray(start, end))
    at = end
    if (marker === SOS) {
      at = endOfScan(bytes, end)
      kept.push(bytes.subarray(end, at))
    }
  }
  // The end marker is missing: decoders show the available data.
  return joined(kept, orientation, Buffer.alloc(0))
}

/** Segment length, including its own two bytes. */
function lengthAt(bytes: Buffer, at: number): number {
  if (at + 2 > bytes.length) throw new DamagedPictureError()
  const length = bytes.readUInt16BE(at)
  if (length < 2 || at + length > bytes.length) throw new DamagedPictureError()
  return length
}

function isKept(marker: number, content: Buffer): boolean {
  if (marker === APP0) return startsWith(content, 'JFIF\0')
  if (marker === APP2) return startsWith(content, 'ICC_PROFILE\0')
  if (marker === APP14) return startsWith(content, 'Adobe')
  return (marker < APP0 || marker > APP15) && marker !== COM
}

/** Position of the next marker. Stuffed zeros and restart markers belong to the scan. */
function endOfScan(bytes: Buffer, start: number): number {
  let at = bytes.indexOf(0xff, start)
  while (at !== -1 && at + 1 < bytes.length) {
    const next = bytes[at + 1] ?? 0
    const isData = next === 0x00 || (next >= 0xd0 && next <= 0xd7)
    if (!isData && next !== 0xff) return at
    at = bytes.indexOf(0xff, at + (isData ? 2 : 1))
  }
  return bytes.length
}

function joined(kept: readonly Buffer[], orientation: number | undefined, end: Buffer): Buffer {
  const [start, ...segments] = kept
  const exif = orientation === undefined ? [] : [exifSegment(orientation)]
  return Buffer.concat([start ?? Buffer.alloc(0), ...exif, ...segments, end])
}

function exifSegment(orientation: number): Buffer {
  const content = Buffer.concat([Buffer.from(EXIF, 'latin1'), exifWith(orientation)])
  const header = Buffer.from([0xff, APP1, 0, 0])
  header.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([header, content])
}

const startsWith = (bytes: Buffer, text: string): boolean => bytes.toString('latin1', 0, text.length) === text
