import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../../packages/backing/src/paths.ts'
import type { Step } from './steps.ts'

const tools = join(repositoryRoot, 'node_modules/.bin')
const CHRT = '/usr/bin/chrt'

export interface RunOptions {
  /** Shows the output at once when the step has ended, below its name, instead of passing it on. */
  isQuiet: boolean
  /** Runs the step in the time that the processor has left. */
  isIdle: boolean
  /** Further environment of all steps. */
  env: Readonly<Record<string, string>>
}

/** The processes of the steps that run now. */
const running = new Set<ChildProcess>()

/** Runs a step. Its output goes to the terminal. Returns whether it succeeded. */
export async function runStep(step: Step, { isQuiet, isIdle, env }: RunOptions): Promise<boolean> {
  const [name = '', ...args] = [...(isIdle ? idlePrefix() : []), ...step.command]
  if (!isQuiet) console.log(`\n── ${step.name} ──`)
  const child = spawn(name, args, {
    cwd: repositoryRoot,
    env: { ...process.env, ...env, ...step.env, PATH: [tools, process.env.PATH].join(':') },
    stdio: ['inherit', isQuiet ? 'pipe' : 'inherit', isQuiet ? 'pipe' : 'inherit'],
    detached: isIdle,
  })
  if (isIdle && child.pid !== undefined) yieldAsGroup(child.pid)
  running.add(child)
  let output = ''
  const collect = (text: Buffer): void => {
    output += text.toString()
  }
  child.stdout?.on('data', collect)
  child.stderr?.on('data', collect)
  const ok = await new Promise<boolean>((resolve) => {
    child.once('error', (error) => {
      console.error(`${name}: ${error.message}`)
      resolve(false)
    })
    child.once('close', (code) => resolve(code === 0))
  })
  running.delete(child)
  if (isQuiet) console.log(`\n── ${step.name} ──\n${output.trimEnd()}`)
  return ok
}

/** Command that runs another with the lowest priority: any other process interrupts it at once. */
const idlePrefix = (): string[] => (existsSync(CHRT) ? [CHRT, '--idle', '0'] : ['nice', '-n', '19'])

/**
 * Linux may share the processor among sessions first, and only then, by priority, among the processes of each. This gives
 * the session of a process the smallest share.
 */
function yieldAsGroup(pid: number): void {
  const file = `/proc/${pid}/autogroup`
  try {
    if (existsSync(file)) writeFileSync(file, '19')
  } catch {
    // It has ended, or the kernel has no such groups.
  }
}

/** Ends the running steps, then calls `ended`. A step that does not end in time is killed. */
export function stopSteps(signal: NodeJS.Signals, timeoutMs: number, ended: () => void): void {
  if (running.size === 0) ended()
  for (const child of running) {
    child.once('exit', () => {
      running.delete(child)
      if (running.size === 0) ended()
    })
    child.kill(signal)
  }
  setTimeout(() => {
    for (const child of running) child.kill('SIGKILL')
  }, timeoutMs)
}

/** A file system in memory, on Linux. */
const MEMORY = '/dev/shm'
/** What the stores of all tests need at most, and what the tests need besides, in bytes. */
const STORES = 6 * 1024 ** 3
const PROCESSES = 6 * 1024 ** 3

/**
 * A folder in memory for the temporary files of tests, where syncing a write takes no time: most of them are stores, which
 * sync each write as in production. Undefined if there is too little memory, or programs cannot be run from it. It is
 * removed at the end.
 */
export function memoryFolder(): string | undefined {
  if (process.availableMemory() < STORES + PROCESSES || !isUsable()) return undefined
  const folder = mkdtempSync(join(MEMORY, 'looptide-tests-'))
  // Postgres runs as another user.
  chmodSync(folder, 0o1777)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}

function isUsable(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === MEMORY)
    return mount !== undefined && !mount.includes('noexec') && bavail * bsize >= STORES
  } catch {
    return false
  }
}
