import { readFileSync } from 'node:fs'

/** CPU time (ms, user and system) that a process has used, from /proc in ticks of 10 ms (proc(5)); 0 where it is not. */
export function cpuMs(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return 0
  }
}

/** Of several processes by name, and how much of a core each used in between. */
export class CpuWatch {
  readonly #pids: Record<string, number>
  readonly #before: Map<string, number>
  readonly #startedAtMs = performance.now()

  constructor(pids: Record<string, number>) {
    this.#pids = pids
    this.#before = this.#now()
  }

  /** Per cent of one core, by name, since the watch was made. */
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
