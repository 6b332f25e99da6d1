import type { JetStreamManager } from './nats-client.ts'
import { ignoreNotFound } from './streams.ts'

/** The number of the furthest message that any durable consumer of the stream was given; 0: none, or no such stream. */
export async function highestDeliveredSeq(manager: JetStreamManager, stream: string): Promise<number> {
  let furthest = 0
  try {
    for await (const { delivered } of manager.consumers.list(stream))
      furthest = Math.max(furthest, delivered.stream_seq)
  } catch (error) {
    ignoreNotFound(error)
  }
  return furthest
}
