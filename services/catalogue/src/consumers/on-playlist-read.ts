import type { Envelope } from '@looptide/contracts/events'
import type { CatalogueTrx } from '../db/schema.ts'
import { applyReading } from '../features/followed-lists/apply-reading.ts'

/** Adds the new items of a followed list. */
export const onPlaylistRead =
  (checkMinutes: number) =>
  async (trx: CatalogueTrx, envelope: Envelope<'metadata.playlist.read.v1'>): Promise<void> =>
    applyReading(trx, envelope, checkMinutes)
