import type { EventService } from '@looptide/contracts/event'
import { durablesFor, EVENT_SUBSCRIPTIONS, publishedStreams } from '@looptide/contracts/event-subscriptions'
import type { EventType } from '@looptide/contracts/events'
import type { HealthCheck } from '../../http/health.ts'
import type { Logger } from '../../telemetry/logger.ts'
import { retryUntil } from '../../time/pause.ts'
import { ownerOfService } from '../decode-envelope.ts'
import type { EventKeys } from '../event-keys.ts'
import { jetstreamManager, type NatsConnection } from '../nats-client.ts'
import { ignoreNotFound } from '../streams.ts'

const ANSWER_TIMEOUT_MS = 1000

/**
 * Health check: the streams that a service publishes to and its durable consumers exist. If NATS lost its data, the check
 * fails with their names until the migration step or the runner has created them again.
 */
export function streamsCheck(
  nats: NatsConnection,
  service: string,
  types: readonly EventType[],
): HealthCheck {
  const manager = jetstreamManager(nats, { checkAPI: false, timeout: ANSWER_TIMEOUT_MS })
  const streams = publishedStreams(ownerOfService(service) ?? null)
  const durables = durablesFor(service, types)
  return {
    name: 'event streams',
    check: async () => {
      const { streams: ofStreams, consumers } = await manager
      const found = await Promise.all([
        ...streams.map(async (name) => [name, await ofStreams.info(name).catch(ignoreNotFound)] as const),
        ...durables.map(
          async ({ stream, durable }) =>
            [`${stream}/${durable}`, await consumers.info(stream, durable).catch(ignoreNotFound)] as const,
        ),
      ])
      const missing = found.filter(([, info]) => info === undefined).map(([name]) => name)
      if (missing.length > 0)
        throw new Error(`missing in NATS: ${missing.join(', ')} (run the migration step)`)
    },
  }
}

/** Resolves when the check passes. Logs the first failure and every 20th after it. */
export const waitForStreams = (check: HealthCheck, signal: AbortSignal, logger: Logger): Promise<void> =>
  retryUntil(
    async () => check.check(),
    signal,
    (error, attempt) => {
      if (attempt % 20 === 1) logger.warn({ err: error }, 'event streams missing')
    },
  )

/**
 * Throws if a service does not handle exactly the events whose definitions name it as a consumer, or if it signs with
 * another owner's key.
 */
export function requireSubscribed(
  service: string,
  types: readonly string[],
  { owner }: Pick<EventKeys, 'owner'>,
): void {
  if (owner !== ownerOfService(service))
    throw new Error(`EVENT_SIGNING_KEY is the key of ${owner ?? 'no owner'}, not that of ${service}`)
  if (!(service in EVENT_SUBSCRIPTIONS)) return
  const listed: readonly string[] = EVENT_SUBSCRIPTIONS[service as EventService].consumes
  const unlisted = types.filter((type) => !listed.includes(type))
  if (unlisted.length > 0)
    throw new Error(
      `${service} handles ${unlisted.join(', ')}: name it as a consumer in the definition (packages/contracts/src/events)`,
    )
  const unhandled = listed.filter((type) => !types.includes(type))
  if (unhandled.length > 0)
    throw new Error(`${service} is a consumer of ${unhandled.join(', ')}: add a handler to its consumers`)
}
