import { join } from 'node:path'
import { playwrightReport, type Report, vitestReport } from './reports.ts'

/** Parts of `npm test`, in order. CI runs each in a job of its own (`.github/workflows/ci.yml`). */
export const STAGES = ['lint', 'types', 'unit', 'integration', 'browser'] as const
export type Stage = (typeof STAGES)[number]

/**
 * When a step runs: `timed` first, one after the other; `beside` it, two at a time with the lowest priority, what has no
 * time limits, since it waits for every other process of the machine; `alone` after both, one after the other.
 */
export type Turn = 'timed' | 'beside' | 'alone'

/** One verification: a program, and how to read its report. */
export interface Step {
  name: string
  stage: Stage
  turn: Turn
  command: readonly string[]
  env?: Record<string, string>
  /** Undefined for a check without tests. */
  report?: () => Report
}

/** Longest time of a unit test with the lowest priority, in ms. */
const PATIENCE_MS = 600_000

/** Folder of what checks remember of their last run; deleting it is safe. */
const cache = '.local/cache'
const cruised = ['gateway', 'services', 'packages', 'web/src', 'infra', 'bench', 'e2e']

const check = (stage: Stage, name: string, command: readonly string[], turn: Turn = 'beside'): Step => ({
  name,
  stage,
  turn,
  command,
})

/** The tests of a Vitest project, with their report in the folder `reports`. */
function vitest(project: string, stage: Stage, turn: Turn, reports: string): Step {
  const file = join(reports, `vitest-${project}.json`)
  const options = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  // On a busy machine a test with the lowest priority may wait for long.
  if (turn === 'beside') options.push(`--testTimeout=${PATIENCE_MS}`, `--hookTimeout=${PATIENCE_MS}`)
  return {
    name: `${project} tests`,
    stage,
    turn,
    command: ['vitest', 'run', '--project', project, ...options],
    report: () => vitestReport(file),
  }
}

/** The tests of a Playwright project, with their report in the folder `reports`. */
function playwright(
  project: 'stations' | 'clock',
  name: string,
  env: Record<string, string>,
  reports: string,
): Step {
  const folder = name.replaceAll(' ', '-')
  const file = join(reports, `${folder}.json`)
  // Playwright empties its output folder at each start: one for each step keeps what earlier steps recorded of failures.
  const options = [`--project=${project}`, '--reporter=list,json', `--output=test-results/${folder}`]
  return {
    name,
    stage: 'browser',
    turn: project === 'clock' ? 'timed' : 'alone',
    command: ['playwright', 'test', ...options],
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: file },
    report: () => playwrightReport(file),
  }
}

/**
 * Everything that `npm test` and CI verify, in the order of each turn. Of the steps that may run at the same time,
 * the longest are first. `reports` is the folder of the steps' reports.
 */
export function steps(reports: string, chromium: string | undefined): Step[] {
  const browser: Record<string, string> = chromium === undefined ? {} : { PLAYWRIGHT_CHROMIUM: chromium }
  return [
    vitest('unit', 'unit', 'beside', reports),
    check('lint', 'promises and function length', ['oxlint']),
    check('types', 'types', ['tsc', '-p', 'tsconfig.json']),
    check('lint', 'lint and format', ['biome', 'ci', '.']),
    check('lint', 'boundaries', [
      'depcruise',
      ...[
        '--config',
        '.dependency-cruiser.mjs',
        '--cache',
        `${cache}/depcruise`,
        '--cache-strategy',
        'content',
      ],
      ...cruised,
    ]),
    check('lint', 'unused files, exports and packages', [
      'knip',
      ...['--cache', '--cache-location', `${cache}/knip`],
    ]),
    check('types', 'types of the web app', ['tsc', '-p', 'web/tsconfig.json']),
    check('lint', 'rules of STYLE_GUIDE.md', ['node', 'infra/lint/style-guide.ts']),
    check('lint', 'small files with one importer', ['node', 'infra/lint/lone-files.ts']),
    vitest('integration', 'integration', 'alone', reports),
    check('browser', 'web build', ['node', 'infra/verify/build-web.ts'], 'timed'),
    check('browser', 'size of the web app', ['node', 'web/scripts/size-report.mjs', '--check'], 'timed'),
    vitest('system', 'browser', 'alone', reports),
    // The system tests run separate processes, the browser tests one; `pnpm nightly` runs both in both forms.
    playwright('stations', 'browser tests', browser, reports),
    playwright('clock', 'timed browser tests', browser, reports),
  ]
}
