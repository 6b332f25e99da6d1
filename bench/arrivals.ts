/**
 * Arrivals: how many viewers a second one process accepts, and what each costs while connected; the hub and a plain
 * `ws` server in the same run. Method: bench/README.md.
 *
 *   node bench/arrivals.ts [viewers …] [--json FILE]      default 1000 5000 10000
 */
import { setTimeout as pause } from 'node:timers/promises'
import { startIdentity } from '@looptide/testkit/identity'
import { type Memory, type Mode, ServerUnderTest } from './fan-out/child.ts'
import { Viewers } from './fan-out/viewers.ts'
import { type BenchRow, benchArguments, machine, rounded, writeRows } from './report.ts'

/** Time for the memory of arrivals to be released, in ms. */
const SETTLE_MS = 3000
/** Heartbeats of each viewer. */
const BEATS = 5
/** Topics that a viewer of the hub joins: stream and chat. */
const JOINS = 2

interface Arrivals {
  perSecond: number
  cpuMsEach: number
  /** Growth per viewer, in KiB: of the process, and of its heap in use. */
  residentKib: number
  inUseKib: number
  /** Of a heartbeat and its reply; null without heartbeats. */
  cpuUsPerBeat: number | null
}

async function measure(mode: Mode, tokens: readonly string[], authUrl: string): Promise<Arrivals> {
  const server = await ServerUnderTest.start(mode, authUrl)
  // A first viewer connects and leaves: one-time allocations are not counted.
  const first = new Viewers()
  await first.arrive(server.port, mode === 'hub' ? tokens.slice(0, 1) : [null])
  first.leave()
  const empty = { ...server.usage(), ...(await server.memory()) }
  const viewers = new Viewers()
  const before = server.usage()
  const tookMs = await viewers.arrive(server.port, mode === 'hub' ? tokens : tokens.map(() => null))
  const after = server.usage()
  await pause(SETTLE_MS)
  const memory = await server.memory()
  const resident = server.usage().rssKib
  const cpuUsPerBeat = mode === 'hub' ? await measureBeats(server, viewers) : null
  viewers.leave()
  await server.stop()
  const count = tokens.length
  const used = ({ heapKib, externalKib }: Memory): number => heapKib + externalKib
  return {
    perSecond: Math.round((count * 1000) / tookMs),
    cpuMsEach: (after.cpuMs - before.cpuMs) / count,
    residentKib: (resident - empty.rssKib) / count,
    inUseKib: (used(memory) - used(empty)) / count,
    cpuUsPerBeat,
  }
}

async function measureBeats(server: ServerUnderTest, viewers: Viewers): Promise<number> {
  const before = server.usage()
  for (let round = 0; round < BEATS; round += 1) await viewers.beat()
  return ((server.usage().cpuMs - before.cpuMs) * 1000) / (viewers.size * BEATS)
}

const { sizes, json } = benchArguments([1000, 5000, 10_000])
const identity = await startIdentity()
const tokens: string[] = []
while (tokens.length < Math.max(...sizes)) tokens.push((await identity.createUser()).token)

console.log(machine())
const rows: BenchRow[] = []
for (const count of sizes) {
  for (const mode of ['bare', 'hub'] as const) {
    const result = await measure(mode, tokens.slice(0, count), identity.authUrl)
    rows.push({
      bench: 'arrivals',
      input: { viewers: count, server: mode },
      figures: {
        arrivalsPerSecond: result.perSecond,
        signedInJoinsPerSecond: mode === 'hub' ? result.perSecond * JOINS : null,
        cpuMsEach: rounded(result.cpuMsEach, 3),
        residentKibEach: rounded(result.residentKib, 1),
        inUseKibEach: rounded(result.inUseKib, 1),
        cpuUsPerBeat: result.cpuUsPerBeat === null ? null : rounded(result.cpuUsPerBeat, 1),
      },
    })
    console.log(JSON.stringify(rows.at(-1)))
  }
}
console.table(rows.map(({ input, figures }) => ({ ...input, ...figures })))
if (json !== undefined) writeRows(json, rows)
await identity.stop()
