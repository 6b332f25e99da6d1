import type { ChannelPlaylistItem } from '@looptide/contracts/http/channels'
import { decodeCursor, encodeCursor } from '@looptide/service-kit/http/cursor'
import type { Store } from '../db/schema.ts'
import { listItems } from './playlist-repository.ts'
import { presentItem } from './playlist-service.ts'

/** A page of a channel's playlist. Its positions are indexes from 0; the stored positions are sort keys with gaps. */
export async function playlistPage(
  db: Store,
  channelId: string,
  { limit = 100, cursor }: { limit?: number; cursor?: string },
): Promise<{ items: ChannelPlaylistItem[]; nextCursor: string | null }> {
  const [firstIndex, position, id] =
    cursor === undefined ? [0, 0, ''] : decodeCursor(cursor, ['number', 'number', 'string'])
  const after = cursor === undefined ? null : { position, id }
  const { items, videos } = await listItems(db, channelId, after, limit)
  const page = items.slice(0, limit)
  const last = page.at(-1)
  return {
    items: page.map((item, index) => presentItem(item, firstIndex + index, videos.get(item.videoId))),
    nextCursor:
      items.length > limit && last !== undefined
        ? encodeCursor([firstIndex + page.length, last.position, last.id])
        : null,
  }
}
