import { readFileSync } from 'node:fs'

/** CPU time (ms, user and system) of a process, from /proc in ticks of 10 ms (proc(5)); 0 without /proc. */
export function cpuMs(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return 0
  }
}

/** CPU times of several processes by name, and the share of a core each used in between. */
export class CpuWatch {
  readonly #pids: Record<string, number>
  readonly #before: Map<string, number>
  readonly #startedAtMs = performance.now()

  constructor(pids: Record<string, number>) {
    this.#pids = pids
    this.#before = this.#now()
  }

  /** Percent of one core since the start of the watch, by name. */
  percent(): Record<string, number> {
    const tookMs = performance.now() - this.#startedAtMs
    const shares = [...this.#now()].map(([name, ms]): [string, number] => [
      name,
      Math.round(((ms - (this.#before.get(name) ?? 0)) * 100) / tookMs),
    ])
    return Object.fromEntries(shares)
  }

  #now(): Map<string, number> {
    return new Map(Object.entries(this.#pids).map(([name, pid]) => [name, cpuMs(pid)]))
  }
}
