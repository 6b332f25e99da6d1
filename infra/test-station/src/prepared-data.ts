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
  'packages/contracts/src',
  'packages/service-kit/src',
  'packages/backing/src',
  'infra/runner/src',
  'web/public/test-card/index.json',
]
/** Longest wait for another process that creates the data, in ms. */
const WAIT_MS = 120_000
/** Prefix of this checkout's folders. */
const prefix = `looptide-prepared-${createHash('sha256').update(repositoryRoot).digest('hex').slice(0, 12)}-`

/** An account with a password. */
interface Account {
  email: string
  password: string
}

/** What a new station's folder is copied from: secrets, stores, and the steps of the first start that are done. */
const COPIED = ['secrets.json', 'milestones.json', 'postgres', 'nats'] as const

/**
 * Copies a database with the demo library and the first admin, a NATS store with all streams, and their secrets into a new
 * station's folder. Creating them takes half of a station's start, so the first test station of a checkout does it and the
 * others copy the files. Does nothing and returns false if the stores run in containers, whose files are not accessible.
 */
export async function copyPreparedData(dataDir: string, admin: Account): Promise<boolean> {
  if (hasDocker()) return false
  const name = prefix + stampOf(sources.map((source) => join(repositoryRoot, source))).slice(0, 12)
  const folder = join(tmpdir(), name)
  await buildOnce({
    lock: `${folder}.lock`,
    isBuilt: () => existsSync(folder),
    build: () => create(folder, admin),
    signal: AbortSignal.timeout(WAIT_MS),
  })
  // `cp -a` keeps the owner of Postgres's files, which Node's `cp` does not.
  await promisify(execFile)('cp', ['-a', ...COPIED.map((name) => join(folder, name)), dataDir])
  return true
}

/** Prepares the data in another folder and then moves it, so that an interrupted run leaves nothing incomplete. */
async function create(folder: string, { email, password }: Account): Promise<void> {
  await removeOutdated(basename(folder))
  const draft = `${folder}.new`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft)
  const station = await startStation({
    dataDir: draft,
    ports: { gateway: await freePort(), mailWeb: await freePort() },
    quiet: true,
    tether: true,
    prepareOnly: true,
    env: { LOOPTIDE_ADMIN_EMAIL: email, LOOPTIDE_ADMIN_PASSWORD: password },
  })
  await station.stop()
  await chmod(draft, 0o711)
  await rename(draft, folder)
}

/** Removes the data of earlier versions of this checkout. */
async function removeOutdated(current: string): Promise<void> {
  const names = await readdir(tmpdir())
  const outdated = names.filter((name) => name.startsWith(prefix) && !name.startsWith(current))
  await Promise.all(outdated.map((name) => rm(join(tmpdir(), name), { recursive: true, force: true })))
}
