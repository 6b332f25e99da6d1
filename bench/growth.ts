/**
 * Growth curves: runs benchmarks at 1, 10 and 100 times their input and writes the results into
 * docs/performance.md, with plots.
 *
 *   node bench/growth.ts                              all: about an hour on an idle machine
 *   node bench/growth.ts --only search                the steps of one item
 *   node bench/growth.ts --only "timeline/100 videos" one step
 *   node bench/growth.ts --draw                       runs nothing: writes the document from known results
 *   node bench/growth.ts --list                       the steps
 *
 * Results of other steps are kept (docs/performance/results.json).
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { fillBlock } from './growth/document.ts'
import type { Item, Step } from './growth/item.ts'
import { items } from './growth/items.ts'
import { draw } from './growth/plot.ts'
import { type Results, readResults, type StepResult, writeResults } from './growth/results.ts'
import { type BenchRow, machine, readRows } from './report.ts'

const repository = fileURLToPath(new URL('..', import.meta.url))
const documentFile = join(repository, 'docs/performance.md')
const folder = join(repository, 'docs/performance')
const resultsFile = join(folder, 'results.json')

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    draw: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
})

const steps = items
  .flatMap((item) => item.steps.map((step) => ({ item, step, name: `${item.name}/${step.name}` })))
  .filter(({ item, name }) => [undefined, item.name, name].includes(values.only))
if (steps.length === 0) throw new Error(`There is no "${values.only}"; --list prints the steps.`)

if (values.list) for (const { name } of steps) console.log(name)
else {
  mkdirSync(folder, { recursive: true })
  for (const { item, step, name } of values.draw ? [] : steps) {
    console.log(`\n${name}: node bench/${step.command.join(' ')}`)
    const result = await run(step)
    // Read last: another step may have been measured meanwhile.
    const results = readResults(resultsFile)
    results[item.name] = inOrder(item, { ...results[item.name], [step.name]: result })
    writeResults(resultsFile, results)
  }
  writeDocument(readResults(resultsFile))
}

/** Results of steps that no longer exist are removed. */
function inOrder(item: Item, known: Results[string]): Results[string] {
  return Object.fromEntries(
    item.steps.flatMap(({ name }) => (known[name] === undefined ? [] : [[name, known[name]]])),
  )
}

async function run({ command: [file = '', ...args] }: Step): Promise<StepResult> {
  const scratch = mkdtempSync(join(tmpdir(), 'looptide-growth-'))
  const json = join(scratch, 'rows.json')
  try {
    const path = fileURLToPath(new URL(file, import.meta.url))
    const child = spawn(process.execPath, [path, ...args, '--json', json], { stdio: 'inherit' })
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code !== 0) throw new Error(`bench/${file} ended with ${code}.`)
    return {
      measuredOn: new Date().toISOString().slice(0, 10),
      commit: execFileSync('git', ['rev-parse', '--short=10', 'HEAD'], {
        cwd: repository,
        encoding: 'utf8',
      }).trim(),
      machine: machine(),
      rows: readRows(json),
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function writeDocument(results: Results): void {
  let text = readFileSync(documentFile, 'utf8')
  text = fillBlock(text, 'machine', machines(results))
  for (const item of items) {
    const found = Object.values(results[item.name] ?? {})
    const rows: BenchRow[] = found.flatMap((step) => step.rows)
    const pictures = rows.length === 0 ? [] : item.pictures(rows).filter(({ points }) => points.length > 0)
    for (const picture of pictures) writeFileSync(join(folder, `${picture.name}.svg`), draw(picture))
    const shown = pictures.map(({ name, title }) => `![${title}](performance/${name}.svg)`)
    const tables = rows.length === 0 ? 'Not measured yet.' : item.tables(rows)
    text = fillBlock(text, item.name, [tables, ...shown, measuredWhen(found)].join('\n\n'))
  }
  writeFileSync(documentFile, text)
}

function distinct(values: readonly string[]): string {
  return [...new Set(values)].join(', ')
}

function machines(results: Results): string {
  const steps = Object.values(results).flatMap((known) => Object.values(known))
  return `Measured on: ${distinct(steps.map((step) => step.machine))}.`
}

function measuredWhen(steps: readonly StepResult[]): string {
  if (steps.length === 0) return ''
  return `_Measured on ${distinct(steps.map((step) => step.measuredOn))} at ${distinct(steps.map((step) => step.commit))}._`
}
