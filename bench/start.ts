/**
 * Duration of `npm start` on existing data, and resources of the station's own processes: from sources, from bundles,
 * and from bundles in one process, alternately. Method: bench/README.md.
 *
 *   node bench/start.ts [rounds] [--json FILE]      default 5
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { serviceNames } from '@looptide/backing/service-names'
import { startTestStation, type TestStation } from '@looptide/test-station/station'
import { type BenchRow, benchArguments, machine, rounded, writeRows } from './report.ts'

/** Delay before memory is read, in ms: garbage of the start has been collected by then. */
const IDLE_MS = 5000
const TICKS_PER_SECOND = 100

/** The forms of a station, by name. Ratios are relative to the first. */
const FORMS = {
  'separate, bundles': { LOOPTIDE_PROCESSES: 'separate' },
  'separate, sources': { LOOPTIDE_PROCESSES: 'separate', LOOPTIDE_BUNDLE: 'off' },
  'one, bundles': { LOOPTIDE_PROCESSES: 'one' },
} as const
type Form = keyof typeof FORMS
const forms = Object.keys(FORMS) as Form[]

interface Start {
  startS: number
  /** Processor time of our own processes until they were ready, in s. */
  cpuS: number
  /** Memory of our own processes; shared pages are divided among their users. */
  idleMib: number
  stopS: number
}

async function measure(dataDir: string, form: Form): Promise<Start> {
  const startMs = performance.now()
  const station = await startTestStation({ dataDir, env: FORMS[form] })
  const startS = (performance.now() - startMs) / 1000
  const cpuS = sum(ownPids(station).map(cpuSeconds))
  await pause(IDLE_MS)
  const idleMib = sum(ownPids(station).map(residentMib))
  const stopMs = performance.now()
  await station.stop()
  return { startS, cpuS, idleMib, stopS: (performance.now() - stopMs) / 1000 }
}

const ownPids = ({ pids }: TestStation): number[] => [
  ...new Set(serviceNames.flatMap((name) => pids[name] ?? [])),
]
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
const starts = new Map<Form, Start[]>(forms.map((form) => [form, []]))
try {
  // The first start of each form creates data, bundles and compile cache.
  for (const form of forms) await measure(dataDir, form)
  for (let round = 0; round < rounds; round += 1) {
    for (const form of forms) starts.get(form)?.push(await measure(dataDir, form))
  }
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}
const FIGURES = { startS: 2, cpuS: 2, idleMib: 0, stopS: 2 } as const
const figures = Object.entries(FIGURES) as [keyof Start, number][]
const figureOf = (form: Form, figure: keyof Start): number => median(starts.get(form) ?? [], figure)
const rows: BenchRow[] = forms.map((form) => ({
  bench: 'start',
  input: { form, rounds },
  figures: Object.fromEntries(
    figures.map(([figure, digits]) => [figure, rounded(figureOf(form, figure), digits)]),
  ),
}))
const ratios = forms.map((form) => [
  form,
  Object.fromEntries(
    figures.map(([figure]) => [
      figure,
      rounded(figureOf(form, figure) / figureOf('separate, bundles', figure), 2),
    ]),
  ),
])
console.table(rows.map(({ input, figures: medians }) => ({ ...input, ...medians })))
console.log('Ratios to separate processes from bundles:')
console.table(Object.fromEntries(ratios))
if (json !== undefined) writeRows(json, rows)
