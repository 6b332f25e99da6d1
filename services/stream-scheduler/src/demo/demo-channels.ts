import { readFile } from 'node:fs/promises'
import { beginFirstStep } from '@looptide/service-kit/db/first-start'
import { idFromName } from '@looptide/service-kit/db/ids'
import { pause } from '@looptide/service-kit/time/pause'
import type { Kysely } from 'kysely'
import { countUnplanned, type NewChannel } from '../channels/channel-repository.ts'
import { createChannelIfMissing, defaultChannel } from '../channels/default-channel.ts'
import type { DemoChannels } from '../config.ts'
import type { Database, Trx } from '../db/schema.ts'
import { insertItems } from '../playlists/playlist-repository.ts'
import { setStatus } from '../timeline/stream-status.ts'
import { lockChannel } from '../timeline/timeline-repository.ts'

/** The channel that plays without internet access. Its clips are part of the repository. */
const TEST_CARD_CHANNEL_ID = 'test-card'

const testCard: NewChannel = {
  id: TEST_CARD_CHANNEL_ID,
  name: 'Test Card',
  description: 'Our own clips, with a clock to check sync by.',
  position: 2,
  seed: `demo:${TEST_CARD_CHANNEL_ID}`,
  createdBy: null,
}

/** File names of the Test Card clips, in the order of index.json. */
export async function readTestCardFiles(folder: URL): Promise<string[]> {
  const index: unknown = JSON.parse(await readFile(new URL('index.json', folder), 'utf8'))
  if (!Array.isArray(index)) throw new Error('index.json of the Test Card is not a list')
  return index.map((entry: { file?: unknown }) => {
    if (typeof entry.file !== 'string') throw new Error('an entry of index.json of the Test Card has no file')
    return entry.file
  })
}

/**
 * Creates the default channel and the Test Card if they are missing and starts them, once in the life of this database. The
 * videos may be unknown yet: the catalogue's demo seed derives the id of each clip from `demo:<file>`, and the timeline starts
 * when they arrive.
 *
 * @returns the ids of the channels that were started
 */
export async function seedDemo(
  db: Kysely<Database>,
  testCardFiles: readonly string[],
  demoChannels: DemoChannels,
): Promise<string[]> {
  const started: string[] = []
  await db.transaction().execute(async (trx) => {
    if (await startNewChannel(trx, defaultChannel)) started.push(defaultChannel.id)
    if (demoChannels !== 'none' && (await startNewChannel(trx, testCard))) {
      const videoIds = testCardFiles.map((file) => idFromName(`demo:${file}`))
      await insertItems(trx, testCard.id, videoIds, null)
      started.push(testCard.id)
    }
  })
  return started
}

const POLL_INTERVAL_MS = 50

/** Resolves with true when each of these channels has a timeline, or with false after `maxMs`. */
export async function waitUntilPlanned(
  db: Kysely<Database>,
  channelIds: readonly string[],
  maxMs: number,
): Promise<boolean> {
  const timeout = AbortSignal.timeout(maxMs)
  while (channelIds.length > 0 && (await countUnplanned(db, channelIds)) > 0) {
    if (timeout.aborted) return false
    await pause(POLL_INTERVAL_MS, timeout)
  }
  return true
}

/** The sequence number of a channel's first programme. */
const FIRST_SEQ = 1

/**
 * Creates the channel if it is missing and starts it, once in the life of this database: afterwards it stays as admins left
 * it, or deleted. Returns whether it was started.
 */
export async function startNewChannel(trx: Trx, channel: NewChannel): Promise<boolean> {
  if (!(await beginFirstStep(trx, `channel ${channel.id}`))) return false
  const row = (await createChannelIfMissing(trx, channel)) ?? (await lockChannel(trx, channel.id))
  if (row === undefined || row.status !== 'idle' || row.nextSeq > FIRST_SEQ) return false
  await setStatus(trx, row, 'live', {})
  return true
}
