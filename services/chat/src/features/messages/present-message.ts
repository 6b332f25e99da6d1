import type { Role } from '@looptide/contracts/common'
import type { ChatMessage } from '@looptide/contracts/http/chat'
import { may } from '@looptide/contracts/permissions'
import type { MessageRow } from './message-repository.ts'

/** A message as viewers see it, with its author's current profile. */
export const presentMessage = (row: MessageRow, role: Role): ChatMessage => ({
  id: row.id,
  channelId: row.channelId,
  seq: row.seq,
  userId: row.userId,
  author: {
    handle: row.handle,
    artistName: row.artistName,
    role: may(role, 'chat:moderate') ? role : 'user',
  },
  message: row.message,
  createdAt: row.createdAt.toISOString(),
  ...(row.poll != null && { poll: row.poll }),
})
