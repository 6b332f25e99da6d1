import type { Envelope, EventType } from '@looptide/contracts/events'
import { streamOf } from '@looptide/contracts/events'
import {
  jetstreamManager,
  type NatsConnection,
  storedMessage,
} from '@looptide/service-kit/events/nats-client'

/** All events of a stream, in order. */
export async function contentsOf(nats: NatsConnection, stream: string): Promise<Envelope[]> {
  const manager = await jetstreamManager(nats)
  const { state } = await manager.streams.info(stream)
  const found: Envelope[] = []
  for (let seq = state.first_seq; seq <= state.last_seq && state.messages > 0; seq += 1) {
    const message = await storedMessage(manager, stream, seq)
    if (message !== null) found.push(message.json<Envelope>())
  }
  return found
}

/** All events of one type, in the order of their stream. */
export async function eventsOf<T extends EventType>(nats: NatsConnection, type: T): Promise<Envelope<T>[]> {
  const all = await contentsOf(nats, streamOf(type))
  return all.filter((envelope): envelope is Envelope<T> => envelope.type === type)
}
