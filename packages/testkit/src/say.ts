import { randomUUID } from 'node:crypto'
import type { ChatMessage } from '@looptide/contracts/http/chat'
import { clientOf } from './client.ts'

/** Posts a chat message as the user of this access token. Throws if it is held for a moderator. */
export async function say(
  url: string,
  token: string,
  { channelId, message }: { channelId: string; message: string },
): Promise<ChatMessage> {
  const posted = await clientOf(url, token).call('POST /api/chat/channels/:id/messages', {
    params: { id: channelId },
    body: { clientId: randomUUID(), message },
  })
  if ('heldId' in posted) throw new Error(`held: ${message}`)
  return posted
}
