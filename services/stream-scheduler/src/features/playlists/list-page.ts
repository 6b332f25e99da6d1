import type { ChannelPlaylistItem } from '@looptide/contracts/http/channels'
import { decodeCursor, encodeCursor } from '@looptide/service-kit/cursor'
import type { Store } from '../../db/schema.ts'
import { listItems } from './playlist-repository.ts'
import { presentItem } from './playlist-service.ts'

/** A page of a channel's playlist. Positions are ranks, counted from 0; stored places have gaps. */
export async function playlistPage(
  db: Store,
  channelId: string,
  { limit = 100, cursor }: { limit?: number; cursor?: string },
): Promise<{ items: ChannelPlaylistItem[]; nextCursor: string | null }> {
  const [rank, position, id] =
    cursor === undefined ? [0, 0, ''] : decodeCursor(cursor, ['number', 'number', 'string'])
  const after = cursor === undefined ? null : { position, id }
  const { items, videos } = await listItems(db, channelId, after, limit)
  const shown = items.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map((item, index) => presentItem(item, rank + index, videos.get(item.videoId))),
    nextCursor:
      items.length > limit && last !== undefined
        ? encodeCursor([rank + shown.length, last.position, last.id])
        : null,
  }
}
