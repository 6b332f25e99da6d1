import { readFile } from 'node:fs/promises'
import { DEFAULT_BRAND } from '@looptide/contracts/brand'
import { idFromName } from '@looptide/service-kit/ids'
import { appendEvent } from '@looptide/service-kit/outbox'
import type { Kysely } from 'kysely'
import type { Database, Trx } from '../db/schema.ts'
import { insertChannel, type NewChannel } from '../features/channels/channel-repository.ts'
import { insertItems } from '../features/playlists/playlist-repository.ts'
import { DEFAULT_CHANNEL_ID } from '../timeline/rules.ts'
import { setStatus } from '../timeline/stream-status.ts'

/** The channel that plays without the internet: clips that are shipped with the project. */
export const TEST_CARD_CHANNEL_ID = 'test-card'

/** File names of the shipped clips, in the order of their index. */
export async function readTestCardFiles(folder: URL): Promise<string[]> {
  const index: unknown = JSON.parse(await readFile(new URL('index.json', folder), 'utf8'))
  if (!Array.isArray(index)) throw new Error('the index of the Test Card is not a list')
  return index.map((entry: { file?: unknown }) => {
    if (typeof entry.file !== 'string') throw new Error('an entry of the Test Card index names no file')
    return entry.file
  })
}

/**
 * Makes the channels that are missing, on the air from the first moment. The catalogue need not have been heard
 * yet: its demo seed gives each clip the id made from `demo:<file>`, and the timeline begins when the videos arrive.
 *
 * @returns the ids of the channels that were made
 */
export async function seedDemo(db: Kysely<Database>, testCardFiles: readonly string[]): Promise<string[]> {
  const made: string[] = []
  await db.transaction().execute(async (trx) => {
    const station = channel(DEFAULT_CHANNEL_ID, DEFAULT_BRAND.name, 'Music videos, around the clock.', 1)
    if (await make(trx, station, true)) made.push(station.id)
    const card = channel(
      TEST_CARD_CHANNEL_ID,
      'Test Card',
      'Our own clips, with a clock to check sync by.',
      2,
    )
    if (await make(trx, card, false)) {
      const videoIds = testCardFiles.map((file) => idFromName(`demo:${file}`))
      await insertItems(trx, card.id, videoIds, null)
      made.push(card.id)
    }
  })
  return made
}

const channel = (id: string, name: string, description: string, position: number): NewChannel => ({
  id,
  name,
  description,
  position,
  seed: `demo:${id}`,
  createdBy: null,
})

/** Answers false when the channel is there already. */
async function make(trx: Trx, facts: NewChannel, shuffleEnabled: boolean): Promise<boolean> {
  const row = await insertChannel(trx, { ...facts, shuffleEnabled })
  if (row === undefined) return false
  const { id, name, isActive } = row
  await appendEvent(trx, 'stream.channel.created.v1', id, { channelId: id, name, isActive })
  await setStatus(trx, row, 'live', {})
  return true
}
