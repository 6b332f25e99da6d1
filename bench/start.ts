/**
 * Duration of `npm start` on existing data, and resources of the station's own processes, from sources and from
 * bundles alternately. Method: bench/README.md.
 *
 *   node bench/start.ts [rounds] [--json FILE]      default 5
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { serviceNames } from '@looptide/runner/processes/service-names'
import { startTestStation, type TestStation } from '@looptide/testkit/station'
import { type BenchRow, benchArguments, machine, rounded, writeRows } from './report.ts'

/** Delay before memory is read, in ms: garbage of the start has been collected by then. */
const IDLE_MS = 5000
const TICKS_PER_SECOND = 100

interface Start {
  startS: number
  /** Processor time of the seven processes until they were ready, in s. */
  cpuS: number
  /** Memory of the seven processes; shared pages are divided among their users. */
  idleMib: number
  stopS: number
}

async function measure(dataDir: string, bundle: 'on' | 'off'): Promise<Start> {
  const startMs = performance.now()
  const station = await startTestStation({ dataDir, env: { LOOPTIDE_BUNDLE: bundle } })
  const startS = (performance.now() - startMs) / 1000
  const cpuS = sum(ownPids(station).map(cpuSeconds))
  await pause(IDLE_MS)
  const idleMib = sum(ownPids(station).map(residentMib))
  const stopMs = performance.now()
  await station.stop()
  return { startS, cpuS, idleMib, stopS: (performance.now() - stopMs) / 1000 }
}

const ownPids = ({ pids }: TestStation): number[] => serviceNames.map((name) => pids[name] ?? Number.NaN)
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** proc(5): user and system time are the 14th and 15th fields of `stat`. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

function residentMib(pid: number): number {
  const kib = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]
  return Number(kib) / 1024
}

function median(starts: readonly Start[], figure: keyof Start): number {
  const sorted = starts.map((start) => start[figure]).sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

const { sizes, json } = benchArguments([5])
const rounds = sizes[0] ?? 5
const dataDir = mkdtempSync(join(tmpdir(), 'looptide-bench-start-'))
console.log(machine())
const starts = { off: [] as Start[], on: [] as Start[] }
try {
  // The first start of each kind creates data, bundles and compile cache.
  for (const bundle of ['off', 'on'] as const) await measure(dataDir, bundle)
  for (let round = 0; round < rounds; round += 1) {
    for (const bundle of ['off', 'on'] as const) starts[bundle].push(await measure(dataDir, bundle))
  }
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}
const rows: BenchRow[] = (['off', 'on'] as const).map((bundle) => ({
  bench: 'start',
  input: { programs: bundle === 'on' ? 'bundles' : 'sources', rounds },
  figures: {
    startS: rounded(median(starts[bundle], 'startS'), 2),
    cpuS: rounded(median(starts[bundle], 'cpuS'), 2),
    idleMib: rounded(median(starts[bundle], 'idleMib')),
    stopS: rounded(median(starts[bundle], 'stopS'), 2),
  },
}))
console.table(rows.map(({ input, figures }) => ({ ...input, ...figures })))
if (json !== undefined) writeRows(json, rows)
