import type { JetStreamManager } from './nats-client.ts'
import { ignoreNotFound } from './streams.ts'

/** Highest sequence number delivered to any durable consumer of the stream; 0 if there is none, or no such stream. */
export async function highestDeliveredSeq(manager: JetStreamManager, stream: string): Promise<number> {
  let highest = 0
  try {
    for await (const { delivered } of manager.consumers.list(stream))
      highest = Math.max(highest, delivered.stream_seq)
  } catch (error) {
    ignoreNotFound(error)
  }
  return highest
}
