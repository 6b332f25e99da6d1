import { type Envelope, OWNERS, type Owner, streamName } from '@looptide/contracts/events'
import type { JetStreamManager } from '@nats-io/jetstream'
import { absent, readLastSeq } from './moment.ts'

/** The message of each stream up to which every consumer has taken all that it wants. */
export type Floors = Record<Owner, number>

/**
 * Reads how far the slowest consumer of each stream has come. Taken before the moment of the backup it may only be too
 * low, and what is kept without need is dropped by the inboxes later.
 */
export async function readFloors(manager: JetStreamManager): Promise<Floors> {
  // Before the consumers: what comes in between counts as not taken.
  const lastSeq = await readLastSeq(manager)
  const entries = await Promise.all(
    OWNERS.map(async (owner) => [owner, await floorOf(manager, owner, lastSeq[owner])] as const),
  )
  return Object.fromEntries(entries) as Floors
}

async function floorOf(manager: JetStreamManager, owner: Owner, lastSeq: number): Promise<number> {
  if ((await manager.streams.info(streamName(owner)).catch(absent)) === undefined) return 0
  let floor = lastSeq
  for await (const consumer of manager.consumers.list(streamName(owner))) {
    const hasTakenAll = consumer.num_pending === 0 && consumer.num_ack_pending === 0
    // A consumer of one subject never acknowledges the others: what is behind its last one is not waiting for it.
    if (!hasTakenAll) floor = Math.min(floor, consumer.ack_floor.stream_seq)
  }
  return floor
}

/**
 * The events that were published before the moment and that some service had not taken by then, each owner's in their
 * order. What no reader could read is left out: no consumer could take it either.
 */
export async function readUndelivered(
  manager: JetStreamManager,
  floors: Floors,
  lastSeq: Record<Owner, number>,
): Promise<Envelope[]> {
  const found: Envelope[] = []
  for (const owner of OWNERS) {
    for (let seq = floors[owner] + 1; seq <= lastSeq[owner]; seq += 1) {
      const message = await manager.streams.getMessage(streamName(owner), { seq })
      const envelope = message === null ? undefined : parse(message.string())
      if (envelope !== undefined) found.push(envelope)
    }
  }
  return found
}

function parse(text: string): Envelope | undefined {
  try {
    return JSON.parse(text) as Envelope
  } catch {
    return undefined
  }
}
