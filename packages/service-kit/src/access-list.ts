import type { Role } from '@looptide/contracts/common'
import type { Envelope } from '@looptide/contracts/events'
import { AccessSnapshot } from '@looptide/contracts/http/users'
import { Check } from 'typebox/value'
import { LiveEvents, type LiveEventsDeps } from './live-events.ts'
import { connectionChanges } from './nats-client.ts'

/** What a process knows beside the token itself: sessions that ended early, and who has a role. */
export interface AccessList {
  /** False until auth's word was heard for the first time: until then nobody can be let in or refused. */
  readonly loaded: boolean
  isRevoked(sessionId: string): boolean
  roleOf(userId: string): Role
  /** Called after sessions were revoked or a role changed. Answers how to stop listening. */
  onChange(listener: (change: AccessChange) => void): () => void
}

export type AccessChange =
  | { kind: 'revoked'; userId: string; sessionIds: string[] }
  | { kind: 'role'; userId: string; role: Role }
  | { kind: 'key'; kid: string }

interface AccessDeps extends LiveEventsDeps {
  authUrl: string
  internalToken: string
  now?: () => number
}

const RELOAD_MS = 30_000

/**
 * Auth's word on sessions and roles, held in memory so that no request waits for auth. A ban or a
 * sign-out revokes sessions; the event reaches every process within milliseconds, and a reload every
 * 30 s (and after NATS was away) mends what an event may have missed. It holds only sessions whose
 * tokens could still be good, and only people with a role: both stay small however many users there are.
 */
export class LiveAccessList implements AccessList {
  readonly #deps: AccessDeps
  readonly #now: () => number
  readonly #listeners = new Set<(change: AccessChange) => void>()
  readonly #revoked = new Map<string, number>()
  readonly #revokedKeys = new Map<string, number>()
  #roles = new Map<string, Role>()
  /** Roles that were heard of while a reload was under way: newer than what it will answer. */
  readonly #hearing = new Set<Map<string, Role>>()
  readonly #live: LiveEvents
  #timer: NodeJS.Timeout | undefined
  #loaded = false
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

  /** Listens at once and loads in the background: a service may start before auth does. */
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

  isRevoked(sessionId: string): boolean {
    return this.#revoked.has(sessionId)
  }

  roleOf(userId: string): Role {
    return this.#roles.get(userId) ?? 'user'
  }

  onChange(listener: (change: AccessChange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Takes one event's news. Events of other types are none of ours. */
  apply(envelope: Envelope): void {
    if (envelope.type === 'auth.session.revoked.v1') {
      const { userId, sessionIds, untilMs } = (envelope as Envelope<'auth.session.revoked.v1'>).data
      for (const id of sessionIds) this.#revoked.set(id, untilMs)
      this.#tell({ kind: 'revoked', userId, sessionIds })
    } else if (envelope.type === 'auth.role.changed.v1') {
      const { userId, role } = (envelope as Envelope<'auth.role.changed.v1'>).data
      this.#setRole(userId, role)
      for (const heard of this.#hearing) heard.set(userId, role)
      this.#tell({ kind: 'role', userId, role })
    } else if (envelope.type === 'auth.key.revoked.v1') {
      const { kid, untilMs } = (envelope as Envelope<'auth.key.revoked.v1'>).data
      this.#takeRevokedKeys([{ kid, untilMs }])
    }
  }

  #takeRevokedKeys(keys: readonly { kid: string; untilMs: number }[]): void {
    const nowMs = this.#now()
    for (const { kid, untilMs } of keys) {
      if (this.#revokedKeys.has(kid)) continue
      this.#revokedKeys.set(kid, untilMs)
      this.#tell({ kind: 'key', kid })
    }
    for (const [kid, untilMs] of this.#revokedKeys) if (untilMs < nowMs) this.#revokedKeys.delete(kid)
  }

  #setRole(userId: string, role: Role): void {
    if (role === 'user') this.#roles.delete(userId)
    else this.#roles.set(userId, role)
  }

  #tell(change: AccessChange): void {
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
      // Auth may start after us: a word when it takes long, and then now and again.
      if (this.#failures % 20 === 10)
        this.#deps.logger.warn({ err: error }, 'the access list could not be loaded')
    }
    if (this.#stopped) return
    this.#timer = setTimeout(() => void this.#reloadLoop(), this.#loaded ? RELOAD_MS : 500)
    this.#timer.unref()
  }

  /** Fetches auth's whole word and tells listeners what they had missed. */
  async reload(): Promise<void> {
    const heard = new Map<string, Role>()
    this.#hearing.add(heard)
    try {
      const snapshot = await this.#fetchSnapshot()
      this.#takeRevoked(snapshot)
      this.#takeRevokedKeys(snapshot.revokedKeys ?? [])
      this.#takeRoles(snapshot, heard)
      this.#loaded = true
    } finally {
      this.#hearing.delete(heard)
    }
  }

  async #fetchSnapshot(): Promise<AccessSnapshot> {
    const response = await fetch(`${this.#deps.authUrl}/internal/access`, {
      headers: { 'x-internal-token': this.#deps.internalToken },
      signal: AbortSignal.timeout(3000),
    })
    if (!response.ok) throw new Error(`auth answered ${response.status}`)
    const snapshot: unknown = await response.json()
    if (!Check(AccessSnapshot, snapshot)) throw new Error('auth answered something else')
    return snapshot
  }

  #takeRevoked(snapshot: AccessSnapshot): void {
    const nowMs = this.#now()
    const missed = snapshot.revokedSessions.filter((session) => !this.#revoked.has(session.id))
    for (const { id, untilMs } of missed) this.#revoked.set(id, untilMs)
    for (const [id, untilMs] of this.#revoked) if (untilMs < nowMs) this.#revoked.delete(id)
    if (missed.length > 0) {
      this.#tell({ kind: 'revoked', userId: '', sessionIds: missed.map((session) => session.id) })
    }
  }

  #takeRoles(snapshot: AccessSnapshot, heard: ReadonlyMap<string, Role>): void {
    const before = this.#roles
    this.#roles = new Map()
    for (const { userId, role } of snapshot.roles) this.#setRole(userId, role)
    for (const [userId, role] of heard) this.#setRole(userId, role)
    for (const userId of new Set([...before.keys(), ...this.#roles.keys()])) {
      const role = this.roleOf(userId)
      if (role !== (before.get(userId) ?? 'user')) this.#tell({ kind: 'role', userId, role })
    }
  }
}
