import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../packages/backing/src/paths.ts'
import { obtainChromium } from '../packages/backing/src/programs/chromium.ts'
import { obtainKubectl } from '../packages/backing/src/programs/kubectl.ts'
import { dockerAnswers, obtain } from '../packages/backing/src/programs/obtain.ts'
import { onLauncherEnd } from './runner/src/terminal.ts'
import { add, failureLines, none, type Report, slowestFiles } from './verify/reports.ts'
import { CONCURRENT_STAGES, STAGES, type Stage, type Step, steps } from './verify/steps.ts'

const tools = join(repositoryRoot, 'node_modules/.bin')
const stopTimeoutMs = 10_000

/** The processes of the steps that run now. */
const running = new Set<ChildProcess>()

/** Runs a step. Its output goes to the terminal; with `isQuiet` at once when it has ended, below its name. */
async function run(step: Step, { isQuiet }: { isQuiet: boolean }): Promise<boolean> {
  const [name = '', ...args] = step.command
  if (!isQuiet) console.log(`\n── ${step.name} ──`)
  const child = spawn(name, args, {
    cwd: repositoryRoot,
    env: { ...process.env, ...step.env, PATH: [tools, process.env.PATH].join(':') },
    stdio: ['inherit', isQuiet ? 'pipe' : 'inherit', isQuiet ? 'pipe' : 'inherit'],
  })
  running.add(child)
  let output = ''
  const collect = (text: Buffer): void => {
    output += text.toString()
  }
  child.stdout?.on('data', collect)
  child.stderr?.on('data', collect)
  const ok = await new Promise<boolean>((resolve) => {
    child.once('error', (error) => {
      console.error(`${name}: ${error.message}`)
      resolve(false)
    })
    child.once('close', (code) => resolve(code === 0))
  })
  running.delete(child)
  if (isQuiet) console.log(`\n── ${step.name} ──\n${output.trimEnd()}`)
  return ok
}

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
  const needsStores = stages.includes('integration') || stages.includes('browser')
  if (needsStores && !dockerAnswers()) {
    for (const name of ['postgres', 'redis-server', 'nats-server', 'clamd'] as const)
      await attempt(() => obtain(name, say))
  }
  if (stages.includes('integration')) {
    for (const name of ['nginx', 'haproxy', 'curl', 'python3'] as const)
      await attempt(() => obtain(name, say))
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

async function outcomeOf(step: Step, options: { isQuiet: boolean }): Promise<Outcome> {
  const startedAt = performance.now()
  const report = reportOf(step, await run(step, options))
  return { ...report, step, durationMs: performance.now() - startedAt }
}

/** Runs the steps of the concurrent stages two at a time, then the others one after the other. */
async function runAll(chosen: readonly Step[]): Promise<Outcome[]> {
  const isConcurrent = ({ stage }: Step): boolean => CONCURRENT_STAGES.includes(stage)
  const queue = chosen.filter(isConcurrent)
  const outcomes: Outcome[] = []
  const lane = async (): Promise<void> => {
    for (let step = queue.shift(); step !== undefined; step = queue.shift())
      outcomes.push(await outcomeOf(step, { isQuiet: true }))
  }
  await Promise.all([lane(), lane()])
  for (const step of chosen.filter((other) => !isConcurrent(other)))
    outcomes.push(await outcomeOf(step, { isQuiet: false }))
  return outcomes
}

async function main(): Promise<void> {
  const stages = chosenStages(process.argv.slice(2))
  const reports = join(repositoryRoot, '.local/reports')
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
  const { chromium, failed } = await setUp(stages, console.log)
  const outcomes = await runAll(steps(reports, chromium).filter(({ stage }) => stages.includes(stage)))
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

/** Ends with the running steps; a step that does not end is killed. */
function stop(signal: NodeJS.Signals): void {
  if (running.size === 0) process.exit(130)
  for (const child of running) {
    child.once('exit', () => {
      running.delete(child)
      if (running.size === 0) process.exit(130)
    })
    child.kill(signal)
  }
  setTimeout(() => {
    for (const child of running) child.kill('SIGKILL')
  }, stopTimeoutMs)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(signal))
onLauncherEnd(() => stop('SIGTERM'))
await main()
process.exit()
