import { type Static, type TSchema, Type } from 'typebox'
import { Nullable, Uuid } from './common.ts'
import type { AuditEntry } from './http/admin.ts'
import { type ServerPushes, topics } from './realtime.ts'
import type { ServiceName } from './service-names.ts'

/** Publishers of events. */
export const OWNERS = ['auth', 'catalogue', 'stream', 'chat', 'admin', 'metadata', 'audience'] as const
export type Owner = (typeof OWNERS)[number]
/** Owners whose service a station may run without. It then needs no key of them, and refuses their events. */
export const OPTIONAL_OWNERS: readonly Owner[] = ['audience']

/** The services that publish or receive events. */
export type EventService = ServiceName | 'gateway'

/** A server broadcast to the members of one topic. */
export interface Push {
  topic: string
  event: string
  payload: unknown
  /** Names what the push is the state of. If a gateway sends several pushes together, a later one replaces an earlier one. */
  key?: string
}

/** A push whose payload has the type that clients expect of this kind of topic. */
export function push<K extends keyof ServerPushes, E extends keyof ServerPushes[K] & string>(
  _kind: K,
  topic: string,
  name: E,
  payload: ServerPushes[K][E],
): Push {
  return { topic, event: name, payload }
}

/** A push to the topic `admin`. `key`: as in {@link Push}. */
export const toAdmins = <E extends keyof ServerPushes['admin']>(
  name: E,
  payload: ServerPushes['admin'][E],
  key?: string,
): Push => ({ ...push('admin', topics.admin, name, payload), ...(key !== undefined && { key }) })

/** What a push can need of an event besides its data. */
interface Origin {
  readonly id: string
  readonly actorId: string | null
  /** RFC 3339 */
  readonly occurredAt: string
}

/** What a part of a bulk event has of its own; the rest is that of the bulk event. */
interface EventPart {
  readonly id: string
  readonly type: `${Owner}.${string}.v${number}`
  readonly aggregateId: string
  readonly data: unknown
}

/** Everything that is true of one event, and nowhere else. Derived from it: streams, consumers, permissions, pushes. */
export interface EventDefinition<T extends string = string, D extends TSchema = TSchema> {
  /** The type, which is the NATS subject too: `<owner>.<entity>.<past tense>.v<n>`. */
  readonly type: T
  readonly data: D
  /** Services that apply it exactly once, with one durable JetStream consumer per stream. */
  readonly consumers: readonly EventService[]
  /** Services that receive it over core NATS while connected. One published while they are not is missed. */
  readonly listeners: readonly EventService[]
  /** The single events that a bulk event stands for. They are applied one by one when the bulk event cannot be applied. */
  parts?(data: Static<D>): EventPart[]
  /** What gateways push to browsers because of it. */
  push?(data: Static<D>, origin: Origin): Push[]
  /** Shared responses that gateways then load again: those of a service, or the air logs. */
  readonly outdates?: Exclude<EventService, 'gateway'> | 'air-log'
}

/** Defines an event. Gateways listen to every event with a push. */
export const event = <const T extends `${Owner}.${string}.v${number}`, D extends TSchema>(
  type: T,
  {
    consumers = [],
    listeners = [],
    ...definition
  }: Omit<EventDefinition<T, D>, 'type' | 'consumers' | 'listeners'> &
    Partial<Pick<EventDefinition, 'consumers' | 'listeners'>>,
): EventDefinition<T, D> => ({
  ...definition,
  type,
  consumers,
  listeners: definition.push === undefined ? listeners : [...new Set([...listeners, 'gateway' as const])],
})

/** Data of an audit event, which is written in the transaction of the change. */
const AuditRecorded = Type.Object({
  action: Type.String(),
  targetType: Nullable(Type.String()),
  targetId: Nullable(Type.String()),
  targetUserId: Nullable(Uuid),
  before: Type.Unknown(),
  after: Type.Unknown(),
  details: Type.Unknown(),
})

/**
 * The audit event of an owner, pushed to the readers of the audit log. `isShownToAdmins`: the dashboard receives the
 * change too, without its user and values.
 */
export const auditEvent = <const O extends Owner>(
  owner: O,
  {
    isShownToAdmins = false,
    ...rest
  }: { isShownToAdmins?: boolean } & Pick<EventDefinition, 'outdates'> = {},
): EventDefinition<`${O}.audit.recorded.v1`, typeof AuditRecorded> =>
  event(`${owner}.audit.recorded.v1`, {
    ...rest,
    data: AuditRecorded,
    consumers: ['admin-audit'],
    push: (data, { id, actorId, occurredAt }) => {
      const entry: Partial<AuditEntry> = { ...data, id, adminUserId: actorId, createdAt: occurredAt }
      const { action, targetId } = data
      return [
        push('audit', topics.audit, 'entry', { entry }),
        ...(isShownToAdmins
          ? [toAdmins('change', { action, targetId }, `change ${action} ${targetId}`)]
          : []),
      ]
    },
  })
