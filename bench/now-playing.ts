/**
 * Server-sent events of what is on: memory and processor of the gateway for clients of the events, and for as many viewers
 * on sockets, in one run and each at a new gateway. Method: bench/README.md.
 *
 *   node bench/now-playing.ts [clients …] [--json FILE]      default 10000
 */
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { startTestStation, type TestStation } from '@looptide/test-station/station'
import { CHANNEL } from './fan-out/messages.ts'
import { VISITOR, Viewers } from './fan-out/viewers.ts'
import { garbageCollector } from './now-playing/collect-garbage.ts'
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

/** Open files of a process beside the connections that are measured. */
const OTHER_FILES = 500

const { sizes, json } = benchArguments([10_000])
requireOpenFiles(Math.max(...sizes) + OTHER_FILES)
console.log(machine())

/** Throws if this process, and so the gateway, may not open as many files. Node has raised the soft limit to the hard one. */
function requireOpenFiles(count: number): void {
  const limits = readFileSync('/proc/self/limits', 'utf8')
  const hard = Number(/^Max open files +\d+ +(\d+)/m.exec(limits)?.[1] ?? Infinity)
  if (hard < count)
    throw new Error(
      `${count} open files are needed, and ${hard} are allowed. As root: prlimit --nofile=${count} node bench/now-playing.ts`,
    )
}

/** Memory of a process, its part of shared pages included. */
function memoryKib(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1])
}

/** Clients of one kind. */
interface Clients {
  /** Resolves when this many more are connected. */
  arrive(port: number, count: number): Promise<unknown>
  /** What they send in {@link IDLE_MS}. */
  whileIdle(): Promise<void>
  leave(): void
}

const EVENTS = `/api/live/nowplaying/sse?channel=${CHANNEL}`

function eventClients(): Clients {
  const clients = new EventClients(EVENTS)
  return {
    arrive: (port, count) => clients.arrive(port, count),
    whileIdle: async () => {},
    leave: () => clients.leave(),
  }
}

function socketClients(): Clients {
  const viewers = new Viewers()
  return {
    arrive: (port, count) => viewers.arrive(port, Array<string>(count).fill(VISITOR)),
    whileIdle: async () => {
      for (let round = 0; round < HEARTBEATS; round += 1) await viewers.beat()
    },
    leave: () => viewers.leave(),
  }
}

const KINDS = { events: eventClients, socket: socketClients } as const

/** What is added by clients that arrive and then only wait, per client and per minute. */
async function costOf({ url, pids }: TestStation, makeClients: () => Clients, count: number) {
  const port = Number(new URL(url).port)
  const pid = pids.gateway
  if (pid === undefined) throw new Error('the station has no process of the gateway')
  const collectGarbage = await garbageCollector(pid)
  const first = makeClients()
  await first.arrive(port, FIRST)
  first.leave()
  const clients = makeClients()
  await pause(SETTLE_MS)
  await collectGarbage()
  const [memory, cpu] = [memoryKib(pid), cpuMs(pid)]
  await clients.arrive(port, count)
  const arrived = cpuMs(pid)
  await pause(SETTLE_MS)
  await collectGarbage()
  const kib = memoryKib(pid) - memory
  const idle = cpuMs(pid)
  const ends = pause(IDLE_MS)
  await clients.whileIdle()
  await ends
  const idleCpuMs = cpuMs(pid) - idle
  clients.leave()
  return {
    kibEach: rounded(kib / count, 1),
    arrivalCpuMsEach: rounded((arrived - cpu) / count, 3),
    idleCpuMsPerMinute: rounded(idleCpuMs),
  }
}

const rows: BenchRow[] = []
for (const clients of sizes)
  for (const [client, makeClients] of Object.entries(KINDS)) {
    const station = await startTestStation({
      env: {
        ...{ LOG_LEVEL: 'warn', LOOPTIDE_PROCESSES: 'separate' },
        ...{ RATE_LIMIT_FACTOR: '1000000', MAX_SOCKETS: '50000' },
      },
    })
    try {
      const figures = await costOf(station, makeClients, clients)
      rows.push({ bench: 'now-playing', input: { client, clients }, figures })
    } finally {
      await station.stop()
    }
  }
console.table(rows.map(({ input, figures }) => ({ ...input, ...figures })))
if (json !== undefined) writeRows(json, rows)
