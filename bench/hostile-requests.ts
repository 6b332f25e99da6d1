/**
 * Hostile requests: what viewers notice while others send half of a request, or do not read their answers. Quiet and
 * attacked phases of one run, of a whole station with its default limits. Method: bench/README.md.
 *
 *   node bench/hostile-requests.ts [connections …] [--json FILE]      default 70
 */
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { startTestStation, type TestStation, testAdmin } from '@looptide/test-station/station'
import { Agent, request } from 'undici'
import { Attackers } from './attackers.ts'
import type { Attack, AttackResult } from './hostile-requests/attackers.ts'
import { quantile } from './quantile.ts'
import { type BenchRow, benchArguments, machine, rounded, writeRows } from './report.ts'

/** Longer than any transfer may stall. */
const PHASE_MS = 16_000
const READ_EVERY_MS = 50
/** Reads before the first phase: the heap of a gateway that has answered less than this still grows without any attack. */
const WARM_UP_READS = 5000
const SIGN_IN_EVERY_MS = 2000
const SAMPLE_MS = 100
/** Time after which an unanswered request of a viewer is given up, in ms; it counts with this time. */
const GIVEN_UP_MS = 10_000
/** The attackers' network: viewers have others. */
const ATTACKER = '198.51.100.1'

const READS = ['/api/channels/test-card/now', '/api/profiles/admin', '/', '/api/search?q=e', '/api/playlists']

const head = (method: string, path: string, headers = ''): string =>
  `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${ATTACKER}\r\n${headers}\r\n`
const halfSent = (path: string): string =>
  `${head('POST', path, 'Content-Type: application/json\r\nContent-Length: 60000\r\n')}{`

interface Phase {
  name: string
  texts?: readonly string[]
  /** Share of the connections that is renewed each second. */
  renewed?: number
  /** Connections, as a multiple of the argument. */
  times?: number
}

const PHASES: readonly Phase[] = [
  { name: 'quiet' },
  { name: 'bodies of sign-ins', texts: [halfSent('/auth/v1/token?grant_type=password')] },
  {
    name: 'bodies, renewed',
    texts: ['/auth/v1/token?grant_type=password', '/api/profiles', '/api/playlists'].map(halfSent),
    renewed: 0.1,
  },
  {
    name: 'unread pages and files',
    texts: ['/', '/test-card/rings.mp4'].map((path) => head('GET', path).repeat(20)),
  },
  {
    name: 'unread answers of services',
    texts: READS.map((path) => head('GET', path).repeat(20)),
    renewed: 0.1,
  },
  { name: 'unread descriptions', texts: [head('GET', '/docs/json')], times: 10 },
  { name: 'quiet afterwards' },
]

/** Resident memory of a process, in KiB (proc(5)). */
const rssKib = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN)

interface Measured {
  readsMs: number[]
  signInsMs: number[]
  maxRssKib: number
  attack: AttackResult | null
}

/** Viewers on connections of their own, from other networks than the attackers. */
class Viewers {
  readonly #url: string
  readonly #agent = new Agent({ connections: 20, headersTimeout: GIVEN_UP_MS, bodyTimeout: GIVEN_UP_MS })
  #count = 0
  readsMs: number[] = []
  signInsMs: number[] = []

  constructor(url: string) {
    this.#url = url
  }

  async read(): Promise<void> {
    this.#count += 1
    this.readsMs.push(await this.#timed(READS[this.#count % READS.length] ?? '/', 'GET'))
  }

  async signIn(): Promise<void> {
    const body = JSON.stringify({ email: testAdmin.email, password: testAdmin.password })
    this.signInsMs.push(await this.#timed('/auth/v1/token?grant_type=password', 'POST', body))
  }

  async #timed(path: string, method: 'GET' | 'POST', body: string | null = null): Promise<number> {
    const startedAtMs = performance.now()
    const headers = {
      'x-forwarded-for': `203.0.113.${this.#count % 250}`,
      ...(body === null ? {} : { 'content-type': 'application/json' }),
    }
    try {
      const answer = await request(this.#url + path, { method, headers, body, dispatcher: this.#agent })
      await answer.body.dump()
      if (answer.statusCode >= 500) return GIVEN_UP_MS
    } catch {
      return GIVEN_UP_MS
    }
    return performance.now() - startedAtMs
  }
}

async function measure(
  station: TestStation,
  attackers: Attackers<Attack, AttackResult>,
  count: number,
  { texts, renewed = 0, times = 1 }: Phase,
): Promise<Measured> {
  const viewers = new Viewers(station.url)
  const pid = station.pids.gateway ?? 0
  let maxRssKib = 0
  const timers = [
    setInterval(() => void viewers.read(), READ_EVERY_MS),
    setInterval(() => void viewers.signIn(), SIGN_IN_EVERY_MS),
    setInterval(() => {
      maxRssKib = Math.max(maxRssKib, rssKib(pid))
    }, SAMPLE_MS),
  ]
  const connections = count * times
  const attack =
    texts === undefined
      ? await pause(PHASE_MS, null)
      : await attackers.run({
          port: Number(new URL(station.url).port),
          texts,
          connections,
          forMs: PHASE_MS,
          renewed: Math.ceil(connections * renewed),
        })
  for (const timer of timers) clearInterval(timer)
  return { readsMs: viewers.readsMs, signInsMs: viewers.signInsMs, maxRssKib, attack }
}

function toRow(connections: number, phase: string, measured: Measured, quietRssKib: number): BenchRow {
  const sorted = measured.readsMs.toSorted((a, b) => a - b)
  return {
    bench: 'hostile-requests',
    input: { phase, connections },
    figures: {
      reads: sorted.length,
      p50Ms: rounded(quantile(sorted, 0.5), 1),
      p99Ms: rounded(quantile(sorted, 0.99), 1),
      signIns: measured.signInsMs.length,
      signInMaxMs: rounded(Math.max(0, ...measured.signInsMs)),
      addedMb: rounded((measured.maxRssKib - quietRssKib) / 1024, 1),
      opened: measured.attack?.opened ?? null,
      ended: measured.attack?.ended ?? null,
    },
  }
}

const { sizes, json } = benchArguments([70])
const attackers = await Attackers.start<Attack, AttackResult>(
  new URL('./hostile-requests/attackers.ts', import.meta.url),
)
console.log(machine())
const station = await startTestStation({
  env: { RATE_LIMIT_FACTOR: '1', TRUST_PROXY: '1', LOG_LEVEL: 'warn' },
})
const firstViewers = new Viewers(station.url)
for (let read = 0; read < WARM_UP_READS; read += 1) await firstViewers.read()
const rows: BenchRow[] = []
for (const count of sizes) {
  let quietRssKib = 0
  for (const phase of PHASES) {
    const measured = await measure(station, attackers, count, phase)
    if (quietRssKib === 0) quietRssKib = measured.maxRssKib
    rows.push(toRow(count, phase.name, measured, quietRssKib))
    console.log(JSON.stringify(rows.at(-1)))
  }
}
console.table(rows.map(({ input, figures }) => ({ ...input, ...figures })))
if (json !== undefined) writeRows(json, rows)
attackers.stop()
await station.stop()
