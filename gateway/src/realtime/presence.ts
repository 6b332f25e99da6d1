import { randomBytes } from 'node:crypto'
import type { JsonObject } from './codec.ts'

/** One tracked socket's words about itself. `phx_ref` tells two of them apart, over all gateways. */
export type Meta = JsonObject & { phx_ref: string }
type State = Record<string, { metas: Meta[] }>

export interface PresenceEntry {
  key: string
  meta: Meta
}

/** Who came and who went. */
export interface PresenceChange {
  joins: readonly PresenceEntry[]
  leaves: readonly PresenceEntry[]
}

/**
 * Who says to be there on one topic (docs/protocols/realtime.md §6): members here, who each track at most once,
 * and those of the other gateways as they tell it.
 */
export class Presence {
  readonly #own = new Map<object, PresenceEntry>()
  /** By gateway, then by `phx_ref`. */
  readonly #others = new Map<string, Map<string, PresenceEntry>>()

  /** Those of this gateway. */
  own(): PresenceEntry[] {
    return [...this.#own.values()]
  }

  /** Tracks, or replaces what the holder tracked before. */
  track(holder: object, key: string, payload: JsonObject): PresenceChange {
    const before = this.#own.get(holder)
    const entry = { key, meta: { ...payload, phx_ref: randomBytes(9).toString('base64url') } }
    this.#own.set(holder, entry)
    return { joins: [entry], leaves: before === undefined ? [] : [before] }
  }

  /** Null when the holder tracked nothing. */
  untrack(holder: object): PresenceChange | null {
    const entry = this.#own.get(holder)
    if (entry === undefined) return null
    this.#own.delete(holder)
    return { joins: [], leaves: [entry] }
  }

  isTracked(holder: object): boolean {
    return this.#own.has(holder)
  }

  /** Another gateway's change. Answers what of it is news; null when nothing is. */
  takeChange(gatewayId: string, { joins, leaves }: PresenceChange): PresenceChange | null {
    const known = this.#others.get(gatewayId) ?? new Map<string, PresenceEntry>()
    const left = leaves.filter(({ meta }) => known.delete(meta.phx_ref))
    const joined = joins.filter(({ meta }) => !known.has(meta.phx_ref))
    for (const entry of joined) known.set(entry.meta.phx_ref, entry)
    if (known.size === 0) this.#others.delete(gatewayId)
    else this.#others.set(gatewayId, known)
    return joined.length + left.length === 0 ? null : { joins: joined, leaves: left }
  }

  /** All that another gateway has, in the place of what it was thought to have. */
  takeState(gatewayId: string, entries: readonly PresenceEntry[]): PresenceChange | null {
    const refs = new Set(entries.map(({ meta }) => meta.phx_ref))
    const known = this.#others.get(gatewayId)?.values() ?? []
    const leaves = [...known].filter(({ meta }) => !refs.has(meta.phx_ref))
    return this.takeChange(gatewayId, { joins: entries, leaves })
  }

  /** As the client has it after its join. */
  state(): State {
    const others = [...this.#others.values()].flatMap((entries) => [...entries.values()])
    return stateOf([...this.#own.values(), ...others])
  }
}

/** A change as clients are told of it. */
export const presenceDiff = ({ joins, leaves }: PresenceChange): { joins: State; leaves: State } => ({
  joins: stateOf(joins),
  leaves: stateOf(leaves),
})

/** Keys come from clients: a null prototype makes `__proto__` a key like any other. */
function stateOf(entries: Iterable<PresenceEntry>): State {
  const state: State = Object.create(null)
  for (const { key, meta } of entries) {
    const known = state[key]
    if (known === undefined) state[key] = { metas: [meta] }
    else known.metas.push(meta)
  }
  return state
}
