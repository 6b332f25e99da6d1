import { type Static, Type } from 'typebox'
import type { CastSettings } from './cast.ts'
import type { RestrictionType, Role } from './common.ts'
import type { AuditEntry } from './http/admin.ts'
import type { Channel, NowState, StreamStatus } from './http/channels.ts'
import type { ChatMessage, ChatSettings } from './http/chat.ts'
import type { DecideCaseBody } from './http/chat-cases.ts'
import type { HeldState } from './http/held-messages.ts'
import type { MetadataJobState } from './http/metadata.ts'
import type { Poll } from './http/polls.ts'
import type { ReminderKind, ReminderPhase } from './http/reminders.ts'
import type { RequestState } from './http/requests.ts'
import type { SubmissionState } from './http/submissions.ts'
import type { ThemeBody } from './http/themes.ts'
import type { VideoJob } from './http/video-jobs.ts'
import type { Video } from './http/videos.ts'
import type { SignUpPolicy } from './sign-up-policy.ts'

/** WebSocket topics, without the protocol's prefix `realtime:`. */
export const topics = {
  /** Public: current programmes, viewer count, clock. */
  stream: (channelId: string): string => `stream:${channelId}`,
  /** Public to read. Messages are posted over HTTP. */
  chat: (channelId: string): string => `chat:${channelId}`,
  /** Private to one user: restrictions, role, sessions. */
  user: (userId: string): string => `user:${userId}`,
  /** Public: theme, channel list, home. */
  station: 'station',
  /** Public: which channels' programmes have changed, for clients that show the guide. */
  guide: 'guide',
  /** The admin dashboard: changes of the library, job progress, stream status. */
  admin: 'admin',
  /** Admins: the audit log. */
  audit: 'audit',
  /** Moderators and admins: submissions. */
  moderation: 'moderation',
} as const

/** Many pushes of one kind, `event`, which were due together. */
interface PushBatch {
  event: string
  payloads: unknown[]
}

/** The reactions that a viewer can send, in the order in which they are offered. */
export const REACTIONS = ['❤️', '🔥', '👏', '😂', '😮', '🎉'] as const
export type Reaction = (typeof REACTIONS)[number]
/** Numbers of reactions; without those that are 0. */
export type ReactionCounts = Partial<Record<Reaction, number>>

/** A reminder that is due, as the pages of its owner show it. */
export interface DueReminder {
  reminderId: string
  kind: ReminderKind
  phase: ReminderPhase
  title: string
  channelId: string
  channelName: string
  startsAtMs: number
  videoId: string | null
  via: 'push' | 'mail' | 'page'
}

/** Messages that the server pushes, by topic kind: Phoenix event `broadcast`, `{type:'broadcast', event, payload}`. */
export interface ServerPushes {
  stream: {
    /**
     * Without `programmes` if this socket was sent those of this `timelineVersion` before, or was sent too much. A client
     * that has another version requests the state over HTTP.
     */
    snapshot: Omit<NowState, 'programmes'> & { programmes?: NowState['programmes']; viewers: number }
    now: NowState
    status: { status: StreamStatus }
    viewers: { count: number }
    /** A viewer's request has changed. */
    request: { requestId: string; state: RequestState }
    /** The numbers of votes that have changed, by request, about once a second. */
    votes: { votes: Record<string, number> }
    /** The reactions of the last second of all viewers, at most once a second and only if there were any. */
    reactions: { airingId: string; counts: ReactionCounts }
    clock: { sentAtMs: number; serverNowMs: number }
    /** Version and status are set only if the version differs from the requested one; `healthy` only if requested. */
    poll: { serverNowMs: number; timelineVersion?: number; status?: StreamStatus; healthy?: boolean }
  }
  chat: {
    snapshot: { lastSeq: number | null }
    message: { message: ChatMessage }
    message_removed: { messageId: string; seq: number }
    /** A removed message is shown again, at its place. */
    message_restored: { message: ChatMessage }
    settings: ChatSettings
    /** A poll was asked, its votes were counted, at most about once a second, or it was closed. */
    poll: { poll: Poll }
    poll_removed: { pollId: string }
  }
  user: {
    restricted: { restrictionType: RestrictionType; reason: string; expiresAt: string | null }
    unrestricted: { restrictionType: RestrictionType }
    role: { role: Role }
    session_revoked: { sessionIds: string[] }
    /** A decision on the user's submission. `reason` is the moderator's, for a rejection. */
    submission: { videoId: string; state: SubmissionState; reason: string | null }
    /** A reminder is due. `via`: as in `audience.reminder.due.v1`. */
    reminder: DueReminder
    /** Moderators have decided about the user's message, or about the user's appeal. */
    chat_decision: { caseId: string; decision: Exclude<DecideCaseBody['decision'], 'none'> }
    /** Moderators have decided about a message that the user has reported. */
    report_handled: { caseId: string }
    /** A message of the user that waited for a moderator was posted or rejected. */
    held_message: { channelId: string; state: Exclude<HeldState, 'waiting'> }
  }
  station: {
    theme: { theme: ThemeBody }
    channels: { channel?: Pick<Channel, 'id'> }
    home: Record<string, never>
  }
  guide: {
    /** A channel's guide has changed. Without a channel, any may have changed. */
    changed: { channelId?: string; timelineVersion?: number; endsAtMs?: number }
  }
  admin: {
    video: { video: Video }
    video_removed: { videoId: string }
    /** Many videos were changed together. Clients request again what they show. */
    videos: { count: number }
    /** The progress of a change of many videos: once a second, and when it is started, cancelled or finished. */
    job: { job: VideoJob }
    metadata: { youtubeId: string; state: MetadataJobState; reason: string | null }
    status: { channelId: string; status: StreamStatus }
    timeline: { channelId: string; timelineVersion: number }
    programme: { channelId: string; videoId: string; startsAtMs: number; endsAtMs: number }
    /** The channels whose number of viewers has changed, at most once in five seconds. */
    viewers: { counts: Record<string, number> }
    /** The numbers of votes of requests that have changed, on any channel. */
    votes: { votes: Record<string, number> }
    /** Viewers' players could not play the video. It is not scheduled until an admin releases it. */
    quarantined: { videoId: string; channelId: string; reason: string }
    /** A viewer's request on a channel has changed. */
    request: { channelId: string; requestId: string; state: RequestState }
    /** An audited change of the library or of a channel: its action, and what was changed. */
    change: { action: string; targetId: string | null }
    batch: PushBatch
  }
  audit: {
    entry: { entry: Partial<AuditEntry> }
    batch: PushBatch
  }
  moderation: {
    batch: PushBatch
    /** The list of submissions has changed: a new submission, a title, a decision. */
    submissions: { videoId: string }
    /** The list of reported messages has changed: a report, an appeal, a decision. */
    cases: { caseId: string }
    /** The list of messages that wait for a moderator has changed. */
    held: { heldId: string }
  }
}

/** Messages that members of a topic send each other: relayed broadcasts, which no server has validated. */
export interface MemberMessages {
  user: {
    /** A phone asks which paired TVs of the account are on. */
    tv_hello: Record<string, never>
    /** A paired TV is on: when it joins, and in answer to `tv_hello` and to each command. `tv`: its session. */
    tv_here: { tv: string }
    /** A phone commands a TV (`web/src/lib/remote/tv-messages.ts`). */
    tv_command: { tv: string; command: object }
  }
}

/** Request that a viewer sends on a stream topic as a broadcast. The reply goes to that socket only. */
export const ClockRequest = Type.Object({ sentAtMs: Type.Number() })
export type ClockRequest = Static<typeof ClockRequest>
/**
 * Poll every 15 s for a changed timeline; with `health`, also the 30 s health check: whether any service for viewers is
 * healthy. Each poll gets one reply, in order, so that the reply need not repeat the time of the request.
 */
export const PollRequest = Type.Object({
  timelineVersion: Type.Integer(),
  health: Type.Optional(Type.Boolean()),
})
export type PollRequest = Static<typeof PollRequest>

/** A reaction to what is on the air. Counted, and sent to all viewers within about a second; at most four a second and socket. */
export const ReactRequest = Type.Object({
  emoji: Type.Union([
    Type.Literal('❤️'),
    Type.Literal('🔥'),
    Type.Literal('👏'),
    Type.Literal('😂'),
    Type.Literal('😮'),
    Type.Literal('🎉'),
  ]),
})
export type ReactRequest = Static<typeof ReactRequest>

/** realtime-js requires an API key. This one is public and grants nothing. */
export const PUBLIC_API_KEY = 'looptide-public'

/** GET /api/config: settings that the web app needs at start. */
export interface WebConfig {
  brand: { name: string; shortName: string; tagline: string; location: string }
  apiKey: string
  youtubeBaseUrl: string
  mailConfirmation: boolean
  signUp: SignUpPolicy
  defaultChannelId: string
  fallbackChannelId: string
  /** Viewers can request videos and vote. */
  requests: boolean
  /** URLs of the Fire TV app and its guide; null if the operator offers none. */
  firestick: { apkUrl: string | null; guideUrl: string | null }
  /** Null on stations without a receiver app for Google Cast. */
  cast: CastSettings | null
}
