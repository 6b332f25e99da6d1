import { AccountError } from '../../account-error.ts'

/** Maximum size of `user_metadata` as JSON, in bytes. Every access token carries it and must fit into a header. */
const MAX_BYTES = 4096

/** Returns the metadata. Errors: `invalid_input` when it would make tokens too long. */
export function requireSmall(metadata: Record<string, unknown>): Record<string, unknown> {
  if (sizeOf(metadata) > MAX_BYTES) {
    throw AccountError.invalidInput(`data must not be longer than ${MAX_BYTES} bytes`)
  }
  return metadata
}

/** Merges top-level keys. Null deletes a key. */
export function mergeMetadata(
  before: Record<string, unknown>,
  change: Record<string, unknown>,
): Record<string, unknown> {
  const merged = Object.entries({ ...before, ...change }).filter(([, value]) => value !== null)
  return Object.fromEntries(merged)
}

function sizeOf(value: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(value))
  } catch {
    // The value is nested too deeply to serialise.
    return Number.POSITIVE_INFINITY
  }
}
