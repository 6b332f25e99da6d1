import { existsSync, readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'

/** Cost of some work, in ms: elapsed, of this process's processor, and of Postgres's. */
export interface Took {
  wallMs: number
  ourMs: number
  databaseMs: number
}

/** Measures processor time of this process and of the Postgres at `url`, whose processes are found in /proc. */
export class ProcessorTime {
  readonly #postmasterPid: number

  constructor(postmasterPid: number) {
    this.#postmasterPid = postmasterPid
  }

  static async of(url: string): Promise<ProcessorTime> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    // Each connection is served by a child of the postmaster.
    const postmasterPid = existsSync('/proc/self/stat') ? parentOf(String(rows[0]?.pid)) : Number.NaN
    await client.end()
    return new ProcessorTime(postmasterPid)
  }

  async of(work: () => Promise<unknown>): Promise<Took> {
    const [before, databaseBefore] = [process.cpuUsage(), this.#databaseMs()]
    const started = performance.now()
    await work()
    const wallMs = performance.now() - started
    const { user, system } = process.cpuUsage(before)
    return { wallMs, ourMs: (user + system) / 1000, databaseMs: this.#databaseMs() - databaseBefore }
  }

  /** Of all Postgres processes so far (ms), from the kernel; 0 without /proc. */
  #databaseMs(): number {
    if (!existsSync('/proc/self/schedstat')) return 0
    let sum = 0
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        if (parentOf(pid) !== this.#postmasterPid) continue
        sum += Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
      } catch {
        // The process ended after the folder was listed.
      }
    }
    return sum
  }
}

/** proc(5): the second field after the name in brackets. */
const parentOf = (pid: string): number =>
  Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1])
