import { type ClientNetwork, networkRanges } from '@looptide/service-kit/limits/client-network'

export interface HeldLimits {
  /** Bytes held for one client network. An IPv6 /48 may have four times as many. */
  networkBytes: number
  /** Bytes held for all clients. */
  totalBytes: number
}

/** What the gateway holds memory for. */
export interface Holder {
  readonly client: ClientNetwork
}

/** The holders that the limit of one network or site counts. */
interface Group<T> {
  bytes: number
  maxBytes: number
  /** The oldest first. */
  readonly holders: Set<T>
}

/**
 * Bounds the memory that is held at the pace of clients: by network, by IPv6 /48, and in total. Above the limit of a
 * network its oldest holders are closed: those of viewers are done within milliseconds. Above the total, the oldest of the
 * network that holds most are closed, so that an attacker who fills the memory disconnects nobody else, however slow.
 */
export class HeldBytes<T extends Holder> {
  readonly #limits: HeldLimits
  readonly #close: (holder: T) => void
  readonly #bytes = new Map<T, number>()
  readonly #groups = new Map<string, Group<T>>()
  #totalBytes = 0

  /** `close` is called for a holder above a limit, after its bytes were released. */
  constructor(limits: HeldLimits, close: (holder: T) => void) {
    this.#limits = limits
    this.#close = close
  }

  /** Bytes of all holders. */
  get bytes(): number {
    return this.#totalBytes
  }

  /** Sets the bytes of a holder. A holder keeps its age. */
  set(holder: T, bytes: number): void {
    const added = bytes - (this.#bytes.get(holder) ?? 0)
    this.#bytes.set(holder, bytes)
    this.#totalBytes += added
    const groups = networkRanges(holder.client).map(({ key, times }) => this.#groupOf(key, times))
    for (const group of groups) {
      group.holders.add(holder)
      group.bytes += added
    }
    for (const group of groups) while (group.bytes > group.maxBytes) this.#closeOldest(group)
    while (this.#totalBytes > this.#limits.totalBytes) this.#closeOldest(this.#largestGroup())
  }

  release(holder: T): void {
    const bytes = this.#bytes.get(holder)
    if (bytes === undefined) return
    this.#bytes.delete(holder)
    this.#totalBytes -= bytes
    for (const { key } of networkRanges(holder.client)) {
      const group = this.#groups.get(key)
      if (group === undefined) continue
      group.holders.delete(holder)
      group.bytes -= bytes
      if (group.holders.size === 0) this.#groups.delete(key)
    }
  }

  #groupOf(key: string, times: number): Group<T> {
    const known = this.#groups.get(key)
    if (known !== undefined) return known
    const group = { bytes: 0, maxBytes: this.#limits.networkBytes * times, holders: new Set<T>() }
    this.#groups.set(key, group)
    return group
  }

  /** There is one while any bytes are held. */
  #largestGroup(): Group<T> {
    return this.#groups.values().reduce((largest, group) => (group.bytes > largest.bytes ? group : largest))
  }

  #closeOldest({ holders: [oldest] }: { holders: Iterable<T> }): void {
    if (oldest === undefined) throw new Error('bytes are held without a holder')
    this.release(oldest)
    this.#close(oldest)
  }
}
