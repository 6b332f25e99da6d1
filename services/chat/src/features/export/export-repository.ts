import type { Db } from '@looptide/service-kit/db/db'
import type { Database, LiveChatMessagesTable } from '../../db/schema.ts'

/** Messages of a page of an export. */
export const EXPORT_PAGE_SIZE = 1000

export type ExportedRow = Pick<
  LiveChatMessagesTable,
  'id' | 'channelId' | 'message' | 'createdAt' | 'removedAt'
>

/** One page of a user's messages for an export, removed ones included, and one more row if there is a next page. */
export const messagesOf = (db: Db<Database>, userId: string, afterId: string): Promise<ExportedRow[]> =>
  db
    .selectFrom('liveChatMessages')
    .select(['id', 'channelId', 'message', 'createdAt', 'removedAt'])
    .where('userId', '=', userId)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(EXPORT_PAGE_SIZE + 1)
    .execute()
