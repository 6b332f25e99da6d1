import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { withClient } from '@looptide/backing/database/set-up'
import { repositoryRoot } from '@looptide/backing/paths'
import { jetstreamManager } from '@looptide/service-kit/events/nats-client'
import { fault } from '../exit-codes.ts'
import { required, type Settings } from '../settings.ts'
import { DUMP_FILE, digestOf, EVENTS_FILE, type Manifest, writeArchive, writeLines } from './archive.ts'
import { pickMoment } from './moment.ts'
import { connectToStreams } from './nats-access.ts'
import { dump } from './postgres-tools.ts'
import { readFloors, readUndelivered } from './undelivered.ts'

/** Contents and size of a backup. */
export interface TakenBackup {
  path: string
  bytes: number
  takenAt: string
  events: number
}

/**
 * Writes one instant of the running station to `path`: the databases of all services, and the events that were not
 * yet consumed. Throws when the file exists.
 */
export async function takeBackup(
  path: string,
  settings: Settings,
  recipients: readonly string[] = [],
): Promise<TakenBackup> {
  const target = resolve(path)
  if (existsSync(target)) throw fault(`${target} exists: a backup is never overwritten.`)
  const databaseUrl = required(settings.databaseUrl, 'DATABASE_URL')
  // Beside the target: a full disk fails before a file with the final name exists.
  const folder = await mkdtemp(join(dirname(target), '.looptide-backup-'))
  const nats = await connectToStreams(settings)
  try {
    const manager = await jetstreamManager(nats)
    const floors = await readFloors(manager)
    const moment = await pickMoment(databaseUrl, manager)
    const takenAt = new Date().toISOString()
    try {
      await dump(databaseUrl, moment.snapshotId, join(folder, DUMP_FILE))
    } finally {
      await moment.release()
    }
    const events = await readUndelivered(manager, floors, moment.lastSeq)
    await writeLines(join(folder, EVENTS_FILE), events)
    const manifest = await describe(folder, { takenAt, events: events.length, databaseUrl })
    await writeArchive(target, folder, manifest, recipients)
    return { path: target, bytes: (await stat(target)).size, takenAt, events: events.length }
  } finally {
    await nats.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function describe(
  folder: string,
  facts: { takenAt: string; events: number; databaseUrl: string },
): Promise<Manifest> {
  const { version } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as {
    version: string
  }
  const postgres = await withClient(facts.databaseUrl, async (client) => {
    const { rows } = await client.query<{ server_version: string }>('SHOW server_version')
    return rows[0]?.server_version ?? ''
  })
  return {
    format: 2,
    product: 'looptide',
    version,
    takenAt: facts.takenAt,
    postgres,
    events: facts.events,
    files: {
      [DUMP_FILE]: await digestOf(join(folder, DUMP_FILE)),
      [EVENTS_FILE]: await digestOf(join(folder, EVENTS_FILE)),
    },
  }
}
