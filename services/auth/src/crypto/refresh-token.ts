import type { Rotation } from '../db/schema.ts'
import type { Vault } from './vault.ts'

const ID_BYTES = 16
const COUNTER_BYTES = 4
const PROOF_BYTES = 20
const PATTERN = /^[A-Za-z0-9_-]{54}$/

/** A refresh token as far as it can be read without the session's row. */
export interface ReadToken {
  sessionId: string
  counter: number
  proof: Buffer
}

/**
 * `base64url(session id, counter, proof)`. Nothing of it is stored: the token with a given number can be
 * derived again from its session's row, which is what lets two tabs that race get the same successor
 * (docs/protocols/auth.md §2.3, case 2).
 */
export function makeRefreshToken(vault: Vault, salt: Buffer, sessionId: string, counter: number): string {
  const id = Buffer.from(sessionId.replaceAll('-', ''), 'hex')
  const number = Buffer.alloc(COUNTER_BYTES)
  number.writeUInt32BE(counter)
  return Buffer.concat([id, number, vault.refreshProof(salt, sessionId, counter)]).toString('base64url')
}

/** The parts of a token, or null when it has not the form of one of ours. */
export function readRefreshToken(token: string): ReadToken | null {
  if (!PATTERN.test(token)) return null
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== ID_BYTES + COUNTER_BYTES + PROOF_BYTES) return null
  // Base64 has several spellings for the same last byte; only the one we wrote counts.
  if (bytes.toString('base64url') !== token) return null
  const hex = bytes.subarray(0, ID_BYTES).toString('hex')
  return {
    sessionId: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    counter: bytes.readUInt32BE(ID_BYTES),
    proof: bytes.subarray(ID_BYTES + COUNTER_BYTES),
  }
}

/** Did we make this token for this session? */
export const isGenuine = (vault: Vault, salt: Buffer, token: ReadToken): boolean =>
  vault.isRefreshProof(token.proof, salt, token.sessionId, token.counter)

export type RefreshDecision = 'rotate' | 'repeat' | 'reused'

/** What is known of a session when one of its refresh tokens is presented. */
export interface RefreshState {
  /** Number of the active token. */
  active: number
  /** When spent tokens were spent, at least those of the reuse interval. */
  rotations: readonly Rotation[]
  /** The highest token number whose answer has arrived. */
  arrived: number
  /** Does the request come from the network and browser of the last refresh? */
  sameClient: boolean
}

/**
 * What to do with token number `counter` (docs/protocols/auth.md §2.3, cases 1 to 4): issue a successor, answer the
 * active token again, or end the session.
 */
export function judgeRefresh(
  counter: number,
  { active, rotations, arrived, sameClient }: RefreshState,
  nowMs: number,
  reuseIntervalMs: number,
): RefreshDecision {
  if (counter === active) return 'rotate'
  const spentAtMs = rotations.find((rotation) => rotation.counter === counter)?.atMs
  if (spentAtMs !== undefined && nowMs - spentAtMs <= reuseIntervalMs) return 'repeat'
  const answerLost = counter === active - 1 && arrived < active && sameClient
  return answerLost ? 'repeat' : 'reused'
}

/** Bounds what a session row holds; one client does not refresh more often within the reuse interval. */
const MAX_ROTATIONS = 64

/** `rotations` of the reuse interval with `latest` added: what has to be kept to judge by. */
export function keepRecent(
  rotations: readonly Rotation[],
  latest: Rotation,
  reuseIntervalMs: number,
): Rotation[] {
  const recent = rotations.filter(({ atMs }) => latest.atMs - atMs <= reuseIntervalMs)
  return [...recent, latest].slice(-MAX_ROTATIONS)
}
