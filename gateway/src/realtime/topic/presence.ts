import { randomBytes } from 'node:crypto'
import type { JsonObject } from '../protocol/codec.ts'

/** Metadata that a client tracks. `phx_ref` is unique over all gateways. */
type Meta = JsonObject & { phx_ref: string }
type State = Record<string, { metas: Meta[] }>

export interface PresenceEntry {
  key: string
  meta: Meta
}

export interface PresenceChange {
  joins: readonly PresenceEntry[]
  leaves: readonly PresenceEntry[]
}

/**
 * The presence of one topic (Phoenix Presence): entries of members at this gateway, at most one for each, and entries
 * that other gateways reported.
 */
export class Presence {
  readonly #local = new Map<object, PresenceEntry>()
  /** By gateway, then by `phx_ref`. */
  readonly #remote = new Map<string, Map<string, PresenceEntry>>()

  /** Entries of members at this gateway. */
  local(): PresenceEntry[] {
    return [...this.#local.values()]
  }

  /** Tracks a member, or replaces what it tracked before. */
  track(member: object, key: string, payload: JsonObject): PresenceChange {
    const previous = this.#local.get(member)
    const entry = { key, meta: { ...payload, phx_ref: randomBytes(9).toString('base64url') } }
    this.#local.set(member, entry)
    return { joins: [entry], leaves: previous === undefined ? [] : [previous] }
  }

  /** Null when the member was not tracked. */
  untrack(member: object): PresenceChange | null {
    const entry = this.#local.get(member)
    if (entry === undefined) return null
    this.#local.delete(member)
    return { joins: [], leaves: [entry] }
  }

  isTracked(member: object): boolean {
    return this.#local.has(member)
  }

  /** Applies a change reported by another gateway. Returns the part that was not known; null when all of it was. */
  applyChange(gatewayId: string, { joins, leaves }: PresenceChange): PresenceChange | null {
    const known = this.#remote.get(gatewayId) ?? new Map<string, PresenceEntry>()
    const left = leaves.filter(({ meta }) => known.delete(meta.phx_ref))
    const joined = joins.filter(({ meta }) => !known.has(meta.phx_ref))
    for (const entry of joined) known.set(entry.meta.phx_ref, entry)
    if (known.size === 0) this.#remote.delete(gatewayId)
    else this.#remote.set(gatewayId, known)
    return joined.length + left.length === 0 ? null : { joins: joined, leaves: left }
  }

  /** Replaces all entries of another gateway. Returns the difference; null when there is none. */
  applyState(gatewayId: string, entries: readonly PresenceEntry[]): PresenceChange | null {
    const refs = new Set(entries.map(({ meta }) => meta.phx_ref))
    const known = this.#remote.get(gatewayId)?.values() ?? []
    const leaves = [...known].filter(({ meta }) => !refs.has(meta.phx_ref))
    return this.applyChange(gatewayId, { joins: entries, leaves })
  }

  /** The payload of `presence_state`. */
  state(): State {
    const remote = [...this.#remote.values()].flatMap((entries) => [...entries.values()])
    return stateOf([...this.#local.values(), ...remote])
  }
}

/** The payload of `presence_diff`. */
export const presenceDiff = ({ joins, leaves }: PresenceChange): { joins: State; leaves: State } => ({
  joins: stateOf(joins),
  leaves: stateOf(leaves),
})

/** Keys come from clients. With a null prototype, `__proto__` is a key like any other. */
function stateOf(entries: Iterable<PresenceEntry>): State {
  const state: State = Object.create(null)
  for (const { key, meta } of entries) {
    const known = state[key]
    if (known === undefined) state[key] = { metas: [meta] }
    else known.metas.push(meta)
  }
  return state
}
