import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { baseEnv } from '../base-env.ts'
import { withClient } from '../database/set-up.ts'
import { Failure } from '../failure.ts'
import { unpackedRoot } from '../paths.ts'
import type { ProcessSpec } from '../process-spec.ts'
import { obtain } from '../programs/obtain.ts'
import { findPostgresVersion, findProgram, type Program } from '../programs/programs.ts'
import { type Account, canEnter, unprivilegedAccount } from '../programs/run-as.ts'
import { containerSpec } from './docker.ts'

export interface BackingOptions {
  dataDir: string
  port: number
  password: string
  say: (text: string) => void
}

const administrator = 'looptide'
const WRONG_PASSWORD = '28P01'

/** Our own Postgres on loopback, with a password; each commit is on disk before it is acknowledged. */
export async function postgresSpec(options: BackingOptions): Promise<{ spec: ProcessSpec; url: string }> {
  const { port, password } = options
  const url = `postgres://${administrator}:${password}@127.0.0.1:${port}/postgres`
  const ready = () =>
    withClient(url, async (client) => void (await client.query('SELECT 1'))).catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === WRONG_PASSWORD)
        throw new Failure(
          `The Postgres data in ${options.dataDir} was created with another secrets.json: put that one back, or set LOOPTIDE_DATA to a new folder.`,
        )
      throw error
    })
  const means = await obtain('postgres', options.say)
  if (means.kind === 'docker') {
    const env = { POSTGRES_USER: administrator, POSTGRES_PASSWORD: password, POSTGRES_DB: 'postgres' }
    const common = { name: 'postgres', image: means.image, dataDir: options.dataDir, env, ready }
    const spec = containerSpec({ ...common, mountAt: '/var/lib/postgresql/data', port, innerPort: 5432 })
    return { spec: { ...spec, stopSignal: 'SIGINT' }, url }
  }
  const account = unprivilegedAccount()
  const folder = dataFolder(options, account)
  const server = prepareCluster(folder, means.program, account, password)
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'fsync=on',
    'max_connections=200',
    'password_encryption=scram-sha-256',
  ]
  return {
    url,
    spec: {
      name: 'postgres',
      command: server.path,
      args: ['-D', folder, ...settings.flatMap((setting) => ['-c', setting])],
      env: { ...baseEnv(), ...server.env },
      cwd: '/',
      account,
      ready,
      // SIGTERM would wait for every client to disconnect; SIGINT ends sessions and writes a checkpoint.
      stopSignal: 'SIGINT',
      stopTimeoutMs: 30_000,
    },
  }
}

/** Below the data folder, or elsewhere when Postgres's account cannot access it, as below /root. */
function dataFolder(options: BackingOptions, account: Account | undefined): string {
  if (canEnter(options.dataDir, account)) return join(options.dataDir, 'postgres')
  const key = createHash('sha256').update(options.dataDir).digest('hex').slice(0, 16)
  const parent = join('/var/lib/looptide', key)
  mkdirSync(parent, { recursive: true, mode: 0o755 })
  const folder = join(parent, 'postgres')
  options.say(
    `Postgres runs as "${account?.name}", who cannot enter ${options.dataDir}: its data is in ${folder}.`,
  )
  return folder
}

/** Creates the cluster if there is none, and finds the Postgres version that can read it. */
function prepareCluster(
  folder: string,
  program: Program,
  account: Account | undefined,
  password: string,
): Program {
  const versionFile = join(folder, 'PG_VERSION')
  if (!existsSync(versionFile)) {
    initialise(folder, account, password)
    return program
  }
  const version = readFileSync(versionFile, 'utf8').trim()
  const matching = findPostgresVersion(version, unpackedRoot)
  if (matching === undefined) {
    throw new Failure(
      `The data in ${folder} was written by Postgres ${version}, which is not on this machine: install it, or set LOOPTIDE_DATA to a new folder.`,
    )
  }
  return matching
}

/** Created beside its final place and renamed when complete: an interrupted start leaves no partial cluster. */
function initialise(folder: string, account: Account | undefined, password: string): void {
  const initdb = findProgram('initdb', unpackedRoot)
  if (initdb === undefined) {
    throw new Failure('Postgres is installed but its initdb is not: install the package "postgresql".')
  }
  const draft = `${folder}.new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true, mode: 0o700 })
  const passwordFolder = mkdtempSync(join(tmpdir(), 'looptide-initdb-'))
  const passwordFile = join(passwordFolder, 'password')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (account !== undefined) {
    for (const path of [draft, passwordFolder, passwordFile]) chownSync(path, account.uid, account.gid)
  }
  const options = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C.UTF-8', '--data-checksums']
  const { status, stderr } = spawnSync(
    initdb.path,
    ['-D', draft, '-U', administrator, `--pwfile=${passwordFile}`, ...options],
    {
      cwd: '/',
      env: { ...baseEnv(), ...initdb.env },
      encoding: 'utf8',
      ...(account === undefined ? {} : { uid: account.uid, gid: account.gid }),
    },
  )
  rmSync(passwordFolder, { recursive: true, force: true })
  if (status !== 0) {
    throw new Failure(`Postgres could not create its data folder: ${stderr?.trim().split('\n').at(-1)}`)
  }
  renameSync(draft, folder)
}
