import type { RestrictionType } from '@looptide/contracts/common'
import type { EventTables } from '@looptide/service-kit/event-tables'
import type { Generated } from 'kysely'

export interface ChatDb extends EventTables {
  channels: ChannelsTable
  liveChatMessages: LiveChatMessagesTable
  chatters: ChattersTable
  profiles: ProfilesTable
  restrictions: RestrictionsTable
}

/** Projection of the scheduler's channels, and the counter that numbers each channel's messages. */
export interface ChannelsTable {
  id: string
  lastSeq: Generated<number>
  /** Seconds a viewer waits between two messages; 0 is off. */
  slowModeS: Generated<number>
  isDeleted: Generated<boolean>
  /** `aggregateVersion` of the event it was last told by. */
  version: number
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
}

/** How fast somebody has been writing in a channel: see rate-rule.ts. */
export interface ChattersTable {
  channelId: string
  userId: string
  tokens: number
  postedAt: Date
}

/** Projection of auth's profiles. */
export interface ProfilesTable {
  userId: string
  handle: string | null
  artistName: string | null
  version: number
}

/** Projection of auth's restrictions. A lifted one stays, so that an older event cannot bring it back. */
export interface RestrictionsTable {
  id: string
  userId: string
  restrictionType: RestrictionType
  expiresAt: Date | null
  isLifted: boolean
}
