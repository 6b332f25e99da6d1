import { randomBytes } from 'node:crypto'
import type { JsonObject } from './codec.ts'

/** One tracked socket's words about itself. `phx_ref` tells two of them apart. */
type Meta = JsonObject & { phx_ref: string }
type State = Record<string, { metas: Meta[] }>

export interface PresenceDiff {
  joins: State
  leaves: State
}

interface Entry {
  key: string
  meta: Meta
}

/** Who says to be there on one topic (wire contract §3, "Presence"). Holders are members; each tracks at most once. */
export class Presence {
  readonly #entries = new Map<object, Entry>()

  /** Tracks, or replaces what the holder tracked before. */
  track(holder: object, key: string, payload: JsonObject): PresenceDiff {
    const before = this.#entries.get(holder)
    const entry = { key, meta: { ...payload, phx_ref: randomBytes(9).toString('base64url') } }
    this.#entries.set(holder, entry)
    return { joins: stateOf([entry]), leaves: stateOf(before === undefined ? [] : [before]) }
  }

  /** Null when the holder tracked nothing. */
  untrack(holder: object): PresenceDiff | null {
    const entry = this.#entries.get(holder)
    if (entry === undefined) return null
    this.#entries.delete(holder)
    return { joins: {}, leaves: stateOf([entry]) }
  }

  state(): State {
    return stateOf(this.#entries.values())
  }
}

/** Keys come from clients: a null prototype makes `__proto__` a key like any other. */
function stateOf(entries: Iterable<Entry>): State {
  const state: State = Object.create(null)
  for (const { key, meta } of entries) {
    const known = state[key]
    if (known === undefined) state[key] = { metas: [meta] }
    else known.metas.push(meta)
  }
  return state
}
