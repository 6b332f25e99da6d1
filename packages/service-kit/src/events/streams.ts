import {
  type DurableConsumer,
  durablesFor,
  EVENT_SUBSCRIPTIONS,
  type EventSubscriptions,
} from '@looptide/contracts/event-subscriptions'
import { AUDIT_STREAM, AUDIT_SUBJECTS, STREAMS, subjectsOf } from '@looptide/contracts/events'
import {
  AckPolicy,
  type ConsumerInfo,
  DeliverPolicy,
  DiscardPolicy,
  headers,
  type JetStreamManager,
  jetStreamError,
  type MsgHdrs,
  nanos,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
  storedMessage,
} from './nats-client.ts'

const DAY_MS = 86_400_000
/** Largest size of a stream on disk, in bytes. */
export const STREAM_MAX_BYTES = 268_435_456
/** An event without an acknowledgement or progress signal for this time is redelivered, in ms. */
export const ACK_WAIT_MS = 3000

export interface ProvisionOptions {
  /** Replicas of each stream. Default: 1 for a new stream; existing streams keep theirs. */
  replicas?: number | undefined
  /** Services whose durable consumers are created. Default: the station's services. */
  subscriptions?: Readonly<Record<string, Pick<EventSubscriptions, 'consumes'>>>
  /** Default: all. */
  streams?: readonly string[]
}

/**
 * Creates or updates the streams and durable consumers. Safe to run repeatedly and by several processes at once. Only
 * the migration step and the runner call it: NATS permissions do not allow it to services.
 */
export async function provisionStreams(
  manager: JetStreamManager,
  { replicas, subscriptions = EVENT_SUBSCRIPTIONS, streams = STREAMS }: ProvisionOptions = {},
): Promise<void> {
  // Owners' streams first: the audit stream takes over subjects that they may still have.
  for (const stream of streams) await provisionStream(manager, stream, replicas)
  for (const [service, { consumes }] of Object.entries(subscriptions)) {
    for (const durable of durablesFor(service, consumes)) await provisionConsumer(manager, durable)
  }
  for (const stream of streams) await removeSuperseded(manager, stream, subscriptions)
}

/** Retention of one week: longer than any outage the station must survive. */
const OWNER_STREAM = {
  retention: RetentionPolicy.Limits,
  discard: DiscardPolicy.Old,
  max_age: nanos(7 * DAY_MS),
} as const

/** An audit event stays until the audit log has stored it. A full stream refuses new ones: they wait in the outbox. */
const AUDIT = { retention: RetentionPolicy.Workqueue, discard: DiscardPolicy.New, max_age: 0 } as const

async function provisionStream(manager: JetStreamManager, name: string, replicas?: number): Promise<void> {
  const settings = {
    ...(name === AUDIT_STREAM ? AUDIT : OWNER_STREAM),
    subjects: subjectsOf(name),
    storage: StorageType.File,
    max_bytes: STREAM_MAX_BYTES,
    duplicate_window: nanos(120_000),
  }
  const existing = await manager.streams.info(name).catch(ignoreNotFound)
  if (existing === undefined) {
    await manager.streams.add({ name, ...settings, num_replicas: replicas ?? 1 })
    return
  }
  const wanted = { ...settings, num_replicas: replicas ?? existing.config.num_replicas }
  if (!isSame(existing.config, wanted)) await manager.streams.update(name, wanted)
}

/** Retention and storage of a stream cannot be changed; everything else can. */
const isSame = (existing: StreamConfig, wanted: Partial<StreamConfig>): boolean =>
  (['discard', 'max_age', 'max_bytes', 'duplicate_window', 'num_replicas'] as const).every(
    (key) => existing[key] === wanted[key],
  ) && JSON.stringify(existing.subjects) === JSON.stringify(wanted.subjects)

async function provisionConsumer(manager: JetStreamManager, wanted: DurableConsumer): Promise<void> {
  const { stream, durable, filter } = wanted
  const existing = await manager.consumers.info(stream, durable).catch(ignoreNotFound)
  const isStuck = existing !== undefined && (await hasUndeliverable(manager, stream, existing))
  if (existing !== undefined && existing.config.filter_subject === filter && !isStuck) return
  const predecessor = existing ?? (await findPredecessor(manager, wanted))
  // NATS 2.9 stops delivering to a consumer whose filter was changed, so the consumer is replaced.
  if (existing !== undefined) await manager.consumers.delete(stream, durable)
  const start =
    predecessor !== undefined && !isStuck && covers(predecessor.config.filter_subject, wanted)
      ? {
          deliver_policy: DeliverPolicy.StartSequence,
          opt_start_seq: predecessor.ack_floor.stream_seq + 1,
        }
      : { deliver_policy: DeliverPolicy.All }
  const config = {
    durable_name: durable,
    ...(filter === undefined ? {} : { filter_subject: filter }),
    ack_policy: AckPolicy.Explicit,
    ...start,
    ack_wait: nanos(ACK_WAIT_MS),
    max_ack_pending: 1,
    max_deliver: -1,
  }
  await manager.consumers.add(stream, config)
  if (existing !== undefined) return
  // After a power cut NATS cannot read a consumer's truncated file and skips it at every start. Adding the consumer
  // does not replace that file; deleting the consumer removes it.
  await manager.consumers.delete(stream, durable).catch(ignoreNotFound)
  await manager.consumers.add(stream, config)
}

/**
 * Whether the audit stream ends before a consumer's position, or contains messages that will not be delivered to the
 * consumer. This happens when a power cut loses the newest messages and others are then stored below that position.
 * Services publish their events again above it (`OutboxPublisher`), but the audit stream keeps every message until it
 * is acknowledged.
 */
async function hasUndeliverable(
  manager: JetStreamManager,
  stream: string,
  consumer: ConsumerInfo,
): Promise<boolean> {
  if (stream !== AUDIT_STREAM) return false
  const { state } = await manager.streams.info(stream)
  const deliverable = consumer.num_pending + consumer.num_ack_pending
  return consumer.delivered.stream_seq > state.last_seq || state.messages > deliverable
}

/**
 * Whether a consumer with this filter received everything that `wanted` needs. If so, its successor continues at its
 * position. Otherwise the successor starts at the beginning, and the inbox ignores events that were applied before.
 */
const covers = (filter: string | undefined, { stream, filter: wanted }: DurableConsumer): boolean =>
  filter === undefined || filter === wanted || filter === `${stream.toLowerCase()}.>`

/** Finds a consumer named after its only event, as older versions created them. */
async function findPredecessor(
  manager: JetStreamManager,
  { stream, durable, filter }: DurableConsumer,
): Promise<ConsumerInfo | undefined> {
  if (filter === undefined) return undefined
  const service = durable.slice(0, durable.indexOf('--'))
  return manager.consumers.info(stream, `${service}--${filter.replaceAll('.', '-')}`).catch(ignoreNotFound)
}

/**
 * Deletes durable consumers that no service uses any more. Older versions stored audit events in their owners' streams:
 * those that the audit log has not consumed are moved to the audit stream first.
 */
async function removeSuperseded(
  manager: JetStreamManager,
  stream: string,
  subscriptions: NonNullable<ProvisionOptions['subscriptions']>,
): Promise<void> {
  const wanted = new Set(
    Object.entries(subscriptions).flatMap(([service, { consumes }]) =>
      durablesFor(service, consumes).map(({ durable, stream: of }) => `${of} ${durable}`),
    ),
  )
  const found: ConsumerInfo[] = []
  for await (const consumer of manager.consumers.list(stream)) found.push(consumer)
  for (const consumer of found) {
    const service = Object.keys(subscriptions).find((name) => consumer.name.startsWith(`${name}--`))
    if (service === undefined || wanted.has(`${stream} ${consumer.name}`)) continue
    if (service === 'admin-audit') await moveAuditEvents(manager, stream, consumer.ack_floor.stream_seq)
    await manager.consumers.delete(stream, consumer.name)
  }
}

async function moveAuditEvents(
  manager: JetStreamManager,
  stream: string,
  acknowledged: number,
): Promise<void> {
  const audit = AUDIT_SUBJECTS.replace('*', stream.toLowerCase())
  const { state } = await manager.streams.info(stream)
  for (let seq = Math.max(acknowledged + 1, state.first_seq); seq <= state.last_seq; seq += 1) {
    const message = await storedMessage(manager, stream, seq)
    if (message === null || message.subject !== audit) continue
    await manager.jetstream().publish(audit, message.data, { headers: withoutExpectations(message.header) })
  }
}

/** Removes the expectations about the old stream's last message. The message id stays, so that duplicates are dropped. */
function withoutExpectations(stored: MsgHdrs): MsgHdrs {
  const kept = headers()
  for (const [name, values] of stored) {
    if (!name.startsWith('Nats-Expected-')) for (const value of values) kept.append(name, value)
  }
  return kept
}

/** Error handler: undefined for a stream, consumer or message that does not exist; rethrows any other error. */
export function ignoreNotFound(error: unknown): undefined {
  if (jetStreamError(error)?.status === 404) return undefined
  throw error
}
