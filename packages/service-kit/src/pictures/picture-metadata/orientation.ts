/**
 * Reads the orientation (2 to 8) from Exif data (tag 0x0112 of the first directory; CIPA DC-008 §4.6.4). Undefined for 1
 * (normal) and for missing or invalid data. Every position is checked against the end of the data.
 */
export function orientationOf(exif: Buffer): number | undefined {
  const tiff = exif.toString('latin1', 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif
  if (tiff.length < 8) return undefined
  const order = tiff.toString('latin1', 0, 2)
  if (order !== 'II' && order !== 'MM') return undefined
  const isLittle = order === 'II'
  const read16 = (at: number): number => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (read16(2) !== 42 || directory + 2 > tiff.length) return undefined
  const count = read16(directory)
  for (let index = 0; index < count; index += 1) {
    const entry = directory + 2 + index * ENTRY_BYTES
    if (entry + ENTRY_BYTES > tiff.length) return undefined
    if (read16(entry) !== ORIENTATION_TAG) continue
    const value = read16(entry + 8)
    return read16(entry + 2) === SHORT && value >= 2 && value <= 8 ? value : undefined
  }
  return undefined
}

const ENTRY_BYTES = 12
const ORIENTATION_TAG = 0x0112
const SHORT = 3

/** Minimal Exif data (a TIFF header and one directory) with only an orientation. */
export function exifWith(orientation: number): Buffer {
  const exif = Buffer.alloc(26)
  exif.write('MM\0*', 0, 'latin1')
  exif.writeUInt32BE(8, 4)
  exif.writeUInt16BE(1, 8)
  exif.writeUInt16BE(ORIENTATION_TAG, 10)
  exif.writeUInt16BE(SHORT, 12)
  exif.writeUInt32BE(1, 14)
  exif.writeUInt16BE(orientation, 18)
  return exif
}
