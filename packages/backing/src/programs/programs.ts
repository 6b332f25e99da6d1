import { spawnSync } from 'node:child_process'
import { accessSync, constants, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** An executable, and variables it needs besides our environment. */
export interface Program {
  path: string
  env: Record<string, string>
}

/** Programs of the stores, and those of the tests: the malware scanner, proxies and HTTP clients. */
export type ProgramName =
  | ('postgres' | 'initdb' | 'redis-server' | 'nats-server')
  | ('clamd' | 'nginx' | 'haproxy' | 'curl' | 'jq' | 'python3')
/** Programs that the operator command and the checks of `k8s/` need. */
export type ToolName = 'pg_dump' | 'pg_restore' | 'kubectl'

type Findable = ProgramName | ToolName

/**
 * Looks for a program on PATH, in the folders of Debian and Homebrew that are not on PATH (for Postgres first in
 * POSTGRES_BIN), and below `unpackedRoot`, where packages were unpacked without being installed.
 */
export function findProgram(name: Findable, unpackedRoot?: string): Program | undefined {
  for (const folder of installedFolders(name)) {
    const path = join(folder, name)
    if (isExecutable(path)) return { path, env: {} }
  }
  return unpackedRoot === undefined ? undefined : findUnpacked(name, unpackedRoot)
}

/** The Postgres server of one major version; only that version can read its data. */
export function findPostgresVersion(version: string, unpackedRoot: string): Program | undefined {
  const candidates = [findProgram('postgres'), ...versionedPostgres(version, unpackedRoot)]
  return candidates.find((program) => program !== undefined && majorVersion(program) === version)
}

function versionedPostgres(version: string, unpackedRoot: string): Program[] {
  const installed = `/usr/lib/postgresql/${version}/bin/postgres`
  const homebrew = [
    `/opt/homebrew/opt/postgresql@${version}/bin/postgres`,
    `/usr/local/opt/postgresql@${version}/bin/postgres`,
  ]
  const programs = [installed, ...homebrew].filter(isExecutable).map((path) => ({ path, env: {} }))
  const unpacked = findUnpacked('postgres', unpackedRoot)
  return unpacked === undefined ? programs : [...programs, unpacked]
}

function majorVersion(program: Program): string | undefined {
  return programVersion(program)?.[0].toString()
}

/** Major and minor version. */
export type Version = readonly [number, number]

/** The version that a program prints with `--version`; undefined if it prints none. */
export function programVersion(program: Program): Version | undefined {
  const { stdout } = spawnSync(program.path, ['--version'], {
    encoding: 'utf8',
    env: { ...process.env, ...program.env },
  })
  const [, major, minor] = /(\d+)\.(\d+)/.exec(stdout ?? '') ?? []
  return major === undefined ? undefined : [Number(major), Number(minor)]
}

/** Whether a version is `oldest` or newer. */
export function isSince(version: Version | undefined, oldest: Version): boolean {
  if (version === undefined) return false
  return version[0] === oldest[0] ? version[1] >= oldest[1] : version[0] > oldest[0]
}

function installedFolders(name: Findable): string[] {
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const usual = [
    '/usr/local/bin',
    '/usr/bin',
    '/usr/sbin',
    '/usr/local/sbin',
    '/opt/homebrew/bin',
    '/opt/homebrew/sbin',
  ]
  const chosen = process.env.POSTGRES_BIN ?? ''
  const postgres = [...(chosen === '' ? [] : [chosen]), ...postgresFolders('')]
  return [...(isPostgres(name) ? postgres : []), ...path, ...usual]
}

/** Looks for a program below the folder where packages were unpacked. */
export function findUnpacked(name: Findable, root: string): Program | undefined {
  const folders = isPostgres(name)
    ? postgresFolders(root)
    : [join(root, 'usr/bin'), join(root, 'usr/sbin'), join(root, 'usr/local/bin')]
  const found = folders.map((folder) => join(folder, name)).find(isExecutable)
  if (found === undefined) return undefined
  return { path: found, env: { LD_LIBRARY_PATH: libraryFolders(root).join(delimiter) } }
}

/** Newest major version first. */
function postgresFolders(root: string): string[] {
  const folders: string[] = []
  const parents = [join(root, '/usr/lib/postgresql')]
  for (const parent of parents) {
    for (const version of readFolder(parent).sort((a, b) => Number(b) - Number(a))) {
      folders.push(join(parent, version, 'bin'))
    }
  }
  if (root === '') {
    for (const prefix of ['/opt/homebrew/opt', '/usr/local/opt']) {
      for (const name of readFolder(prefix)
        .filter((entry) => entry.startsWith('postgresql@'))
        .sort()
        .reverse()) {
        folders.push(join(prefix, name, 'bin'))
      }
    }
  }
  return folders
}

function libraryFolders(root: string): string[] {
  const triplets = readFolder(join(root, 'usr/lib')).filter((entry) => entry.includes('-linux-'))
  return [
    ...triplets.map((triplet) => join(root, 'usr/lib', triplet)),
    join(root, 'usr/lib'),
    ...readFolder(join(root, 'lib')).map((entry) => join(root, 'lib', entry)),
  ]
}

function isPostgres(name: Findable): boolean {
  return name === 'postgres' || name === 'initdb' || name === 'pg_dump' || name === 'pg_restore'
}

function readFolder(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
