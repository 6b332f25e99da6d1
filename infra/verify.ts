import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { obtainChromium } from './runner/src/backing/chromium.ts'
import { obtainKubectl } from './runner/src/backing/kubectl.ts'
import { dockerAnswers, obtain } from './runner/src/backing/obtain.ts'
import { repositoryRoot } from './runner/src/paths.ts'
import { add, type Counts, failureLines, none, type Report } from './verify/reports.ts'
import { STAGES, type Stage, type Step, steps } from './verify/steps.ts'

const tools = join(repositoryRoot, 'node_modules/.bin')
const stopTimeoutMs = 10_000

let running: ChildProcess | undefined

/** Runs a step; its output goes to the terminal. */
async function run(step: Step): Promise<boolean> {
  const [name = '', ...args] = step.command
  const child = spawn(name, args, {
    cwd: repositoryRoot,
    env: { ...process.env, ...step.env, PATH: [tools, process.env.PATH].join(':') },
    stdio: 'inherit',
  })
  running = child
  return new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(`${name}: ${error.message}`)
      resolve(false)
    })
    child.once('exit', (code) => resolve(code === 0))
  })
}

/** Report of a step. A step without tests counts as one check; a failure without a failed test counts as one. */
function reportOf(step: Step, ok: boolean): Report {
  const { counts, failures } = step.report?.() ?? {
    counts: { ...none, passed: ok ? 1 : 0 },
    failures: [],
  }
  if (ok || counts.failed > 0) return { counts, failures }
  const failure = { test: step.command.join(' '), message: 'ended with an error and names no failed test' }
  return { counts: { ...counts, failed: counts.failed + 1 }, failures: [...failures, failure] }
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

async function main(): Promise<void> {
  const reports = join(repositoryRoot, '.local/reports')
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
  const stages = chosenStages(process.argv.slice(2))
  const { chromium, failed } = await setUp(stages, console.log)
  let total: Counts = { ...none, failed }
  const table: string[] = []
  const failedTests: string[] = []
  for (const step of steps(reports, chromium).filter(({ stage }) => stages.includes(stage))) {
    console.log(`\n── ${step.name} ──`)
    const startedAt = performance.now()
    const { counts, failures } = reportOf(step, await run(step))
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    total = add(total, counts)
    failedTests.push(...failureLines(step.name, failures))
    const skipped = counts.skipped === 0 ? '' : `, ${counts.skipped} skipped`
    table.push(
      `${step.name.padEnd(56)} ${seconds.padStart(7)} s   ${counts.passed} passed, ${counts.failed} failed${skipped}`,
    )
  }
  if (failedTests.length > 0) console.log(`\n── failed ──\n${failedTests.join('\n')}`)
  console.log(`\n${table.join('\n')}\n`)
  console.log(`${total.passed} passed, ${total.failed} failed`)
  process.exitCode = total.failed === 0 ? 0 : 1
}

/** Ends with the running step; a step that does not end is killed. */
function stop(signal: NodeJS.Signals): void {
  if (running === undefined || running.exitCode !== null) process.exit(130)
  running.once('exit', () => process.exit(130))
  running.kill(signal)
  setTimeout(() => running?.kill('SIGKILL'), stopTimeoutMs)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(signal))
process.on('disconnect', () => stop('SIGTERM'))
await main()
process.exit()
