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
  likedVideos: {
    bound: 'one per video that somebody has liked; deleted 31 days after the video',
    columns: { videoId: VIDEO },
  },
  likes: {
    bound: 'at most MAX_LIKES per account',
    columns: { userId: { exported: 'GET /api/export/likes', onDeletion: { hook: 'likes' } } },
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
