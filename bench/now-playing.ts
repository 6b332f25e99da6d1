/**
 * Server-sent events of what is on: memory and processor of the gateway for clients of the events, and for as many viewers
 * on sockets, beside each other at one gateway. Method: bench/README.md.
 *
 *   node bench/now-playing.ts [clients …] [--json FILE]      default 10000
 */
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { startTestStation } from '@looptide/test-station/station'
import { CHANNEL } from './fan-out/messages.ts'
import { VISITOR, Viewers } from './fan-out/viewers.ts'
import { EventClients } from './now-playing/event-clients.ts'
import { type BenchRow, benchArguments, machine, rounded, writeRows } from './report.ts'
import { cpuMs } from './sockets/cpu.ts'

/** Time for the memory of arrivals to be released, in ms. */
const SETTLE_MS = 10_000
/** Four comments, and two heartbeats of a socket. */
const IDLE_MS = 60_000
const HEARTBEATS = 2
/** Clients that connect and leave before: one-time allocations are not counted. */
const FIRST = 500

const { sizes, json } = benchArguments([10_000])
console.log(machine())
const station = await startTestStation({
  env: {
    ...{ LOG_LEVEL: 'warn', LOOPTIDE_PROCESSES: 'separate' },
    ...{ RATE_LIMIT_FACTOR: '1000000', MAX_SOCKETS: '50000' },
  },
})
const port = Number(new URL(station.url).port)
const pid = station.pids.gateway

/** Memory of the gateway's process, its part of shared pages included. */
function memoryKib(): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1])
}

interface Cost {
  arrivalCpuMs: number
  kib: number
  idleCpuMs: number
}

/** What is added by clients that arrive and then only wait. `whileIdle`: what they send meanwhile. */
async function costOf(arrive: () => Promise<unknown>, whileIdle: () => Promise<void>): Promise<Cost> {
  await pause(SETTLE_MS)
  const [memory, cpu] = [memoryKib(), cpuMs(pid)]
  await arrive()
  const arrived = cpuMs(pid)
  await pause(SETTLE_MS)
  const kib = memoryKib() - memory
  const idle = cpuMs(pid)
  const ends = pause(IDLE_MS)
  await whileIdle()
  await ends
  return { arrivalCpuMs: arrived - cpu, kib, idleCpuMs: cpuMs(pid) - idle }
}

const tokens = (count: number): string[] => Array.from({ length: count }, () => VISITOR)
const path = `/api/live/nowplaying/sse?channel=${CHANNEL}`
const rows: BenchRow[] = []
try {
  for (const count of sizes) {
    const [firstEvents, firstViewers] = [new EventClients(path), new Viewers()]
    await Promise.all([firstEvents.arrive(port, FIRST), firstViewers.arrive(port, tokens(FIRST))])
    firstEvents.leave()
    firstViewers.leave()
    const [events, viewers] = [new EventClients(path), new Viewers()]
    const nothing = async (): Promise<void> => {}
    const ofEvents = await costOf(() => events.arrive(port, count), nothing)
    const ofSockets = await costOf(
      () => viewers.arrive(port, tokens(count)),
      async () => {
        for (let round = 0; round < HEARTBEATS; round += 1) await viewers.beat()
      },
    )
    for (const [client, cost] of [
      ['events', ofEvents],
      ['socket', ofSockets],
    ] as const)
      rows.push({
        bench: 'now-playing',
        input: { client, clients: count },
        figures: {
          kibEach: rounded(cost.kib / count, 1),
          arrivalCpuMsEach: rounded(cost.arrivalCpuMs / count, 3),
          idleCpuMsPerMinute: rounded(cost.idleCpuMs),
        },
      })
    console.log(`${events.events} events for ${count} clients`)
    events.leave()
    viewers.leave()
  }
} finally {
  await station.stop()
}
console.table(rows.map(({ input, figures }) => ({ ...input, ...figures })))
if (json !== undefined) writeRows(json, rows)
