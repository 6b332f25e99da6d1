import type { Envelope } from '@looptide/contracts/events'
import type { ListQueue } from '../followed-lists/list-queue.ts'

/** Queues a reading of a followed list. */
export const onPlaylistRequested =
  (lists: ListQueue) =>
  async (_context: null, envelope: Envelope<'catalogue.playlist.requested.v1'>): Promise<void> => {
    await lists.request(envelope.data)
  }
