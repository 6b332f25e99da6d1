import { createHash } from 'node:crypto'
import { stringify, v7 } from 'uuid'

/** A new UUID that sorts by creation time (RFC 9562, version 7), so that new rows are adjacent in an index. */
export function newId(nowMs = Date.now()): string {
  return v7({ msecs: nowMs })
}

/** The nil UUID: it sorts before every id, and is that of nothing. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** The smallest id that {@link newId} can return at that time: older ids sort before it. */
export function minIdAt(ms: number): string {
  return v7({ msecs: Math.max(0, ms), seq: 0, random: new Uint8Array(16) })
}

/**
 * A UUID derived from a name (version 8, SHA-256), so that a repeated publication has the same id. `uuid` has only the
 * name-based versions 3 and 5, whose digests are MD5 and SHA-1.
 */
export function idFromName(name: string): string {
  const bytes = createHash('sha256').update(name).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return stringify(bytes)
}
