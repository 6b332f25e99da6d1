import type { ReactionCounts } from '@looptide/contracts/realtime'
import type { Currency } from '@looptide/fairness/ranking'
import type { EventTables } from '@looptide/service-kit/db/event-tables'
import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'

export interface AiringsTable {
  channelId: string
  seq: number
  airingId: string
  videoId: string
  startsAt: Date
  endsAt: Date
  viewersAtStart: number | null
  viewersAtEnd: number | null
  likes: Generated<number>
  messages: Generated<number>
  isCounted: Generated<boolean>
}

export interface Database extends EventTables {
  airings: AiringsTable
  channels: ChannelsTable
  decisions: DecisionsTable
  exclusions: ExclusionsTable
  likedVideos: LikedVideosTable
  likes: LikesTable
  networks: NetworksTable
  profiles: ProfilesTable
  queueBodies: QueueBodiesTable
  queueChanges: QueueChangesTable
  reactions: ReactionsTable
  receipts: ReceiptsTable
  requests: RequestsTable
  restrictedUsers: RestrictedUsersTable
  turnAccounts: TurnAccountsTable
  voteLoads: VoteLoadsTable
  votes: VotesTable
  watchHours: WatchHoursTable
}

/** Columns of users, and ids that no foreign key checks: `tables.ts` says what they refer to. */
export interface NotedColumns {
  airings: 'channelId' | 'airingId' | 'videoId'
  channels: never
  decisions: never
  exclusions: 'videoId' | 'createdBy'
  likedVideos: 'videoId'
  likes: 'userId'
  networks: 'userId'
  profiles: 'userId'
  queueBodies: never
  queueChanges: never
  reactions: 'channelId' | 'airingId'
  receipts: never
  requests: 'userId' | 'videoId' | 'airingId'
  restrictedUsers: 'restrictionId' | 'userId'
  turnAccounts: 'userId'
  voteLoads: 'userId'
  votes: 'userId'
  watchHours: 'userId'
}

interface ChannelsTable {
  id: string
  isOpen: Generated<boolean>
  /** Of the queue that was published last; 0 if none was. */
  queueSequence: Generated<number>
  turnBaseMs: Generated<number>
  plannedAt: Date | null
  /** A debt was deleted with its account since the last decision by votes. */
  hasForgottenDebt: Generated<boolean>
}

interface DecisionsTable {
  requestId: string
  channelId: string
  sequence: number
  currency: Currency
  startsAt: Date
  decidedAt: Date
  earlier: JSONColumnType<{ requestId: string; currency: Currency; startsAtMs: number }[]>
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

/** The number of likes of each video that somebody has liked, with what events say of the video. */
interface LikedVideosTable {
  videoId: string
  likeCount: Generated<number>
  version: Generated<number>
  isPublic: Generated<boolean>
  removedAt: Date | null
  /** The number was not published yet. */
  isChanged: Generated<boolean>
}

interface LikesTable {
  userId: string
  videoId: string
  likedAt: Date
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
  likeAttempts: Generated<number>
  likeAttemptsSince: Date | null
  showsRequests: Generated<boolean>
}

interface QueueBodiesTable {
  channelId: string
  sequence: number
  body: Buffer
  createdAt: Date
}

interface QueueChangesTable {
  channelId: string
  id: GeneratedAlways<number>
}

/** How many reactions a gateway has received during an airing. */
interface ReactionsTable {
  channelId: string
  airingId: string
  gateway: string
  counts: JSONColumnType<ReactionCounts>
  /** The sum of `counts`. */
  total: number
  beganAt: Date
  /** The numbers after each step of ten seconds since `beganAt`, by the number of the step. */
  pace: ColumnType<Record<string, ReactionCounts>, string | undefined, string>
}

interface ReceiptsTable {
  requestId: string
  body: Buffer
  digest: string
  decidedAt: Date
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
  plannedAt: Date | null
  blockedRule: string | null
  blockedUntil: Date | null
  airedAt: Date | null
  airingId: string | null
  currency: Currency | null
  endedByStaff: Generated<boolean>
  movedFrom: Date | null
}

export type StoredState = 'waiting' | 'aired' | 'refused' | 'withdrawn'

/** Projection of auth's restrictions of type `restricted`. */
interface RestrictedUsersTable {
  restrictionId: string
  userId: string
  expiresAt: Date | null
}

export interface TurnAccountsTable {
  channelId: string
  userId: string
  loadMs: number
  isWaiting: boolean
}

interface VoteLoadsTable {
  channelId: string
  userId: string
  load: number
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
