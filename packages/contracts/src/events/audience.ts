import { type Static, Type } from 'typebox'
import { ChannelId, EpochMs, Nullable, Uuid } from '../common.ts'
import { auditEvent, event, type Push, push, toAdmins } from '../event.ts'
import { Poll } from '../http/polls.ts'
import { ReminderKind, ReminderPhase } from '../http/reminders.ts'
import { RequestState } from '../http/requests.ts'
import { topics } from '../realtime.ts'
import { MAX_VIDEOS_PER_EVENT } from './catalogue.ts'

/** A ballot without its account: its load, and the indexes of the requests that it approves. */
const QueuedBallot = Type.Object({
  load: Type.Integer(),
  approved: Type.Array(Type.Integer({ minimum: 0 })),
})

/**
 * What decides which waiting request of a channel is aired next: the requests, in the order in which they would be aired if
 * no rule forbade one, and the ballots of both currencies (docs/fairness.md). Of many requests only the first ones of each
 * currency.
 */
const RequestQueue = Type.Object({
  requests: Type.Array(
    Type.Object({
      id: Uuid,
      videoId: Uuid,
      durationMs: Type.Integer({ minimum: 1 }),
      requestedAtMs: Type.Integer(),
      isPinned: Type.Boolean(),
    }),
  ),
  turns: Type.Array(QueuedBallot),
  votes: Type.Array(QueuedBallot),
})
export type RequestQueue = Static<typeof RequestQueue>

/** Requests whose numbers of votes one event has. */
export const MAX_COUNTED_REQUESTS = 500

const pollPush = (poll: Poll): Push => push('chat', topics.chat(poll.channelId), 'poll', { poll })

/** The events of the audience. */
export const audienceEvents = [
  /** A viewer's request was made, withdrawn, refused, pinned or unpinned. */
  event('audience.request.changed.v1', {
    data: Type.Object({ channelId: ChannelId, requestId: Uuid, state: RequestState }),
    push: ({ channelId, requestId, state }) => [
      push('stream', topics.stream(channelId), 'request', { requestId, state }),
      // Staff are no viewers of the channel whose requests they manage.
      toAdmins('request', { channelId, requestId, state }, `request ${requestId}`),
    ],
  }),
  /** The numbers of votes of requests that have changed, about once a second: by the request's id. */
  event('audience.votes.changed.v1', {
    data: Type.Object({
      channelId: ChannelId,
      votes: Type.Record(Uuid, Type.Integer({ minimum: 0 })),
    }),
    push: ({ channelId, votes }) => [
      push('stream', topics.stream(channelId), 'votes', { votes }),
      toAdmins('votes', { votes }),
    ],
  }),
  /**
   * The waiting requests of a channel or their votes have changed. A queue is published in `parts`, numbered from 1, whose
   * lists follow each other. `sequence` grows with each queue of a channel. Without accounts: `digest` (SHA-256 in hex) proves
   * later which ones the ballots are of.
   */
  event('audience.queue.changed.v1', {
    data: Type.Object({
      channelId: ChannelId,
      sequence: Type.Integer({ minimum: 1 }),
      part: Type.Integer({ minimum: 1 }),
      parts: Type.Integer({ minimum: 1 }),
      // The decided requests that have not started, in the order of their starts. They are charged in the ballots, and not
      // among the waiting requests. Missing in events of the previous release.
      decided: Type.Optional(Type.Array(Uuid)),
      digest: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
      ...RequestQueue.properties,
    }),
    consumers: ['stream-scheduler'],
  }),
  /**
   * The numbers of likes that have changed, every few seconds: each video once, however many people have liked it. A
   * consumer keeps the number with the highest `version`.
   */
  event('audience.likes.changed.v1', {
    data: Type.Object({
      videos: Type.Array(
        Type.Object({
          videoId: Uuid,
          likeCount: Type.Integer({ minimum: 0 }),
          version: Type.Integer({ minimum: 1 }),
        }),
        { minItems: 1, maxItems: MAX_VIDEOS_PER_EVENT },
      ),
    }),
    consumers: ['catalogue', 'stream-scheduler'],
  }),
  /** A poll was asked, or its votes were counted: at most about once a second, however many people have voted. */
  event('audience.poll.changed.v1', {
    data: Type.Object({ poll: Poll }),
    push: ({ poll }) => [pollPush(poll)],
    outdates: 'audience',
  }),
  /** A poll was closed, with its result. Once for each poll. `askedBy`: the author of the result in the chat. */
  event('audience.poll.closed.v1', {
    data: Type.Object({ poll: Poll, askedBy: Uuid }),
    consumers: ['chat'],
    push: ({ poll }) => [pollPush(poll)],
    outdates: 'audience',
  }),
  event('audience.poll.removed.v1', {
    data: Type.Object({ channelId: ChannelId, pollId: Uuid }),
    push: ({ channelId, pollId }) => [push('chat', topics.chat(channelId), 'poll_removed', { pollId })],
    outdates: 'audience',
  }),
  /**
   * A reminder is due. `reminderId` names the reminded start: its notices replace each other. `via`: `push` if devices of the
   * account receive it from audience, `mail` if auth mails it to the account's address, `page` in quiet hours or without
   * either. Pages that are open show what is not pushed. `videoId`: of a programme.
   */
  event('audience.reminder.due.v1', {
    data: Type.Object({
      userId: Uuid,
      reminderId: Uuid,
      kind: ReminderKind,
      phase: ReminderPhase,
      title: Type.String(),
      channelId: ChannelId,
      channelName: Type.String(),
      startsAtMs: EpochMs,
      videoId: Nullable(Uuid),
      via: Type.Union([Type.Literal('push'), Type.Literal('mail'), Type.Literal('page')]),
    }),
    consumers: ['auth'],
    push: ({ userId, ...reminder }) => [push('user', topics.user(userId), 'reminder', reminder)],
  }),
  auditEvent('audience'),
] as const
