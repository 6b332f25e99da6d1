import type { Role } from '@looptide/contracts/common'
import type { Envelope } from '@looptide/contracts/events'
import { AccessSnapshot, type OutdatedSession } from '@looptide/contracts/http/users'
import { Check } from 'typebox/value'
import { LiveEvents, type LiveEventsDeps } from '../events/live-events.ts'
import { connectionChanges } from '../events/nats-client.ts'
import { internalFetch } from '../tls/internal-client.ts'
import type { TokenClaims } from './tokens.ts'

/** Revoked sessions and roles of users, which a process checks in addition to the token itself. */
export interface AccessList {
  /** False until the list was loaded for the first time. Until then no token can be accepted or refused. */
  readonly loaded: boolean
  /** Whether a token's session has ended, or continues with newer tokens only. */
  isRevoked(token: Pick<TokenClaims, 'sessionId' | 'generation'>): boolean
  roleOf(userId: string): Role
  /** Whether users with a role have their rights only in sessions with a second factor (`SECOND_FACTOR=required`). */
  readonly staffNeedsFactor: boolean
  /** Called after sessions or keys were revoked, sessions were outdated, or a role changed. Returns a function that unsubscribes. */
  onChange(listener: (change: AccessChange) => void): () => void
}

/** The role that a session has: that of its user, or `user` while its second factor is missing and on a paired device. */
export function roleOfSession(
  access: AccessList,
  { userId, aal, isDevice }: Pick<TokenClaims, 'userId' | 'aal' | 'isDevice'>,
): { role: Role; lacksFactor: boolean } {
  if (isDevice) return { role: 'user', lacksFactor: false }
  const role = access.roleOf(userId)
  const lacksFactor = role !== 'user' && aal !== 'aal2' && access.staffNeedsFactor
  return { role: lacksFactor ? 'user' : role, lacksFactor }
}

export type AccessChange =
  | { kind: 'revoked'; userId: string; sessionIds: string[] }
  | { kind: 'outdated'; sessions: readonly OutdatedSession[] }
  | { kind: 'role'; userId: string; role: Role }
  | { kind: 'key'; kid: string }

interface AccessDeps extends LiveEventsDeps {
  authUrl: string
  internalToken: string
  now?: () => number
}

const RELOAD_MS = 30_000

/**
 * In-memory copy of auth's revoked sessions and keys and of its roles, so that no request waits for auth. Bans and
 * sign-outs revoke sessions; a second factor or a new password raises the lowest generation of a session's tokens. The
 * event reaches every process within milliseconds. A reload every 30 s and after each NATS reconnect recovers missed
 * events. The list contains only sessions with unexpired tokens and users with a role other than `user`, so its size does
 * not depend on the number of users.
 */
export class LiveAccessList implements AccessList {
  readonly #deps: AccessDeps
  readonly #now: () => number
  readonly #listeners = new Set<(change: AccessChange) => void>()
  readonly #revoked = new Map<string, number>()
  readonly #outdated = new Map<string, { minGeneration: number; untilMs: number }>()
  readonly #revokedKeys = new Map<string, number>()
  #roles = new Map<string, Role>()
  /** Roles received while a reload is in progress. They are newer than the reload's response. */
  readonly #rolesDuringReload = new Set<Map<string, Role>>()
  readonly #live: LiveEvents
  #timer: NodeJS.Timeout | undefined
  #loaded = false
  #staffNeedsFactor = false
  #stopped = false
  #failures = 0

  constructor(deps: AccessDeps) {
    this.#deps = deps
    this.#now = deps.now ?? Date.now
    this.#live = new LiveEvents(deps)
  }

  get loaded(): boolean {
    return this.#loaded
  }

  get staffNeedsFactor(): boolean {
    return this.#staffNeedsFactor
  }

  /** Subscribes immediately and loads in the background: a service may start before auth. */
  start(): void {
    this.#live.listen(['auth.session.revoked.v1', 'auth.role.changed.v1', 'auth.key.revoked.v1'], (event) =>
      this.apply(event),
    )
    void this.#reloadAfterReconnect()
    void this.#reloadLoop()
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
    this.#live.stop()
  }

  isRevoked({ sessionId, generation }: Pick<TokenClaims, 'sessionId' | 'generation'>): boolean {
    return this.#revoked.has(sessionId) || generation < (this.#outdated.get(sessionId)?.minGeneration ?? 0)
  }

  roleOf(userId: string): Role {
    return this.#roles.get(userId) ?? 'user'
  }

  onChange(listener: (change: AccessChange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Applies one event. Ignores other event types. */
  apply(envelope: Envelope): void {
    if (envelope.type === 'auth.session.revoked.v1') {
      const { data } = envelope as Envelope<'auth.session.revoked.v1'>
      const { userId, sessionIds, untilMs, outdated = [] } = data
      for (const id of sessionIds) this.#revoked.set(id, untilMs)
      if (sessionIds.length > 0) this.#notify({ kind: 'revoked', userId, sessionIds })
      this.#addOutdated(outdated.map((session) => ({ ...session, untilMs })))
    } else if (envelope.type === 'auth.role.changed.v1') {
      const { userId, role } = (envelope as Envelope<'auth.role.changed.v1'>).data
      this.#setRole(userId, role)
      for (const received of this.#rolesDuringReload) received.set(userId, role)
      this.#notify({ kind: 'role', userId, role })
    } else if (envelope.type === 'auth.key.revoked.v1') {
      const { kid, untilMs } = (envelope as Envelope<'auth.key.revoked.v1'>).data
      this.#addRevokedKeys([{ kid, untilMs }])
    }
  }

  #addOutdated(sessions: readonly (OutdatedSession & { untilMs: number })[]): void {
    const raised = sessions.filter(
      ({ id, minGeneration }) => minGeneration > (this.#outdated.get(id)?.minGeneration ?? 0),
    )
    for (const { id, minGeneration, untilMs } of raised) this.#outdated.set(id, { minGeneration, untilMs })
    const nowMs = this.#now()
    for (const [id, { untilMs }] of this.#outdated) if (untilMs < nowMs) this.#outdated.delete(id)
    if (raised.length > 0) this.#notify({ kind: 'outdated', sessions: raised })
  }

  #addRevokedKeys(keys: readonly { kid: string; untilMs: number }[]): void {
    const nowMs = this.#now()
    for (const { kid, untilMs } of keys) {
      if (this.#revokedKeys.has(kid)) continue
      this.#revokedKeys.set(kid, untilMs)
      this.#notify({ kind: 'key', kid })
    }
    for (const [kid, untilMs] of this.#revokedKeys) if (untilMs < nowMs) this.#revokedKeys.delete(kid)
  }

  #setRole(userId: string, role: Role): void {
    if (role === 'user') this.#roles.delete(userId)
    else this.#roles.set(userId, role)
  }

  #notify(change: AccessChange): void {
    for (const listener of this.#listeners) listener(change)
  }

  async #reloadAfterReconnect(): Promise<void> {
    for await (const change of connectionChanges(this.#deps.nats)) {
      if (change === 'reconnect') await this.reload().catch(() => undefined)
    }
  }

  async #reloadLoop(): Promise<void> {
    try {
      await this.reload()
      this.#failures = 0
    } catch (error) {
      this.#failures += 1
      // Auth may start later than this process: log the 10th failure and every 20th after it.
      if (this.#failures % 20 === 10) this.#deps.logger.warn({ err: error }, 'access list not loaded')
    }
    if (this.#stopped) return
    this.#timer = setTimeout(() => void this.#reloadLoop(), this.#loaded ? RELOAD_MS : 500)
    this.#timer.unref()
  }

  /** Loads the whole list from auth and notifies listeners of changes they missed. */
  async reload(): Promise<void> {
    const received = new Map<string, Role>()
    this.#rolesDuringReload.add(received)
    try {
      const snapshot = await this.#fetchSnapshot()
      this.#addRevokedSessions(snapshot)
      this.#addOutdated(snapshot.outdatedSessions ?? [])
      this.#addRevokedKeys(snapshot.revokedKeys ?? [])
      this.#replaceRoles(snapshot, received)
      this.#staffNeedsFactor = snapshot.staffNeedsFactor ?? false
      this.#loaded = true
    } finally {
      this.#rolesDuringReload.delete(received)
    }
  }

  async #fetchSnapshot(): Promise<AccessSnapshot> {
    const response = await internalFetch(`${this.#deps.authUrl}/internal/access`, {
      headers: { 'x-internal-token': this.#deps.internalToken },
      signal: AbortSignal.timeout(3000),
    })
    if (!response.ok) throw new Error(`auth responded with status ${response.status}`)
    const snapshot: unknown = await response.json()
    if (!Check(AccessSnapshot, snapshot)) throw new Error('auth sent an invalid access list')
    return snapshot
  }

  #addRevokedSessions(snapshot: AccessSnapshot): void {
    const nowMs = this.#now()
    const missed = snapshot.revokedSessions.filter((session) => !this.#revoked.has(session.id))
    for (const { id, untilMs } of missed) this.#revoked.set(id, untilMs)
    for (const [id, untilMs] of this.#revoked) if (untilMs < nowMs) this.#revoked.delete(id)
    if (missed.length > 0) {
      this.#notify({ kind: 'revoked', userId: '', sessionIds: missed.map((session) => session.id) })
    }
  }

  #replaceRoles(snapshot: AccessSnapshot, received: ReadonlyMap<string, Role>): void {
    const before = this.#roles
    this.#roles = new Map()
    for (const { userId, role } of snapshot.roles) this.#setRole(userId, role)
    for (const [userId, role] of received) this.#setRole(userId, role)
    for (const userId of new Set([...before.keys(), ...this.#roles.keys()])) {
      const role = this.roleOf(userId)
      if (role !== (before.get(userId) ?? 'user')) this.#notify({ kind: 'role', userId, role })
    }
  }
}
