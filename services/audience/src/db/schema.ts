import type { EventTables } from '@looptide/service-kit/db/event-tables'
import type { Generated, GeneratedAlways } from 'kysely'

export interface Database extends EventTables {
  channels: ChannelsTable
  exclusions: ExclusionsTable
  networks: NetworksTable
  profiles: ProfilesTable
  queueChanges: QueueChangesTable
  requests: RequestsTable
  restrictedUsers: RestrictedUsersTable
  votes: VotesTable
  watchHours: WatchHoursTable
}

/** Columns of users, and ids that no foreign key checks: `tables.ts` says what they refer to. */
export interface NotedColumns {
  channels: never
  exclusions: 'videoId' | 'createdBy'
  networks: 'userId'
  profiles: 'userId'
  queueChanges: never
  requests: 'userId' | 'videoId'
  restrictedUsers: 'restrictionId' | 'userId'
  votes: 'userId'
  watchHours: 'userId'
}

interface ChannelsTable {
  id: string
  isOpen: Generated<boolean>
  /** Of the queue that was published last; 0 if none was. */
  queueSequence: Generated<number>
}

export interface ExclusionsTable {
  id: string
  channelId: string
  videoId: string | null
  artistName: string | null
  artistKey: string | null
  createdBy: string | null
  createdAt: Date
}

interface NetworksTable {
  userId: string
  day: Date
  networkKey: string
  nextNetworkKey: string
}

/** Projection of auth's profiles. */
interface ProfilesTable {
  userId: string
  handle: string | null
  registeredAt: Date | null
  version: number
  attempts: Generated<number>
  attemptsSince: Date | null
}

interface QueueChangesTable {
  channelId: string
  id: GeneratedAlways<number>
}

export interface RequestsTable {
  id: string
  channelId: string
  userId: string | null
  videoId: string
  title: string
  artistName: string
  thumbnailUrl: string | null
  durationMs: number
  requestedAt: Date
  state: Generated<StoredState>
  pinnedAt: Date | null
  reason: string | null
  finishedAt: Date | null
  rank: Generated<number>
  videoVersion: Generated<number>
}

export type StoredState = 'waiting' | 'aired' | 'refused' | 'withdrawn'

/** Projection of auth's restrictions of type `restricted`. */
interface RestrictedUsersTable {
  restrictionId: string
  userId: string
  expiresAt: Date | null
}

interface VotesTable {
  requestId: string
  userId: string
  votedAt: Date
}

interface WatchHoursTable {
  userId: string
  startsAt: Date
  watchedMs: number
  seenAt: Date
}
