import type { Envelope } from '@looptide/contracts/events'
import type { WebhookPayload } from '@looptide/contracts/webhook-events'

/** The events of services that webhooks are sent. */
export type AnnouncedEvent =
  | 'stream.programme.started.v1'
  | 'stream.schedule.published.v1'
  | 'stream.takeover.started.v1'
  | 'stream.status.changed.v1'
  | 'catalogue.submission.received.v1'
  | 'auth.user.restricted.v1'

const iso = (ms: number): string => new Date(ms).toISOString()

/** What webhooks are sent of an event, and the channel to which it belongs; null if to none. */
export function payloadOf(envelope: Envelope<AnnouncedEvent>): {
  channelId: string | null
  payload: WebhookPayload
} {
  const { occurredAt: timestamp } = envelope
  const announced = envelope as { [T in AnnouncedEvent]: Envelope<T> & { type: T } }[AnnouncedEvent]
  switch (announced.type) {
    case 'stream.programme.started.v1': {
      const { channelId, channelName = channelId, programmeId, videoId, ...programme } = announced.data
      const { title = '', artist = null, startsAtMs, endsAtMs } = programme
      const times = { startsAt: iso(startsAtMs), endsAt: iso(endsAtMs) }
      const data = { channelId, channelName, programmeId, videoId, title, artist, ...times }
      return { channelId, payload: { type: 'programme.started', timestamp, data } }
    }
    case 'stream.schedule.published.v1': {
      const { data } = announced
      return { channelId: data.channelId, payload: { type: 'schedule.published', timestamp, data } }
    }
    case 'stream.takeover.started.v1': {
      const { startsAtMs, endsAtMs, ...takeover } = announced.data
      const times = { startsAt: iso(startsAtMs), endsAt: endsAtMs === null ? null : iso(endsAtMs) }
      const data = { ...takeover, ...times }
      return { channelId: data.channelId, payload: { type: 'takeover.started', timestamp, data } }
    }
    case 'stream.status.changed.v1': {
      const { data } = announced
      return { channelId: data.channelId, payload: { type: 'channel.status_changed', timestamp, data } }
    }
    case 'catalogue.submission.received.v1':
      return { channelId: null, payload: { type: 'submission.received', timestamp, data: announced.data } }
    case 'auth.user.restricted.v1': {
      const { userId, restrictionId, restrictionType: restriction, expiresAt } = announced.data
      const data = { userId, restrictionId, restriction, expiresAt }
      return { channelId: null, payload: { type: 'user.restricted', timestamp, data } }
    }
  }
}
