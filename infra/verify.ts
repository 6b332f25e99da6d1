import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../packages/backing/src/paths.ts'
import { obtainChromium } from '../packages/backing/src/programs/chromium.ts'
import { obtainKubectl } from '../packages/backing/src/programs/kubectl.ts'
import { dockerAnswers, obtain } from '../packages/backing/src/programs/obtain.ts'
import { onLauncherEnd } from './runner/src/terminal.ts'
import { add, failureLines, none, type Report, slowestFiles } from './verify/reports.ts'
import { memoryFolder, type RunOptions, runStep, stopSteps } from './verify/run-step.ts'
import { PARTS, STAGES, type Stage, type Step, steps, type Turn } from './verify/steps.ts'

const stopTimeoutMs = 10_000

/** Report of a step. A step without tests counts as one check; a failure without a failed test counts as one. */
function reportOf(step: Step, ok: boolean): Report {
  const report = step.report?.() ?? {
    counts: { ...none, passed: ok ? 1 : 0 },
    failures: [],
    files: [],
  }
  const { counts, failures } = report
  if (ok || counts.failed > 0) return report
  const failure = { test: step.command.join(' '), message: 'ended with an error and names no failed test' }
  return { ...report, counts: { ...counts, failed: counts.failed + 1 }, failures: [...failures, failure] }
}

/** The stages that the arguments name; without arguments all. */
function chosenStages(args: readonly string[]): readonly Stage[] {
  const unknown = args.filter((name) => !STAGES.some((stage) => stage === name))
  if (unknown.length > 0) {
    console.error(`Unknown stage: ${unknown.join(', ')}. Stages: ${STAGES.join(', ')}.`)
    process.exit(2)
  }
  return args.length === 0 ? STAGES : STAGES.filter((stage) => args.includes(stage))
}

/** Whether tests of these stages start Postgres, NATS and Redis. */
const usesStores = (stages: readonly Stage[]): boolean =>
  stages.includes('integration') || stages.includes('browser')

/** Finds or installs what the tests of these stages need. */
async function setUp(
  stages: readonly Stage[],
  say: (text: string) => void,
): Promise<{ chromium: string | undefined; failed: number }> {
  let failed = 0
  const attempt = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work()
    } catch (error) {
      failed += 1
      console.error(error instanceof Error ? error.message : error)
      return undefined
    }
  }
  if (usesStores(stages) && !dockerAnswers()) {
    for (const name of ['postgres', 'redis-server', 'nats-server', 'clamd'] as const)
      await attempt(() => obtain(name, say))
  }
  if (stages.includes('integration')) {
    for (const name of ['nginx', 'haproxy', 'curl', 'python3'] as const)
      await attempt(() => obtain(name, say))
  }
  if (stages.includes('browser')) {
    for (const name of ['curl', 'jq'] as const) await attempt(() => obtain(name, say))
  }
  if (stages.includes('unit')) await attempt(() => obtainKubectl(say))
  const chromium = stages.includes('browser')
    ? await attempt(() => obtainChromium(process.env.PLAYWRIGHT_CHROMIUM, say))
    : undefined
  return { chromium, failed }
}

/** What a step found, and its time in ms. */
interface Outcome extends Report {
  step: Step
  durationMs: number
}

async function outcomeOf(step: Step, options: RunOptions): Promise<Outcome> {
  const startedAt = performance.now()
  const report = reportOf(step, await runStep(step, options))
  return { ...report, step, durationMs: performance.now() - startedAt }
}

/** Runs the steps of each part, and beside them what has no time limits, in the time that they leave. */
async function runAll(chosen: readonly Step[], env: RunOptions['env']): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const lane = async (queue: Step[], options: Omit<RunOptions, 'env'>): Promise<void> => {
    for (let step = queue.shift(); step !== undefined; step = queue.shift())
      outcomes.push(await outcomeOf(step, { ...options, env }))
  }
  const of = (turn: Turn): Step[] => chosen.filter((step) => step.turn === turn)
  for (const part of PARTS) {
    const [ahead, beside] = [of(part), of(`beside ${part}`)]
    const loudly = { isQuiet: false, isIdle: false }
    const quietly = { isQuiet: true, isIdle: ahead.length > 0 }
    await Promise.all([lane(ahead, loudly), lane(beside, quietly), lane(beside, quietly)])
  }
  return outcomes
}

async function main(): Promise<void> {
  const stages = chosenStages(process.argv.slice(2))
  const reports = join(repositoryRoot, '.local/reports')
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
  const { chromium, failed } = await setUp(stages, console.log)
  const temporary = usesStores(stages) ? memoryFolder() : undefined
  const outcomes = await runAll(
    steps(reports, chromium).filter(({ stage }) => stages.includes(stage)),
    temporary === undefined ? {} : { TMPDIR: temporary },
  )
  const total = outcomes.map(({ counts }) => counts).reduce(add, { ...none, failed })
  const failedTests = outcomes.flatMap(({ step, failures }) => failureLines(step.name, failures))
  const slowest = slowestFiles(outcomes.flatMap(({ files }) => files))
  const table = outcomes.map(({ step, counts, durationMs }) => {
    const seconds = (durationMs / 1000).toFixed(1)
    const skipped = counts.skipped === 0 ? '' : `, ${counts.skipped} skipped`
    return `${step.name.padEnd(56)} ${seconds.padStart(7)} s   ${counts.passed} passed, ${counts.failed} failed${skipped}`
  })
  if (failedTests.length > 0) console.log(`\n── failed ──\n${failedTests.join('\n')}`)
  if (slowest.length > 0) console.log(`\n── slowest test files ──\n${slowest.join('\n')}`)
  console.log(`\n${table.join('\n')}\n`)
  console.log(`${total.passed} passed, ${total.failed} failed`)
  process.exitCode = total.failed === 0 ? 0 : 1
}

const stop = (signal: NodeJS.Signals): void => stopSteps(signal, stopTimeoutMs, () => process.exit(130))

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(signal))
onLauncherEnd(() => stop('SIGTERM'))
await main()
process.exit()
