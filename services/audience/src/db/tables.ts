import type { Tables } from '@looptide/service-kit/db/tables'
import type { Database, NotedColumns } from './schema.ts'

const COPY = { not: 'a copy of what auth exports' } as const
const SHORT = { not: 'is gone within days' } as const
const VIDEO = { mayBeGone: 'the video may have been deleted since' } as const

/** The audience's tables: what limits their rows, and what their columns with ids mean. */
export const tables = {
  channels: { bound: 'one per channel; deleted with it' },
  decisions: { bound: 'those of the stored queues; deleted with them' },
  queueBodies: {
    bound: 'two hours, and two hours after the start of what was decided with them',
  },
  queueChanges: { bound: 'those since the queue was published, a few seconds ago' },
  exclusions: {
    bound: 'limited per channel, and deleted with it',
    columns: {
      videoId: VIDEO,
      createdBy: {
        exported: { not: 'who of the staff did it: a record of the station' },
        onDeletion: { stays: 'history: stays after the account is deleted' },
      },
    },
  },
  requests: {
    bound: { at: 'finished_at', setting: 'AIR_LOG_DAYS' },
    columns: {
      userId: { exported: 'GET /api/export/requests', onDeletion: { hook: 'requests' } },
      airingId: { mayBeGone: 'the air log may have been shortened since' },
      videoId: VIDEO,
    },
  },
  reactions: {
    bound: { at: 'began_at', setting: 'AIR_LOG_DAYS' },
    columns: {
      channelId: { mayBeGone: 'a report may come after the channel was deleted' },
      airingId: { mayBeGone: 'the air log may have been shortened since' },
    },
  },
  airings: {
    bound: { at: 'starts_at', setting: 'AIR_LOG_DAYS' },
    columns: {
      channelId: { mayBeGone: 'an event may come after the channel was deleted' },
      airingId: { mayBeGone: 'the air log may have been shortened since' },
      videoId: VIDEO,
    },
  },
  receipts: { bound: 'one for each aired request; deleted with it. They contain no accounts' },
  voteLoads: {
    bound: 'of those who have votes, or owe something for them',
    columns: { userId: { exported: 'GET /api/export/loads', onDeletion: { hook: 'loads' } } },
  },
  turnAccounts: {
    bound: 'of those who have requests, or were aired in the last day',
    columns: { userId: { exported: 'GET /api/export/loads', onDeletion: { hook: 'loads' } } },
  },
  votes: {
    bound: 'only of requests that wait, of which an account has few',
    columns: { userId: { exported: 'GET /api/export/votes', onDeletion: 'delete', key: 'requestId' } },
  },
  voteChanges: { bound: 'those since the votes were counted, about a second ago' },
  polls: {
    bound: { at: 'asked_at', setting: 'AIR_LOG_DAYS' },
    columns: {
      airingId: { mayBeGone: 'the air log may have been shortened since' },
      askedBy: {
        exported: { not: 'who of the staff did it: a record of the station' },
        onDeletion: { stays: 'history: stays after the account is deleted' },
      },
    },
  },
  pollVotes: {
    bound: 'of polls that are open, or were until a day ago',
    columns: { userId: { exported: 'GET /api/export/polls', onDeletion: { hook: 'pollVotes' } } },
  },
  pollChanges: { bound: 'those since the poll was counted, about a second ago' },
  likedVideos: {
    bound: 'one per video that somebody has liked; deleted 31 days after the video',
    columns: { videoId: VIDEO },
  },
  likes: {
    bound: 'at most MAX_LIKES per account',
    columns: { userId: { exported: 'GET /api/export/likes', onDeletion: { hook: 'likes' } } },
  },
  reminders: {
    bound: 'at most MAX_REMINDERS per account; those of one programme are deleted a day after it',
    columns: {
      userId: { exported: 'GET /api/export/reminders', onDeletion: 'delete' },
      channelId: { mayBeGone: 'of a deleted channel until its notice is sent' },
      videoId: VIDEO,
    },
  },
  reminderStarts: {
    bound: 'those that the guide announces, of each reminder; deleted a day later',
    columns: {
      programmeId: { mayBeGone: 'the channel may have been planned again since' },
      videoId: VIDEO,
    },
  },
  reminderChannels: {
    bound: 'one per channel that had reminders; deleted with it',
    columns: { channelId: { names: 'scheduler.channels' } },
  },
  reminderSettings: {
    bound: 'one per account that has changed them',
    columns: {
      userId: {
        exported: { not: 'shown on the page of reminders' },
        onDeletion: 'delete',
        key: 'userId',
      },
    },
  },
  pushSubscriptions: {
    bound: 'at most MAX_PUSH_SUBSCRIPTIONS per account',
    columns: {
      userId: { exported: 'GET /api/export/reminder-devices', onDeletion: 'delete' },
      sessionId: { mayBeGone: 'a session that was not used for 90 days ends without an event' },
    },
  },
  pushDeliveries: {
    bound: 'those that no push service has accepted yet, until they expire within a day',
    columns: { startId: { mayBeGone: 'a reminder may be over or removed before its push is sent' } },
  },
  networks: {
    bound: { at: 'day', hours: 72 },
    columns: { userId: { exported: SHORT, onDeletion: 'delete', key: 'userId' } },
  },
  watchHours: {
    bound: { at: 'starts_at', hours: 48 },
    columns: { userId: { exported: SHORT, onDeletion: 'delete', key: 'startsAt' } },
  },
  profiles: {
    bound: 'one per user; without a name once the account is deleted',
    columns: {
      userId: {
        exported: COPY,
        onDeletion: { hook: 'profile' },
        orphan: 't.handle is not null and not exists (select from auth.users u where u.id = t.user_id)',
      },
    },
  },
  restrictedUsers: {
    bound: 'those in force; expired ones are deleted after a day',
    columns: {
      userId: { exported: COPY, onDeletion: 'delete', key: 'restrictionId' },
      restrictionId: { names: 'auth.user_restrictions' },
    },
  },
} as const satisfies Tables<Database, NotedColumns>
