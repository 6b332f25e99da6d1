import type { Envelope } from '@looptide/contracts/events'
import type { CatalogueTrx } from '../db/schema.ts'
import { lockList, storeFailure } from '../features/followed-lists/list-repository.ts'
import { cleanText } from '../features/videos/clean-text.ts'

const MAX_MESSAGE_LENGTH = 500

/** Stores why a followed list could not be read, and when it is checked again. */
export const onPlaylistFailed =
  (checkMinutes: number) =>
  async (trx: CatalogueTrx, envelope: Envelope<'metadata.playlist.failed.v1'>): Promise<void> => {
    const { listId, code, message, continuesAtMs } = envelope.data
    const list = await lockList(trx, listId)
    if (list === undefined || list.isPaused) return
    const continuesAt = continuesAtMs === null ? null : new Date(continuesAtMs)
    const problem = { code, message: cleanText(message, MAX_MESSAGE_LENGTH), continuesAt }
    await storeFailure(trx, list, problem, checkMinutes)
  }
