import { connectNats } from '@looptide/service-kit/events/nats'
import { jetstreamManager } from '@looptide/service-kit/events/nats-client'
import { provisionStreams } from '@looptide/service-kit/events/streams'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { STREAM_ADMIN } from './nats-permissions.ts'

const ANSWER_TIMEOUT_MS = 5000

/** Connects as the stream administrator; waits until NATS is available. */
export const connectStreamAdmin = (natsUrl: string) =>
  connectNats(natsUrl, STREAM_ADMIN, createLogger(STREAM_ADMIN, 'silent'))

/** Creates or updates all streams and durable consumers, see {@link provisionStreams}. */
export async function provision(
  nats: Awaited<ReturnType<typeof connectStreamAdmin>>,
  replicas?: number,
): Promise<void> {
  await provisionStreams(await jetstreamManager(nats, { timeout: ANSWER_TIMEOUT_MS }), { replicas })
}

/** The same over a separate connection. */
export async function provisionOnce(natsUrl: string, replicas?: number): Promise<void> {
  const nats = await connectStreamAdmin(natsUrl)
  try {
    await provision(nats, replicas)
  } finally {
    await nats.close()
  }
}
