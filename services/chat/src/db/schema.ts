import type { RestrictionType } from '@looptide/contracts/common'
import type { AppealOutcome, CaseDecision, ReportReason } from '@looptide/contracts/http/chat-cases'
import type { HeldReason, HeldState } from '@looptide/contracts/http/held-messages'
import type { PollResult } from '@looptide/contracts/http/polls'
import type { WordEntry } from '@looptide/contracts/http/word-list'
import type { EventTables } from '@looptide/service-kit/db/event-tables'
import type { Generated, JSONColumnType } from 'kysely'

export interface Database extends EventTables {
  channels: ChannelsTable
  chatters: ChattersTable
  heldMessages: HeldMessagesTable
  liveChatMessages: LiveChatMessagesTable
  messageReports: MessageReportsTable
  profiles: ProfilesTable
  reportCases: ReportCasesTable
  restrictions: RestrictionsTable
  wordList: WordListTable
}

/** Columns of users, and ids that no foreign key checks: `tables.ts` says what they refer to. */
export interface NotedColumns {
  channels: never
  chatters: 'userId'
  heldMessages: 'userId' | 'clientId'
  liveChatMessages: 'userId' | 'clientId' | 'removedBy'
  messageReports: 'reporterUserId'
  profiles: 'userId'
  reportCases: 'channelId' | 'messageId' | 'authorUserId' | 'decidedBy' | 'outcomeBy'
  restrictions: 'userId'
  wordList: never
}

/** Projection of the scheduler's channels, with the sequence number of each channel's last message. */
interface ChannelsTable {
  id: string
  lastSeq: Generated<number>
  /** Seconds a viewer waits between two messages; 0 is off. */
  slowModeS: Generated<number>
  isDeleted: Generated<boolean>
  /** `aggregateVersion` of the last event applied. */
  version: number
}

/** Messages that wait for a moderator, and those of the last day that one has decided about. */
export interface HeldMessagesTable {
  id: string
  channelId: string
  userId: string
  clientId: string
  message: string
  reason: HeldReason
  state: HeldState
  heldAt: Date
}

export interface LiveChatMessagesTable {
  id: string
  channelId: string
  seq: number
  userId: string
  clientId: string
  message: string
  createdAt: Date
  isDeleted: Generated<boolean>
  removedAt: Date | null
  removedBy: string | null
  /** The message is the result of this poll. */
  poll: JSONColumnType<PollResult> | null
}

/** The rate-limit bucket of a user in a channel, see features/messages/rate-limit.ts. */
interface ChattersTable {
  channelId: string
  userId: string
  tokens: number
  postedAt: Date
}

/** Projection of auth's profiles. */
interface ProfilesTable {
  userId: string
  handle: string | null
  artistName: string | null
  version: number
  /** When the account was created; null for one from before the chat kept that. */
  registeredAt: Date | null
  /** Enough messages of the account have stood, see features/messages/rate-limit.ts. */
  isEstablished: Generated<boolean>
}

/** Projection of auth's restrictions. A lifted one is kept, so that an older event cannot restore it. */
export interface RestrictionsTable {
  id: string
  userId: string
  restrictionType: RestrictionType
  expiresAt: Date | null
  isLifted: boolean
}

/** The word list of the station. One row at most. */
interface WordListTable {
  onlyRow: Generated<boolean>
  entries: JSONColumnType<WordEntry[]>
  /** How often the list was changed. */
  version: number
}

/** One per account and reported message. */
interface MessageReportsTable {
  caseId: string
  reporterUserId: string
  reason: ReportReason
  text: string | null
  reportedAt: Date
}

/** A reported message, with its text as evidence, what moderators have decided, and the author's appeal. */
export interface ReportCasesTable {
  id: string
  channelId: string
  messageId: string
  seq: number
  authorUserId: string
  message: string
  postedAt: Date
  openedAt: Date
  state: 'open' | 'decided' | 'appealed' | 'closed'
  decision: CaseDecision | null
  /** What the moderator has written for the author. */
  reason: string | null
  decidedAt: Date | null
  decidedBy: string | null
  appeal: string | null
  appealedAt: Date | null
  outcome: AppealOutcome | null
  outcomeBy: string | null
}
