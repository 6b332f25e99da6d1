import { execFileSync, spawnSync } from 'node:child_process'
import { Failure } from '../failure.ts'
import { unpackedRoot } from '../paths.ts'
import { installWithApt, unpackWithApt } from './apt.ts'
import {
  findProgram,
  findUnpacked,
  isSince,
  type Program,
  type ProgramName,
  programVersion,
  type Version,
} from './programs.ts'

/** How a store can be run on this machine. */
export type Means = { kind: 'program'; program: Program } | { kind: 'docker'; image: string }

type Say = (text: string) => void

interface Backing {
  label: string
  /** Setting that replaces it by the operator's server; undefined: only tests start it. */
  variable?: string
  apt: string
  brew: string
  image: string
  /** The oldest usable version, and the first Debian release that has it. */
  oldest?: { version: Version; debian: string }
  /** Unpacked, not installed, also by root. */
  isUnpacked?: true
}

const backings: Record<ProgramName, Backing> = {
  postgres: {
    label: 'Postgres',
    variable: 'DATABASE_URL',
    apt: 'postgresql',
    brew: 'postgresql@17',
    image: 'postgres:17',
  },
  initdb: {
    label: 'Postgres',
    variable: 'DATABASE_URL',
    apt: 'postgresql',
    brew: 'postgresql@17',
    image: 'postgres:17',
  },
  'redis-server': {
    label: 'Redis',
    variable: 'REDIS_URL',
    apt: 'redis-server',
    brew: 'redis',
    image: 'redis:7',
  },
  'nats-server': {
    label: 'NATS',
    variable: 'NATS_URL',
    apt: 'nats-server',
    brew: 'nats-server',
    image: 'nats:2',
    // After a power cut 2.9 may write new messages where it cannot read them, and then drops them (docs/faults.md).
    oldest: { version: [2, 10], debian: 'trixie' },
  },
  clamd: {
    label: 'ClamAV',
    apt: 'clamav-daemon',
    brew: 'clamav',
    image: 'clamav/clamav:1.4_base',
    // Installed, it would download its signatures at the next boot and keep a gigabyte of them in memory.
    isUnpacked: true,
  },
  nginx: { label: 'nginx', apt: 'nginx', brew: 'nginx', image: 'nginx:1.27', isUnpacked: true },
  haproxy: { label: 'HAProxy', apt: 'haproxy', brew: 'haproxy', image: 'haproxy:2.8', isUnpacked: true },
  curl: { label: 'curl', apt: 'curl', brew: 'curl', image: 'curlimages/curl:8.10.1' },
  jq: { label: 'jq', apt: 'jq', brew: 'jq', image: 'ghcr.io/jqlang/jq:1.7.1' },
  python3: { label: 'Python', apt: 'python3', brew: 'python@3.12', image: 'python:3.12-slim' },
}

/**
 * Finds `name` on this machine or downloads it: Debian or Ubuntu packages (installed by root, unpacked below `.local/`
 * by other users), Homebrew, Docker.
 *
 * @throws Failure with a sentence that says what to do
 */
export function obtain(name: ProgramName, say: Say): Promise<Means> {
  // Package managers hold a lock: concurrent calls wait here instead of failing there.
  const mine = queue.then(() => obtainNow(name, say))
  queue = mine.catch(() => {})
  return mine
}

let queue: Promise<unknown> = Promise.resolve()

async function obtainNow(name: ProgramName, say: Say): Promise<Means> {
  const backing = backings[name]
  const installed = findBacking(name)
  if (installed !== undefined) return { kind: 'program', program: installed }
  const attempts = [() => byApt(backing, say), () => byHomebrew(backing, say)]
  for (const attempt of attempts) {
    if (!(await attempt())) continue
    const program = findBacking(name)
    if (program !== undefined) return { kind: 'program', program }
  }
  if (dockerAnswers()) {
    say(`${backing.label} is not installed, using the Docker image ${backing.image}.`)
    return { kind: 'docker', image: backing.image }
  }
  const older = findProgram(name, unpackedRoot)
  if (older !== undefined) {
    const wanted = backing.oldest?.version.join('.')
    say(`Using an old ${backing.label}: version ${wanted} or newer loses no data in a power cut.`)
    return { kind: 'program', program: older }
  }
  const alternative = backing.variable === undefined ? '' : `, or set ${backing.variable} to your own server`
  throw new Failure(
    `${backing.label} is not installed and could not be downloaded: install the package "${backing.apt}"${alternative}.`,
  )
}

/** Programs that are new enough, by path: asking for a version runs the program. */
const recent = new Set<string>()

/** An installed or previously unpacked program of a usable version. */
export function findBacking(name: ProgramName): Program | undefined {
  const { oldest } = backings[name]
  if (oldest === undefined) return findProgram(name, unpackedRoot)
  const candidates = [findProgram(name), findUnpacked(name, unpackedRoot)]
  const found = candidates.find(
    (program) =>
      program !== undefined && (recent.has(program.path) || isSince(programVersion(program), oldest.version)),
  )
  if (found !== undefined) recent.add(found.path)
  return found
}

async function byApt(backing: Backing, say: Say): Promise<boolean> {
  if (!hasCommand('apt-get')) return false
  const { oldest } = backing
  // Not installed if the machine may have an older package that other programs use.
  const isInstalled = process.getuid?.() === 0 && oldest === undefined && backing.isUnpacked !== true
  say(
    `${label(backing)} is not installed, ${isInstalled ? 'installing' : 'unpacking'} the package ${backing.apt} …`,
  )
  try {
    await (isInstalled
      ? installWithApt([backing.apt])
      : unpackWithApt([backing.apt], unpackedRoot, oldest?.debian))
    return true
  } catch (error) {
    say(`That failed: ${error instanceof Error ? error.message : String(error)}`)
    return false
  }
}

const label = ({ label, oldest }: Backing): string =>
  oldest === undefined ? label : `${label} ${oldest.version.join('.')} or newer`

async function byHomebrew(backing: Backing, say: Say): Promise<boolean> {
  if (!hasCommand('brew')) return false
  say(`${backing.label} is not installed, installing ${backing.brew} with Homebrew …`)
  try {
    execFileSync('brew', ['install', '--quiet', backing.brew], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Whether a Docker engine answers, not only its client. */
export function dockerAnswers(): boolean {
  const { status } = spawnSync('docker', ['version', '--format', '{{.Server.Version}}'], {
    stdio: 'ignore',
    timeout: 5000,
  })
  return status === 0
}

function hasCommand(name: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'command -v "$0"', name], { stdio: 'ignore' }).status === 0
}
