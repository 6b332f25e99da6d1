import { join } from 'node:path'
import { playwrightReport, type Report, vitestReport } from './reports.ts'

/** Parts of `npm test`, in order. CI runs each in a job of its own (`.github/workflows/ci.yml`). */
export const STAGES = ['lint', 'types', 'unit', 'integration', 'browser'] as const
export type Stage = (typeof STAGES)[number]

/**
 * When a step runs. The parts of a run follow each other: the timed tests, the other browser tests, and what runs alone. Their
 * steps run one after the other, and beside them, two at a time with the lowest priority, what has no time limits, since
 * it waits for every other process of the machine.
 */
export const PARTS = ['timed', 'browser', 'alone'] as const
type Part = (typeof PARTS)[number]
export type Turn = Part | `beside ${Part}`

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

/** Longest time of a test with the lowest priority, in ms. */
const PATIENCE_MS = 600_000

/**
 * Files and folders of integration tests that measure time, or meet the product's time limits of a few seconds: of leases,
 * deliveries, publications, counts in Redis and silent servers. They run alone; the others wait for conditions only.
 */
const HASTY = [
  'gateway/tests/',
  'packages/',
  'infra/runner/tests/',
  'services/admin-audit/tests/webhook-deliveries.test.ts',
  'services/auth/tests/account-attacks.test.ts',
  'services/auth/tests/mailed-codes.test.ts',
  'services/auth/tests/network-limits.test.ts',
  'services/auth/tests/outages.test.ts',
  'services/auth/tests/sessions.test.ts',
  'services/chat/tests/',
  'services/metadata-worker/tests/',
  'services/stream-scheduler/tests/leadership.test.ts',
  'services/stream-scheduler/tests/outage.test.ts',
  'services/stream-scheduler/tests/reports.test.ts',
]

/** Environment for all tests but those of these files and folders; Vitest applies its option `--exclude` to no project. */
const without = (paths: readonly string[]): Record<string, string> => ({
  VITEST_WITHOUT: paths.map((path) => (path.endsWith('/') ? `${path}**` : path)).join(','),
})

/** Folder of what checks remember of their last run; deleting it is safe. */
const cache = '.local/cache'
/** Each of TypeScript's four checkers computes the types that it needs again: one takes less processor time (docs/test-times.md). */
const tsc = (config: string): readonly string[] => ['tsc', '-p', config, '--checkers', '1']
const cruised = ['gateway', 'services', 'packages', 'web/src', 'infra', 'bench', 'e2e']

const check = (
  stage: Stage,
  name: string,
  command: readonly string[],
  turn: Turn = 'beside browser',
): Step => ({
  name,
  stage,
  turn,
  command,
})

/** Which tests of a Vitest project run, and how. */
interface Selection {
  project: string
  /** Files and folders. Default: all. */
  only?: readonly string[]
  env?: Record<string, string>
}

/** Tests of a Vitest project, with their report in the folder `reports`. */
function vitest(name: string, stage: Stage, turn: Turn, reports: string, selection: Selection): Step {
  const { project, only = [], env } = selection
  const file = join(reports, `vitest-${name.replaceAll(' ', '-')}.json`)
  const options = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...only]
  // On a busy machine a test with the lowest priority may wait for long.
  if (turn.startsWith('beside')) options.push(`--testTimeout=${PATIENCE_MS}`, `--hookTimeout=${PATIENCE_MS}`)
  return {
    name,
    stage,
    turn,
    command: ['vitest', 'run', '--project', project, ...options],
    ...(env === undefined ? {} : { env }),
    report: () => vitestReport(file),
  }
}

/** The tests of a Playwright project, with their report in the folder `reports`. */
function playwright(
  project: 'stations' | 'clock' | 'sync',
  name: string,
  turn: Turn,
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
    turn,
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
    check('browser', 'web build', ['node', 'infra/verify/build-web.ts'], 'timed'),
    check('browser', 'size of the web app', ['node', 'web/scripts/size-report.mjs', '--check'], 'timed'),
    playwright('clock', 'timed browser tests', 'timed', browser, reports),
    vitest('integration tests', 'integration', 'beside timed', reports, {
      project: 'integration',
      env: without(HASTY),
    }),
    vitest('unit tests', 'unit', 'beside timed', reports, { project: 'unit' }),
    // The system tests run separate processes, the browser tests one; `pnpm nightly` runs both in both forms.
    playwright('stations', 'browser tests', 'browser', browser, reports),
    check('lint', 'promises and function length', ['oxlint']),
    check('types', 'types', tsc('tsconfig.json')),
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
    check('types', 'types of the web app', tsc('web/tsconfig.json')),
    check('lint', 'rules of STYLE_GUIDE.md', ['node', 'infra/lint/style-guide.ts']),
    check('lint', 'small files with one importer', ['node', 'infra/lint/lone-files.ts']),
    playwright('sync', 'windows in sync', 'alone', browser, reports),
    vitest('integration tests with time limits', 'integration', 'alone', reports, {
      project: 'integration',
      only: HASTY,
    }),
    vitest('system tests', 'browser', 'alone', reports, { project: 'system' }),
  ]
}
