import type { Db } from '@looptide/service-kit/db/db'
import type { Database, LiveChatMessagesTable } from '../../db/schema.ts'

/** Messages of a page. */
export const PAGE_SIZE = 1000

export type ExportedRow = Pick<
  LiveChatMessagesTable,
  'id' | 'channelId' | 'message' | 'createdAt' | 'removedAt'
>

/** One page of messages, removed ones included, and one more row if there is a next page. */
export const messagesOf = (db: Db<Database>, userId: string, afterId: string): Promise<ExportedRow[]> =>
  db
    .selectFrom('liveChatMessages')
    .select(['id', 'channelId', 'message', 'createdAt', 'removedAt'])
    .where('userId', '=', userId)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(PAGE_SIZE + 1)
    .execute()
