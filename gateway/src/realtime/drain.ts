import { setTimeout as pause } from 'node:timers/promises'
import type { Hub } from './hub.ts'

export interface DrainPace {
  /** Sockets a second, so that the other gateways, or our successor, can take them in as they come. */
  perSecond: number
  /** It never takes longer than this (ms): then the pace is higher. */
  longestMs: number
}

/** A gateway takes in some 2,000 arrivals a second; the others share those of one that leaves. */
export const DRAIN_PACE: DrainPace = { perSecond: 2500, longestMs: 10_000 }

/** Nobody is there to be spared, and a successor is only started once we are gone. */
export const ALL_AT_ONCE: DrainPace = { perSecond: Number.POSITIVE_INFINITY, longestMs: 1 }

const TICK_MS = 20

/**
 * Sends every socket away, spread over time: clients come back about a second after they were closed, so the pace of
 * the goodbyes is that of the arrivals elsewhere. New sockets are refused from now on. Resolves with the last goodbye.
 */
export async function drain(hub: Hub, { perSecond, longestMs }: DrainPace): Promise<void> {
  const leaving = hub.beginLeaving()
  const perMs = Math.max(perSecond / 1000, leaving.length / longestMs)
  const startedAtMs = performance.now()
  for (let sent = 0; sent < leaving.length; ) {
    const due = Math.min(leaving.length, Math.ceil((performance.now() - startedAtMs + TICK_MS) * perMs))
    hub.flush()
    for (const connection of leaving.slice(sent, due)) connection.close('restarting')
    sent = due
    if (sent < leaving.length) await pause(TICK_MS)
  }
}
