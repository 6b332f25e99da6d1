import { DamagedPictureError } from './damaged-picture-error.ts'
import { exifWith, orientationOf } from './orientation.ts'

const RIFF_HEADER_BYTES = 12
const CHUNK_HEADER_BYTES = 8
/** Size of an animation frame's header, before its chunks. */
const FRAME_HEADER_BYTES = 16
const EXIF_FLAG = 0x08
const XMP_FLAG = 0x04
const FILE_CHUNKS: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ICCP', 'ANIM', 'ANMF'])
const FRAME_CHUNKS: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'ALPH'])

interface Chunk {
  type: string
  content: Buffer
}

/**
 * Removes metadata from a WebP (RFC 9649): only chunks of the image, its colours and its animation are kept, and the
 * header's flags are updated. Bytes after the end are removed. The orientation is kept in a minimal Exif chunk. Throws
 * {@link DamagedPictureError}.
 */
export function stripWebp(bytes: Buffer): Buffer {
  if (bytes.length < RIFF_HEADER_BYTES) throw new DamagedPictureError()
  const end = CHUNK_HEADER_BYTES + bytes.readUInt32LE(4)
  if (end > bytes.length) throw new DamagedPictureError()
  const chunks = readChunks(bytes.subarray(RIFF_HEADER_BYTES, end))
  const exif = chunks.find(({ type }) => type === 'EXIF')
  const orientation = exif === undefined ? undefined : orientationOf(exif.content)
  const kept = chunks
    .filter(({ type }) => FILE_CHUNKS.has(type))
    .map((chunk) => stripChunk(chunk, orientation !== undefined))
  if (orientation !== undefined) kept.push({ type: 'EXIF', content: exifWith(orientation) })
  const body = Buffer.concat([Buffer.from('WEBP'), ...kept.map(writeChunk)])
  return writeChunk({ type: 'RIFF', content: body })
}

function readChunks(bytes: Buffer): Chunk[] {
  const chunks: Chunk[] = []
  let at = 0
  while (at < bytes.length) {
    if (at + CHUNK_HEADER_BYTES > bytes.length) throw new DamagedPictureError()
    const start = at + CHUNK_HEADER_BYTES
    const size = bytes.readUInt32LE(at + 4)
    if (start + size > bytes.length) throw new DamagedPictureError()
    chunks.push({ type: bytes.toString('latin1', at, at + 4), content: bytes.subarray(start, start + size) })
    // Chunks are padded to an even length; some encoders omit the last padding byte.
    at = start + size + (size % 2)
  }
  return chunks
}

function stripChunk({ type, content }: Chunk, hasExif: boolean): Chunk {
  if (type === 'VP8X') {
    if (content.length < 1) throw new DamagedPictureError()
    const header = Buffer.from(content)
    header[0] = ((header[0] ?? 0) & ~(EXIF_FLAG | XMP_FLAG)) | (hasExif ? EXIF_FLAG : 0)
    return { type, content: header }
  }
  if (type !== 'ANMF') return { type, content }
  if (content.length < FRAME_HEADER_BYTES) throw new DamagedPictureError()
  const frame = readChunks(content.subarray(FRAME_HEADER_BYTES)).filter((part) => FRAME_CHUNKS.has(part.type))
  return { type, content: Buffer.concat([content.subarray(0, FRAME_HEADER_BYTES), ...frame.map(writeChunk)]) }
}

function writeChunk({ type, content }: Chunk): Buffer {
  const header = Buffer.from(`${type}\0\0\0\0`, 'latin1')
  header.writeUInt32LE(content.length, 4)
  return Buffer.concat([header, content, Buffer.alloc(content.length % 2)])
}
