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

/** A UUID that sorts by the time it was made (RFC 9562, version 7), so that new rows lie together in an index. */
export function newId(nowMs = Date.now()): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(nowMs, 0, 6)
  return format(stamp(bytes, 7))
}

/** The same id for the same name, always: what makes a repeated publication recognisable (version 8, SHA-256). */
export function idFromName(name: string): string {
  return format(stamp(createHash('sha256').update(name).digest().subarray(0, 16), 8))
}

/** The least id that {@link newId} could make at that time: what is older sorts before it. */
export function minIdAt(ms: number): string {
  const bytes = Buffer.alloc(16)
  bytes.writeUIntBE(Math.max(0, ms), 0, 6)
  return format(stamp(bytes, 7))
}
