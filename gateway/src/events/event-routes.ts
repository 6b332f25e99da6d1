import type {
  AuditRecorded,
  Envelope,
  EventData,
  EventType,
  PublishedVideo,
} from '@looptide/contracts/events'
import type { AuditEntry } from '@looptide/contracts/http/admin'
import type { ChatMessage } from '@looptide/contracts/http/chat'
import { type ServerPushes, topics } from '@looptide/contracts/realtime'
import type { Static } from 'typebox'

/** A server broadcast to the members of one topic. */
export interface Push {
  topic: string
  event: string
  payload: unknown
}

type Kind = keyof ServerPushes
type Route<T extends EventType> = (data: EventData<T>, envelope: Envelope<T>) => Push[]

function push<K extends Kind, E extends keyof ServerPushes[K] & string>(
  _kind: K,
  topic: string,
  event: E,
  payload: ServerPushes[K][E],
): Push {
  return { topic, event, payload }
}

const toAdmins = <E extends keyof ServerPushes['admin']>(event: E, payload: ServerPushes['admin'][E]): Push =>
  push('admin', topics.admin, event, payload)

const toGuides = (payload: ServerPushes['guide']['changed']): Push =>
  push('guide', topics.guide, 'changed', payload)

const channelsChanged = ({ channelId }: { channelId: string }): Push[] => [
  push('station', topics.station, 'channels', { channel: { id: channelId } }),
  toGuides({ channelId }),
]

const messagePush = (message: ChatMessage): Push =>
  push('chat', topics.chat(message.channelId), 'message', { message })

const videoPush = (video: PublishedVideo): Push =>
  toAdmins('video', { video: { tags: [], startAtMs: 0, endAtMs: null, ...video } })

function audited(data: Static<typeof AuditRecorded>, { id, actorId, occurredAt }: Envelope): Push[] {
  const entry: Partial<AuditEntry> = { ...data, id, adminUserId: actorId, createdAt: occurredAt }
  return [push('audit', topics.audit, 'entry', { entry })]
}

/** The pushes of an audited change: the entry to readers of the audit log, and to the dashboard without user and values. */
const auditedChange = (data: Static<typeof AuditRecorded>, envelope: Envelope): Push[] => [
  ...audited(data, envelope),
  toAdmins('change', { action: data.action, targetId: data.targetId }),
]

/**
 * The pushes that each event causes; null for an event that concerns no browser. `auth.session.revoked` causes none: the
 * hub notifies the session's sockets before it closes them. The type requires an entry for every event.
 */
const EVENT_ROUTES: { [T in EventType]: Route<T> | null } = {
  'chat.message.posted.v1': ({ message }) => [messagePush(message)],
  'chat.messages.posted.v1': ({ messages }) => messages.map(messagePush),
  'chat.message.removed.v1': ({ channelId, messageId, seq }) => [
    push('chat', topics.chat(channelId), 'message_removed', { messageId, seq }),
  ],
  'chat.settings.changed.v1': ({ channelId, slowModeS }) => [
    push('chat', topics.chat(channelId), 'settings', { slowModeS }),
  ],

  'stream.status.changed.v1': ({ channelId, status }) => [
    push('stream', topics.stream(channelId), 'status', { status }),
    toGuides({ channelId }),
    toAdmins('status', { channelId, status }),
  ],
  // Viewers receive the new programmes (`now`) as soon as the gateway has fetched them.
  'stream.timeline.changed.v1': ({ channelId, timelineVersion }) => [
    toGuides({ channelId, timelineVersion }),
    toAdmins('timeline', { channelId, timelineVersion }),
  ],
  'stream.timeline.extended.v1': ({ channelId, timelineVersion, endsAtMs }) => [
    toGuides({ channelId, timelineVersion, endsAtMs }),
  ],
  'stream.programme.started.v1': ({ channelId, videoId, startsAtMs, endsAtMs }) => [
    toAdmins('programme', { channelId, videoId, startsAtMs, endsAtMs }),
  ],
  'stream.video.quarantined.v1': ({ videoId, channelId, reason }) => [
    toAdmins('quarantined', { videoId, channelId, reason }),
  ],
  'stream.channel.created.v1': channelsChanged,
  'stream.channel.updated.v1': channelsChanged,
  'stream.channel.deleted.v1': channelsChanged,
  'stream.duration.learned.v1': null,

  'auth.user.restricted.v1': ({ userId, restrictionType, reason, expiresAt }) => [
    push('user', topics.user(userId), 'restricted', { restrictionType, reason, expiresAt }),
  ],
  'auth.user.unrestricted.v1': ({ userId, restrictionType }) => [
    push('user', topics.user(userId), 'unrestricted', { restrictionType }),
  ],
  'auth.role.changed.v1': ({ userId, role }) => [push('user', topics.user(userId), 'role', { role })],
  'auth.user.registered.v1': null,
  'auth.user.deleted.v1': null,
  'auth.profile.updated.v1': null,
  'auth.session.revoked.v1': null,
  'auth.key.revoked.v1': null,

  'catalogue.video.added.v1': ({ video }) => [videoPush(video)],
  'catalogue.video.updated.v1': ({ video }) => [videoPush(video)],
  'catalogue.video.removed.v1': ({ videoId }) => [toAdmins('video_removed', { videoId })],
  'catalogue.videos.added.v1': ({ videos }) => videos.map(videoPush),
  'catalogue.videos.updated.v1': ({ videos }) => videos.map(videoPush),
  'catalogue.videos.removed.v1': ({ videoIds }) =>
    videoIds.map((videoId) => toAdmins('video_removed', { videoId })),
  'catalogue.submission.changed.v1': ({ videoId }) => [
    push('moderation', topics.moderation, 'submissions', { videoId }),
  ],
  'catalogue.submission.decided.v1': ({ videoId, state, reason, submitters }) => [
    push('moderation', topics.moderation, 'submissions', { videoId }),
    ...submitters.map((id) => push('user', topics.user(id), 'submission', { videoId, state, reason })),
  ],
  'catalogue.home.changed.v1': () => [push('station', topics.station, 'home', {})],
  'catalogue.metadata.requested.v1': null,
  'catalogue.probe.requested.v1': null,
  'catalogue.playlist.requested.v1': null,
  'catalogue.airing.requested.v1': null,

  'admin.theme.activated.v1': ({ theme }) => [
    push('station', topics.station, 'theme', { theme: theme as ServerPushes['station']['theme']['theme'] }),
  ],

  'metadata.video.resolved.v1': null,
  'metadata.video.unavailable.v1': null,
  'metadata.media.probed.v1': null,
  'metadata.playlist.read.v1': null,
  'metadata.playlist.failed.v1': null,
  'metadata.queue.emptied.v1': null,

  'auth.audit.recorded.v1': audited,
  'catalogue.audit.recorded.v1': auditedChange,
  'stream.audit.recorded.v1': auditedChange,
  'chat.audit.recorded.v1': audited,
  'admin.audit.recorded.v1': audited,
  'metadata.audit.recorded.v1': audited,
}

/** The events that cause pushes: those that the gateway subscribes to for browsers. */
export const ROUTED_EVENTS: readonly EventType[] = (Object.keys(EVENT_ROUTES) as EventType[]).filter(
  (type) => EVENT_ROUTES[type] !== null,
)

/** The pushes for one event. */
export function pushesFor(envelope: Envelope): Push[] {
  const route = EVENT_ROUTES[envelope.type] as Route<EventType> | null
  return route?.(envelope.data, envelope) ?? []
}
