import { OWNERS, type Owner, streamName } from '@looptide/contracts/events'
import { DiscardPolicy, type JetStreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream'
import { connect, type NatsConnection, nanos } from '@nats-io/transport-node'
import type { Logger } from './logger.ts'

const DAY_MS = 86_400_000

/**
 * A connection that waits for NATS to be there and comes back by itself, however long it was away.
 * What is published meanwhile by the outbox stays in the outbox.
 */
export async function connectNats(url: string, name: string, logger: Logger): Promise<NatsConnection> {
  const parsed = new URL(url)
  const connection = await connect({
    servers: parsed.host,
    user: decodeURIComponent(parsed.username) || undefined,
    pass: decodeURIComponent(parsed.password) || undefined,
    name,
    waitOnFirstConnect: true,
    // An attempt that was begun while the network was cut must not hold up the next one.
    timeout: 3000,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    pingInterval: 3000,
    maxPingOut: 2,
  })
  void watchConnection(connection, logger)
  return connection
}

async function watchConnection(connection: NatsConnection, logger: Logger): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'disconnect' || status.type === 'reconnect') {
      logger.warn({ nats: status.type }, 'the NATS connection changed')
    }
  }
}

/**
 * Makes sure that each owner's stream exists. Any process may do it, so that the order in which they
 * start does not matter. Facts are kept for a week: longer than any outage we mean to survive.
 *
 * @param replicas on how many servers of the cluster each is kept; one that is there already is moved to that many
 *   while it is in use. Without it a new stream has one, and others stay as they are.
 */
export async function ensureStreams(
  manager: JetStreamManager,
  owners: readonly Owner[] = OWNERS,
  replicas?: number,
): Promise<void> {
  for (const owner of owners) {
    const settings = {
      subjects: [`${owner}.>`],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      discard: DiscardPolicy.Old,
      max_age: nanos(7 * DAY_MS),
      max_bytes: 268_435_456,
      duplicate_window: nanos(120_000),
      num_replicas: replicas ?? 1,
    }
    const there = await manager.streams.info(streamName(owner)).catch(() => undefined)
    if (there === undefined) await manager.streams.add({ name: streamName(owner), ...settings })
    else if (replicas !== undefined && there.config.num_replicas !== replicas)
      await manager.streams.update(streamName(owner), { num_replicas: replicas })
  }
}

/** Retries `work` with growing pauses until it succeeds or `signal` says stop. */
export async function retryUntil(
  work: () => Promise<void>,
  signal: AbortSignal,
  onFailure: (error: unknown, attempt: number) => void,
): Promise<void> {
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    try {
      await work()
      return
    } catch (error) {
      onFailure(error, attempt)
      await pause(Math.min(5000, 100 * 2 ** attempt), signal)
    }
  }
}

/** Waits `ms`, or less when `signal` fires. Never rejects. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(done, ms)
    function done(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done)
  })
}
