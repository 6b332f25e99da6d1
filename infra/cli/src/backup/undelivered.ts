import { type Envelope, STREAMS } from '@looptide/contracts/events'
import { SIGNATURE_HEADER } from '@looptide/service-kit/events/event-keys'
import {
  type JetStreamManager,
  type StoredMsg,
  storedMessage,
} from '@looptide/service-kit/events/nats-client'
import { ignoreNotFound } from '@looptide/service-kit/events/streams'
import { readLastSeq, type SeqOfStream } from './moment.ts'

/** An event as stored in its stream. It is published again unchanged, so that its signature stays valid. */
export interface StoredEvent {
  id: string
  subject: string
  body: string
  /** Null in backups of versions without signatures: consumers store such an event as a dead letter. */
  signature: string | null
}

/**
 * The position of the slowest consumer of each stream. Read before the instant of the backup it can only be too
 * low; inboxes drop the surplus events.
 */
export async function readFloors(manager: JetStreamManager): Promise<SeqOfStream> {
  // Read before the consumers: messages that arrive in between count as not consumed.
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
    // A consumer with a filter never acknowledges other subjects: messages after its last one are not waiting for
    // it.
    if (!hasTakenAll) floor = Math.min(floor, consumer.ack_floor.stream_seq)
  }
  return floor
}

/**
 * Events that were published before the instant and not consumed by every service, in stream order. Unreadable
 * messages are left out: no consumer could apply them.
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

/** A line of a backup; versions without signatures wrote only the envelope. */
export const fromLine = (line: StoredEvent | Envelope): StoredEvent =>
  'body' in line ? line : { id: line.id, subject: line.type, body: JSON.stringify(line), signature: null }
