import type { ServerPushes } from '@looptide/contracts/realtime'

/** A pushed state of a metadata lookup, and the time of its arrival (`performance.now()`), in ms. */
export type LookupPush = ServerPushes['admin']['metadata'] & { receivedAtMs: number }

/** Numbers of lookups of an update. */
export interface UpdateProgress {
  requested: number
  found: number
  failed: number
}

/**
 * The lookups of one Update Metadata. Earlier lookups of the same videos may still end after the update was requested, so
 * a lookup counts only if its start was pushed after the request.
 */
export class MetadataUpdate {
  readonly #requestedAtMs: number
  readonly #started = new Set<string>()
  readonly #ended = new Map<string, 'done' | 'failed'>()
  #youtubeIds: readonly string[] | null = null

  constructor(requestedAtMs: number) {
    this.#requestedAtMs = requestedAtMs
  }

  /** Sets the ids of the requested videos, from the response. Pushes may arrive before it. */
  setRequested(youtubeIds: readonly string[]): void {
    this.#youtubeIds = youtubeIds
  }

  observe({ youtubeId, state, receivedAtMs }: LookupPush): void {
    if (receivedAtMs < this.#requestedAtMs) return
    if (state === 'fetching') this.#started.add(youtubeId)
    else if (state !== 'queued' && this.#started.has(youtubeId)) this.#ended.set(youtubeId, state)
  }

  /** Null until the response has arrived. */
  get progress(): UpdateProgress | null {
    if (this.#youtubeIds === null) return null
    const states = this.#youtubeIds.map((id) => this.#ended.get(id))
    const count = (wanted: 'done' | 'failed') => states.filter((state) => state === wanted).length
    return { requested: states.length, found: count('done'), failed: count('failed') }
  }
}
