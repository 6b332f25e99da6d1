import { readFile } from 'node:fs/promises'
import { idFromName } from '@looptide/service-kit/ids'
import { pause } from '@looptide/service-kit/nats'
import type { Kysely } from 'kysely'
import type { Database, Trx } from '../db/schema.ts'
import type { NewChannel } from '../features/channels/channel-repository.ts'
import { defaultChannel, makeChannel } from '../features/channels/default-channel.ts'
import { insertItems } from '../features/playlists/playlist-repository.ts'
import { setStatus } from '../timeline/stream-status.ts'
import { lockChannel } from '../timeline/timeline-repository.ts'

/** The channel that plays without the internet: clips that are shipped with the project. */
export const TEST_CARD_CHANNEL_ID = 'test-card'

const testCard: NewChannel = {
  id: TEST_CARD_CHANNEL_ID,
  name: 'Test Card',
  description: 'Our own clips, with a clock to check sync by.',
  position: 2,
  seed: `demo:${TEST_CARD_CHANNEL_ID}`,
  createdBy: null,
}

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
 * Makes the channels that are missing and puts those on the air that never were. The catalogue need not have been heard
 * yet: its demo seed gives each clip the id made from `demo:<file>`, and the timeline begins when the videos arrive.
 *
 * @returns the ids of the channels that went on the air
 */
export async function seedDemo(db: Kysely<Database>, testCardFiles: readonly string[]): Promise<string[]> {
  const started: string[] = []
  await db.transaction().execute(async (trx) => {
    if (await putOnAir(trx, defaultChannel)) started.push(defaultChannel.id)
    if (await putOnAir(trx, testCard)) {
      const videoIds = testCardFiles.map((file) => idFromName(`demo:${file}`))
      await insertItems(trx, testCard.id, videoIds, null)
      started.push(testCard.id)
    }
  })
  return started
}

const LOOK_EVERY_MS = 50

/**
 * Resolves with true when each of these channels has been planned: the scheduler runs, and has heard of what they
 * play. With false after `mostMs`.
 */
export async function untilPlanned(
  db: Kysely<Database>,
  channelIds: readonly string[],
  mostMs: number,
): Promise<boolean> {
  const late = AbortSignal.timeout(mostMs)
  const unplanned = db
    .selectFrom('channels')
    .select('id')
    .where('id', 'in', channelIds)
    .where('endsAtMs', 'is', null)
  while (channelIds.length > 0 && (await unplanned.execute()).length > 0) {
    if (late.aborted) return false
    await pause(LOOK_EVERY_MS, late)
  }
  return true
}

/** What a channel's first programme will be numbered: see the schema. */
const FIRST_SEQ = 1

/** Answers false when the channel has been on the air before: then it is the admins'. */
async function putOnAir(trx: Trx, facts: NewChannel): Promise<boolean> {
  const row = (await makeChannel(trx, facts)) ?? (await lockChannel(trx, facts.id))
  if (row === undefined || row.status !== 'idle' || row.nextSeq > FIRST_SEQ) return false
  await setStatus(trx, row, 'live', {})
  return true
}
