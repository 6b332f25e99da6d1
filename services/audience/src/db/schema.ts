import type { RestrictionType } from '@looptide/contracts/common'
import type { QuietHours, ReminderKind, ReminderPhase } from '@looptide/contracts/http/reminders'
import type { ReactionCounts } from '@looptide/contracts/realtime'
import type { Currency } from '@looptide/fairness/ranking'
import type { EventTables } from '@looptide/service-kit/db/event-tables'
import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { PushMessage } from '../features/push/push-message.ts'

export interface PushDeliveriesTable {
  id: string
  subscriptionId: string
  startId: string
  payload: JSONColumnType<PushMessage>
  attempts: Generated<number>
  nextAttemptAt: Date
  expiresAt: Date
}

export interface PushSubscriptionsTable {
  id: string
  userId: string
  endpoint: string
  host: string
  p256dh: string
  auth: string
  isDeclarative: boolean
  deviceName: string | null
  createdAt: Date
  lastUsedAt: Date | null
  sessionId: string | null
}

interface ReminderChannelsTable {
  channelId: string
  name: string
  knownVersion: Generated<number>
  wantedVersion: Generated<number>
  refreshAt: Date
}

interface ReminderSettingsTable {
  userId: string
  mail: Generated<boolean>
  quietHours: JSONColumnType<QuietHours> | null
}

export interface ReminderStartsTable {
  id: string
  reminderId: string
  startsAt: Date
  title: string
  programmeId: string | null
  videoId: string | null
  phase: ReminderPhase | null
  dueAt: Date | null
  sent: Generated<ReminderPhase[]>
}

export interface RemindersTable {
  id: string
  userId: string
  channelId: string
  kind: ReminderKind
  ref: string
  title: string
  videoId: string | null
  minutesBefore: number
  createdAt: Date
}

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
  title: string | null
  artistName: string | null
  attendance: ColumnType<object, string | undefined, string>
  joins: number | null
  leaves: number | null
  reactionCount: Generated<number>
  requests: Generated<number>
}

export interface Database extends EventTables {
  airings: AiringsTable
  channels: ChannelsTable
  decisions: DecisionsTable
  exclusions: ExclusionsTable
  likedVideos: LikedVideosTable
  likes: LikesTable
  networks: NetworksTable
  pollChanges: PollChangesTable
  pollVotes: PollVotesTable
  polls: PollsTable
  profiles: ProfilesTable
  pushDeliveries: PushDeliveriesTable
  pushSubscriptions: PushSubscriptionsTable
  queueBodies: QueueBodiesTable
  queueChanges: QueueChangesTable
  reactions: ReactionsTable
  receipts: ReceiptsTable
  reminderChannels: ReminderChannelsTable
  reminderSettings: ReminderSettingsTable
  reminderStarts: ReminderStartsTable
  reminders: RemindersTable
  requests: RequestsTable
  restrictedUsers: RestrictedUsersTable
  turnAccounts: TurnAccountsTable
  voteChanges: VoteChangesTable
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
  pollChanges: never
  pollVotes: 'userId'
  polls: 'airingId' | 'askedBy'
  profiles: 'userId'
  pushDeliveries: 'startId'
  pushSubscriptions: 'userId' | 'sessionId'
  queueBodies: never
  queueChanges: never
  reactions: 'channelId' | 'airingId'
  receipts: never
  reminderChannels: 'channelId'
  reminderSettings: 'userId'
  reminderStarts: 'programmeId' | 'videoId'
  reminders: 'userId' | 'channelId' | 'videoId'
  requests: 'userId' | 'videoId' | 'airingId'
  restrictedUsers: 'restrictionId' | 'userId'
  turnAccounts: 'userId'
  voteChanges: never
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

/** Votes in polls since the poll was counted. */
interface PollChangesTable {
  pollId: string
  id: GeneratedAlways<number>
}

export interface PollsTable {
  id: string
  channelId: string
  airingId: string | null
  question: string
  answers: string[]
  /** Votes for each answer, as they were published last. */
  counts: number[]
  askedBy: string
  askedAt: Date
  closesAt: Date
  closedAt: Date | null
  version: Generated<number>
}

interface PollVotesTable {
  pollId: string
  userId: string
  /** Index of the answer. */
  answer: number
  /** Of the first vote of the account. */
  votedAt: Date
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
  reminderAttempts: Generated<number>
  reminderAttemptsSince: Date | null
  pollAttempts: Generated<number>
  pollAttemptsSince: Date | null
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

/** Projection of auth's restrictions. */
export interface RestrictedUsersTable {
  restrictionId: string
  userId: string
  expiresAt: Date | null
  restrictionType: Generated<RestrictionType>
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

/** Requests whose votes have changed since they were counted. */
interface VoteChangesTable {
  requestId: string
  id: GeneratedAlways<number>
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
