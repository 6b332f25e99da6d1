import { type Static, Type } from 'typebox'
import type { RestrictionType, Role } from './common.ts'
import type { AuditEntry, ThemeBody } from './http/admin.ts'
import type { Channel, NowState, StreamStatus } from './http/channels.ts'
import type { ChatMessage, ChatSettings } from './http/chat.ts'
import type { MetadataJobState } from './http/metadata.ts'
import type { SubmissionState } from './http/submissions.ts'
import type { Video } from './http/videos.ts'

/** Topics of the socket, without the `realtime:` that the protocol puts before them. */
export const topics = {
  /** Public: what is on, viewers, clock. */
  stream: (channelId: string): string => `stream:${channelId}`,
  /** Public to read; writing goes over HTTP. */
  chat: (channelId: string): string => `chat:${channelId}`,
  /** One person's own: restrictions, role, session. */
  user: (userId: string): string => `user:${userId}`,
  /** Public: theme, channel list, home. */
  station: 'station',
  /** Public: which channels' programmes have changed, for whoever looks at the guide. */
  guide: 'guide',
  /** Admins: job progress, audit feed, stream status. */
  admin: 'admin',
  /** Moderators and admins: submissions. */
  moderation: 'moderation',
} as const

/** What the server pushes, by topic kind: Phoenix event `broadcast`, `{type:'broadcast', event, payload}`. */
export interface ServerPushes {
  stream: {
    snapshot: NowState & { viewers: number }
    now: NowState
    status: { status: StreamStatus }
    viewers: { count: number }
    clock: { sentAtMs: number; serverNowMs: number }
    /** The version and status only when the version is another than the one the viewer named; `healthy` when asked for. */
    poll: { serverNowMs: number; timelineVersion?: number; status?: StreamStatus; healthy?: boolean }
  }
  chat: {
    snapshot: { lastSeq: number | null }
    message: { message: ChatMessage }
    message_removed: { messageId: string; seq: number }
    settings: ChatSettings
  }
  user: {
    restricted: { restrictionType: RestrictionType; reason: string; expiresAt: string | null }
    unrestricted: { restrictionType: RestrictionType }
    role: { role: Role }
    session_revoked: { sessionIds: string[] }
    /** A video they submitted was decided; `reason` is the moderator's, for a rejected one. */
    submission: { videoId: string; state: SubmissionState; reason: string | null }
  }
  station: {
    theme: { theme: ThemeBody }
    channels: { channel?: Pick<Channel, 'id'> }
    home: Record<string, never>
  }
  guide: {
    /** The guide is at least this new now. No channel: any may have changed. */
    changed: { channelId?: string; timelineVersion?: number; endsAtMs?: number }
  }
  admin: {
    video: { video: Video }
    video_removed: { videoId: string }
    metadata: { youtubeId: string; state: MetadataJobState; reason: string | null }
    status: { channelId: string; status: StreamStatus }
    timeline: { channelId: string; timelineVersion: number }
    programme: { channelId: string; videoId: string; startsAtMs: number; endsAtMs: number }
    viewers: { channelId: string; count: number }
    /** Viewers' players could not play it: it is off the air until an admin lets it back. */
    quarantined: { videoId: string; channelId: string; reason: string }
    audit: { entry: Partial<AuditEntry> }
  }
  moderation: {
    /** The list of submissions has changed: a new one, a title, a decision. */
    submissions: { videoId: string }
  }
}

/** What a viewer's socket may ask on a stream topic, as a broadcast; answered to that socket alone. */
export const ClockRequest = Type.Object({ sentAtMs: Type.Number() })
export type ClockRequest = Static<typeof ClockRequest>
/**
 * The 15 s poll: is the future still the one I know? With `health`, the 30 s health check too: does any server do well?
 * Every poll gets one answer, in the order of asking, so that its clock needs no echo of when it was asked.
 */
export const PollRequest = Type.Object({
  timelineVersion: Type.Integer(),
  health: Type.Optional(Type.Boolean()),
})
export type PollRequest = Static<typeof PollRequest>

/** realtime-js will not start without a key; ours is public and opens nothing. */
export const PUBLIC_API_KEY = 'looptide-public'

/** GET /api/config: what the web app must know before it starts. */
export interface WebConfig {
  brand: { name: string; shortName: string; tagline: string; location: string }
  apiKey: string
  youtubeBaseUrl: string
  mailConfirmation: boolean
  defaultChannelId: string
  fallbackChannelId: string
  /** Where the app for a Fire TV and its guide are to be had; null where the operator offers none. */
  firestick: { apkUrl: string | null; guideUrl: string | null }
}
