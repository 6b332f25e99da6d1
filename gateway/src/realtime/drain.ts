import { setTimeout as pause } from 'node:timers/promises'
import type { CloseReason } from './connection/close-reasons.ts'

interface DrainPace {
  /** Sockets closed a second, so that the other gateways or the successor can accept them as they reconnect. */
  perSecond: number
  /** Longest duration in ms. With many sockets, the pace is higher. */
  maxDurationMs: number
}

/** The sockets of a hub, as far as draining needs them. */
interface DrainableHub {
  /** Refuses new sockets from now on. Returns the open ones. */
  beginDrain(): readonly { close(reason: CloseReason): void }[]
  /** Delivers all buffered frames. */
  flush(): void
}

/** A gateway accepts some 2,000 arrivals a second. The other gateways share the sockets of the one that drains. */
export const DRAIN_PACE: DrainPace = { perSecond: 2500, maxDurationMs: 10_000 }

/** Without other gateways there is nothing to protect, and a successor starts only after this process has ended. */
export const ALL_AT_ONCE: DrainPace = { perSecond: Number.POSITIVE_INFINITY, maxDurationMs: 1 }

const TICK_MS = 20

/**
 * Closes every socket, spread over time. Clients reconnect about a second after the close, so the pace of closing is the
 * pace of arrivals at the other gateways. New sockets are refused. Resolves when the last socket is closed.
 */
export async function drain(hub: DrainableHub, { perSecond, maxDurationMs }: DrainPace): Promise<void> {
  const connections = hub.beginDrain()
  const perMs = Math.max(perSecond / 1000, connections.length / maxDurationMs)
  const startedAtMs = performance.now()
  for (let closed = 0; closed < connections.length; ) {
    const due = Math.min(connections.length, Math.ceil((performance.now() - startedAtMs + TICK_MS) * perMs))
    hub.flush()
    for (const connection of connections.slice(closed, due)) connection.close('restarting')
    closed = due
    if (closed < connections.length) await pause(TICK_MS)
  }
}
