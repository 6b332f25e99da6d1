import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@looptide/backing/free-port'
import { repositoryRoot } from '@looptide/backing/paths'
import { buildOnce } from '@looptide/runner/build/build-once'
import { stampOf } from '@looptide/runner/build/build-web'
import { stationServices } from '@looptide/runner/processes/services'
import { startStation } from '@looptide/runner/station/station'
import { hasDocker } from '@looptide/testkit/backing'

const sources = [
  ...stationServices.map(({ folder }) => `${folder}/src`),
  'packages/service-kit/src',
  'packages/backing/src',
  'infra/runner/src',
]
/** Longest wait for another process that creates the data, in ms. */
const WAIT_MS = 120_000
/** Prefix of this checkout's folders. */
const prefix = `looptide-migrated-${createHash('sha256').update(repositoryRoot).digest('hex').slice(0, 12)}-`

/**
 * Copies a migrated database and its secrets into a new station's folder. Creating and migrating a database takes a third
 * of a station's start, so the first test station of a checkout does it and the others copy the files. Does nothing and
 * returns false if Postgres runs in a container, whose files are not accessible.
 */
export async function copyMigratedData(dataDir: string): Promise<boolean> {
  if (hasDocker()) return false
  const name = prefix + stampOf(sources.map((source) => join(repositoryRoot, source))).slice(0, 12)
  const folder = join(tmpdir(), name)
  await buildOnce({
    lock: `${folder}.lock`,
    isBuilt: () => existsSync(folder),
    build: () => create(folder),
    signal: AbortSignal.timeout(WAIT_MS),
  })
  // `cp -a` keeps the owner of Postgres's files, which Node's `cp` does not.
  await promisify(execFile)('cp', ['-a', join(folder, 'secrets.json'), join(folder, 'postgres'), dataDir])
  return true
}

/** Migrates a new database in another folder and then moves it, so that an interrupted run leaves nothing incomplete. */
async function create(folder: string): Promise<void> {
  await removeOutdated(basename(folder))
  const draft = `${folder}.new`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft)
  const station = await startStation({
    dataDir: draft,
    ports: { gateway: await freePort(), mailWeb: await freePort() },
    quiet: true,
    tether: true,
    migrateOnly: true,
  })
  await station.stop()
  await chmod(draft, 0o711)
  await rename(draft, folder)
}

/** Removes the databases of earlier versions of this checkout. */
async function removeOutdated(current: string): Promise<void> {
  const names = await readdir(tmpdir())
  const outdated = names.filter((name) => name.startsWith(prefix) && !name.startsWith(current))
  await Promise.all(outdated.map((name) => rm(join(tmpdir(), name), { recursive: true, force: true })))
}
