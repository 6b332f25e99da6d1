import type { Rotation } from '../db/schema.ts'
import type { Vault } from './vault.ts'

const ID_BYTES = 16
const COUNTER_BYTES = 4
const PROOF_BYTES = 20
const PATTERN = /^[A-Za-z0-9_-]{54}$/

/** The fields of a refresh token. `proof` was not verified yet. */
export interface ReadToken {
  sessionId: string
  counter: number
  proof: Buffer
}

/**
 * Makes a refresh token: `base64url(session id, counter, proof)`. It is not stored but derived from its session's row, so
 * that two racing tabs get the same successor (docs/protocols/auth.md, "Refresh", case 2).
 */
export function makeRefreshToken(vault: Vault, salt: Buffer, sessionId: string, counter: number): string {
  const id = Buffer.from(sessionId.replaceAll('-', ''), 'hex')
  const counterBytes = Buffer.alloc(COUNTER_BYTES)
  counterBytes.writeUInt32BE(counter)
  return Buffer.concat([id, counterBytes, vault.refreshProof(salt, sessionId, counter)]).toString('base64url')
}

/** Parses a refresh token. Returns null when its format is wrong. */
export function readRefreshToken(token: string): ReadToken | null {
  if (!PATTERN.test(token)) return null
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== ID_BYTES + COUNTER_BYTES + PROOF_BYTES) return null
  // Several base64 texts decode to the same bytes. Only the canonical one is accepted.
  if (bytes.toString('base64url') !== token) return null
  const hex = bytes.subarray(0, ID_BYTES).toString('hex')
  return {
    sessionId: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    counter: bytes.readUInt32BE(ID_BYTES),
    proof: bytes.subarray(ID_BYTES + COUNTER_BYTES),
  }
}

/** Whether this service issued the token for its session. */
export const isGenuine = (vault: Vault, salt: Buffer, token: ReadToken): boolean =>
  vault.isRefreshProof(token.proof, salt, token.sessionId, token.counter)

export type RefreshDecision = 'rotate' | 'repeat' | 'reused'

/** The state of a session when one of its refresh tokens arrives. */
export interface RefreshState {
  /** Counter of the active token. */
  active: number
  /** When used tokens were rotated, at least within the reuse interval. */
  rotations: readonly Rotation[]
  /** Highest token counter that the client is known to have received. */
  arrived: number
  /** Whether the request comes from the network and browser of the last refresh. */
  sameClient: boolean
}

/**
 * Decides what to do with the token that has this counter (docs/protocols/auth.md, "Refresh", cases 1 to 4): issue a
 * successor, answer with the active token again, or end the session.
 */
export function decideRefresh(
  counter: number,
  { active, rotations, arrived, sameClient }: RefreshState,
  nowMs: number,
  reuseIntervalMs: number,
): RefreshDecision {
  if (counter === active) return 'rotate'
  const rotatedAtMs = rotations.find((rotation) => rotation.counter === counter)?.atMs
  if (rotatedAtMs !== undefined && nowMs - rotatedAtMs <= reuseIntervalMs) return 'repeat'
  const mayBeLost = counter === active - 1 && arrived < active && sameClient
  return mayBeLost ? 'repeat' : 'reused'
}

/** Limits the size of a session row. One client does not refresh more often within the reuse interval. */
const MAX_ROTATIONS = 64

/** Adds `latest` and drops the rotations older than the reuse interval. */
export function addRotation(
  rotations: readonly Rotation[],
  latest: Rotation,
  reuseIntervalMs: number,
): Rotation[] {
  const recent = rotations.filter(({ atMs }) => latest.atMs - atMs <= reuseIntervalMs)
  return [...recent, latest].slice(-MAX_ROTATIONS)
}
