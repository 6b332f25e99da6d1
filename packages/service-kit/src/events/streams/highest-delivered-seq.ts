import type { JetStreamManager } from '../nats-client.ts'
import { ignoreNotFound } from '../streams.ts'

/**
 * The highest stream sequence delivered to any durable consumer of the stream; 0 if nothing was delivered or the stream
 * does not exist.
 *
 * After a power cut NATS (2.10) may report 2^64 - 1: the consumer's next sequence is 0 and the reported one is that minus
 * one, as an unsigned integer. Such a consumer starts at the first message of the stream, so it counts as 0.
 */
export async function highestDeliveredSeq(manager: JetStreamManager, stream: string): Promise<number> {
  let highest = 0
  try {
    for await (const { delivered } of manager.consumers.list(stream)) {
      if (Number.isSafeInteger(delivered.stream_seq)) highest = Math.max(highest, delivered.stream_seq)
    }
  } catch (error) {
    ignoreNotFound(error)
  }
  return highest
}
