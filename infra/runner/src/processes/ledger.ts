import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { identify, isSame, type ProcessIdentity } from './process-identity.ts'

type Entry = ProcessIdentity & { name: string; stopSignal: NodeJS.Signals }

const pollEveryMs = 50

/** List of the running processes on disk, so that the next start can clean up after a killed runner. */
export class Ledger {
  readonly #path: string
  readonly #entries = new Map<number, Entry>()

  constructor(dataDir: string) {
    this.#path = join(dataDir, 'processes.json')
  }

  add(name: string, pid: number, stopSignal: NodeJS.Signals): void {
    const identity = identify(pid)
    if (identity === undefined) return
    this.#entries.set(pid, { ...identity, name, stopSignal })
    this.#write()
  }

  remove(pid: number): void {
    if (this.#entries.delete(pid)) this.#write()
  }

  /**
   * Stops processes that a killed runner left: only those whose pid and start time are as recorded.
   *
   * @param graceMs time before a process is killed
   * @returns the names of the stopped processes
   */
  async stopLeftovers(graceMs: number): Promise<string[]> {
    const left = this.#read().filter(isSame)
    for (const entry of left) signal(entry, entry.stopSignal)
    const deadline = performance.now() + graceMs
    while (left.some(isSame) && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, pollEveryMs))
    }
    for (const entry of left) signal(entry, 'SIGKILL')
    rmSync(this.#path, { force: true })
    return left.map((entry) => entry.name)
  }

  #read(): Entry[] {
    try {
      return JSON.parse(readFileSync(this.#path, 'utf8')) as Entry[]
    } catch {
      return []
    }
  }

  #write(): void {
    const temporary = `${this.#path}.${process.pid}`
    try {
      writeFileSync(temporary, JSON.stringify([...this.#entries.values()], null, 2))
      renameSync(temporary, this.#path)
    } catch {
      // A full disk must not keep the station from being stopped.
      rmSync(temporary, { force: true })
    }
  }
}

function signal(entry: Entry, name: NodeJS.Signals): void {
  if (!isSame(entry)) return
  try {
    process.kill(entry.pid, name)
  } catch {
    // It ended between the check and the signal.
  }
}
