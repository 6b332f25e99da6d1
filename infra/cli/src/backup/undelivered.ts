import { type Envelope, STREAMS } from '@looptide/contracts/events'
import { SIGNATURE_HEADER } from '@looptide/service-kit/event-keys'
import { type JetStreamManager, type StoredMsg, storedMessage } from '@looptide/service-kit/nats-client'
import { ignoreNotFound } from '@looptide/service-kit/streams'
import { readLastSeq, type SeqOfStream } from './moment.ts'

/** An event as its stream holds it. It is published again byte for byte, so that its signature stays valid. */
export interface StoredEvent {
  id: string
  subject: string
  body: string
  /** Null in backups of versions that did not sign events: consumers put such an event aside as a dead letter. */
  signature: string | null
}

/**
 * Reads how far the slowest consumer of each stream has come: the message up to which all have taken what they want.
 * Taken before the moment of the backup it may only be too low, and what is kept without need is dropped by the inboxes
 * later.
 */
export async function readFloors(manager: JetStreamManager): Promise<SeqOfStream> {
  // Before the consumers: what comes in between counts as not taken.
  const lastSeq = await readLastSeq(manager)
  const entries = await Promise.all(
    STREAMS.map(async (stream) => [stream, await floorOf(manager, stream, lastSeq[stream] ?? 0)] as const),
  )
  return Object.fromEntries(entries)
}

async function floorOf(manager: JetStreamManager, stream: string, lastSeq: number): Promise<number> {
  if ((await manager.streams.info(stream).catch(ignoreNotFound)) === undefined) return 0
  let floor = lastSeq
  for await (const consumer of manager.consumers.list(stream)) {
    const hasTakenAll = consumer.num_pending === 0 && consumer.num_ack_pending === 0
    // A consumer of one subject never acknowledges the others: what is behind its last one is not waiting for it.
    if (!hasTakenAll) floor = Math.min(floor, consumer.ack_floor.stream_seq)
  }
  return floor
}

/**
 * The events that were published before the moment and that some service had not taken by then, each stream's in their
 * order. What no reader could read is left out: no consumer could take it either.
 */
export async function readUndelivered(
  manager: JetStreamManager,
  floors: SeqOfStream,
  lastSeq: SeqOfStream,
): Promise<StoredEvent[]> {
  const found: StoredEvent[] = []
  for (const stream of STREAMS) {
    for (let seq = (floors[stream] ?? 0) + 1; seq <= (lastSeq[stream] ?? 0); seq += 1) {
      const message = await storedMessage(manager, stream, seq)
      const event = message === null ? undefined : toStored(message)
      if (event !== undefined) found.push(event)
    }
  }
  return found
}

function toStored(message: StoredMsg): StoredEvent | undefined {
  try {
    const { id } = message.json<Envelope>()
    const signature = message.header?.get(SIGNATURE_HEADER)
    return { id, subject: message.subject, body: message.string(), signature: signature || null }
  } catch {
    return undefined
  }
}

/** A line of a backup; versions before signatures wrote the envelope itself. */
export const fromLine = (line: StoredEvent | Envelope): StoredEvent =>
  'body' in line ? line : { id: line.id, subject: line.type, body: JSON.stringify(line), signature: null }
