import { type ClientNetwork, networkRanges } from '@looptide/service-kit/http/client-network'

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

/** The holders that one limit counts. */
interface Group<T> {
  bytes: number
  maxBytes: number
  /** The oldest first. */
  readonly holders: Set<T>
}

/** Key of the group of all holders. Networks are never empty text. */
const ALL = ''

/**
 * Bounds the memory that is held at the pace of clients: by network, by IPv6 /48, and in total. Above a limit, the oldest
 * holders are closed: those of viewers are done within milliseconds, so that an attacker who fills the memory does not
 * disconnect them.
 */
export class HeldBytes<T extends Holder> {
  readonly #limits: HeldLimits
  readonly #close: (holder: T) => void
  readonly #bytes = new Map<T, number>()
  readonly #groups = new Map<string, Group<T>>()

  /** `close` is called for a holder above a limit, after its bytes were released. */
  constructor(limits: HeldLimits, close: (holder: T) => void) {
    this.#limits = limits
    this.#close = close
  }

  /** Bytes of all holders. */
  get bytes(): number {
    return this.#groups.get(ALL)?.bytes ?? 0
  }

  has(holder: T): boolean {
    return this.#bytes.has(holder)
  }

  /** Sets the bytes of a holder. A holder keeps its age. */
  set(holder: T, bytes: number): void {
    const added = bytes - (this.#bytes.get(holder) ?? 0)
    this.#bytes.set(holder, bytes)
    const limits = this.#limitsOf(holder)
    for (const [key, maxBytes] of limits) {
      const group = this.#groups.get(key) ?? { bytes: 0, maxBytes, holders: new Set() }
      this.#groups.set(key, group)
      group.holders.add(holder)
      group.bytes += added
    }
    for (const [key] of limits) this.#closeAbove(key)
  }

  release(holder: T): void {
    const bytes = this.#bytes.get(holder)
    if (bytes === undefined) return
    this.#bytes.delete(holder)
    for (const [key] of this.#limitsOf(holder)) {
      const group = this.#groups.get(key)
      if (group === undefined) continue
      group.holders.delete(holder)
      group.bytes -= bytes
      if (group.holders.size === 0) this.#groups.delete(key)
    }
  }

  #closeAbove(key: string): void {
    for (const group = this.#groups.get(key); group !== undefined && group.bytes > group.maxBytes; ) {
      const [oldest] = group.holders
      if (oldest === undefined) return
      this.release(oldest)
      this.#close(oldest)
    }
  }

  /** The groups of a holder: its network, its IPv6 /48, and all holders. */
  #limitsOf({ client }: T): [key: string, maxBytes: number][] {
    const { networkBytes, totalBytes } = this.#limits
    return [
      ...networkRanges(client).map(({ key, times }): [string, number] => [key, networkBytes * times]),
      [ALL, totalBytes],
    ]
  }
}
