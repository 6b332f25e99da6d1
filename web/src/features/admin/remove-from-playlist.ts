import { api } from '../../lib/clients.ts'

/** Removes items from a channel's playlist in one request and returns the number of removed items. */
export async function removeFromPlaylist(channelId: string, itemIds: readonly string[]): Promise<number> {
  const { removed } = await api.call('DELETE /api/channels/:id/playlist', {
    params: { id: channelId },
    body: { itemIds: [...itemIds] },
  })
  return removed
}
