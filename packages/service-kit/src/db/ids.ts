import { createHash, randomBytes } from 'node:crypto'

const format = (bytes: Buffer): string => {
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}

const stamp = (bytes: Buffer, version: number): Buffer => {
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | (version << 4), 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes
}

/** A new UUID that sorts by creation time (RFC 9562, version 7), so that new rows are adjacent in an index. */
export function newId(nowMs = Date.now()): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(nowMs, 0, 6)
  return format(stamp(bytes, 7))
}

/** A UUID derived from a name (version 8, SHA-256), so that a repeated publication has the same id. */
export function idFromName(name: string): string {
  return format(stamp(createHash('sha256').update(name).digest().subarray(0, 16), 8))
}

/** The smallest id that {@link newId} can return at that time: older ids sort before it. */
export function minIdAt(ms: number): string {
  const bytes = Buffer.alloc(16)
  bytes.writeUIntBE(Math.max(0, ms), 0, 6)
  return format(stamp(bytes, 7))
}
