import type { JetStreamManager } from './nats-client.ts'

/** The number of the furthest message that any durable consumer of the stream was given; 0: none. */
export async function furthestDelivery(manager: JetStreamManager, stream: string): Promise<number> {
  let furthest = 0
  for await (const { delivered } of manager.consumers.list(stream))
    furthest = Math.max(furthest, delivered.stream_seq)
  return furthest
}
