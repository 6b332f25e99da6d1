import type { ServerResponse } from 'node:http'
import type { ClientNetwork } from '@looptide/service-kit/limits/client-network'
import { NetworkCounts } from './network-counts.ts'

export interface TurnLimits {
  /** Turns that one client network has at a time. An IPv6 /48 may have four times as many. */
  concurrent: number
  /** Requests of one site (IPv4 address or IPv6 /48) that wait for a turn. */
  waiting: number
}

/** The request that takes a turn. */
interface Turn {
  client: ClientNetwork
  response: ServerResponse
}

interface Waiter {
  client: ClientNetwork
  begin(): void
}

/**
 * Limits the requests of each client network that use a shared resource at the same time. Requests above the limit wait
 * for others of their site, not for those of other clients.
 */
export class NetworkTurns {
  readonly #limits: TurnLimits
  readonly #running = new NetworkCounts()
  /** The requests that wait, by site, oldest first. */
  readonly #waiters = new Map<string, Set<Waiter>>()

  constructor(limits: TurnLimits) {
    this.#limits = limits
  }

  /**
   * Runs `work` in a turn. Without running it, returns `crowded` when too many requests of the site wait, and `gone` when the
   * client disconnects before its turn: what its request holds in memory is then free.
   */
  async run<T>({ client, response }: Turn, work: () => Promise<T>): Promise<T | 'crowded' | 'gone'> {
    if (this.#running.isFull(client, this.#limits.concurrent)) {
      const waiters = this.#waiters.get(client.site) ?? new Set()
      if (waiters.size >= this.#limits.waiting) return 'crowded'
      this.#waiters.set(client.site, waiters)
      if (!(await this.#wait(waiters, { client, response }))) return 'gone'
    } else this.#running.opened(client)
    try {
      return await work()
    } finally {
      this.#running.closed(client)
      this.#beginNext(client)
    }
  }

  /** False when the client disconnects. */
  #wait(waiters: Set<Waiter>, { client, response }: Turn): Promise<boolean> {
    return new Promise((resolve) => {
      const waiter = { client, begin: () => resolve(true) }
      waiters.add(waiter)
      response.once('close', () => {
        if (waiters.delete(waiter) && waiters.size === 0) this.#waiters.delete(client.site)
        resolve(false)
      })
    })
  }

  /** Begins the oldest request of the site whose network has a turn left. */
  #beginNext({ site }: ClientNetwork): void {
    const waiters = this.#waiters.get(site)
    for (const waiter of waiters ?? []) {
      if (this.#running.isFull(waiter.client, this.#limits.concurrent)) continue
      waiters?.delete(waiter)
      if (waiters?.size === 0) this.#waiters.delete(site)
      this.#running.opened(waiter.client)
      waiter.begin()
      return
    }
  }
}
