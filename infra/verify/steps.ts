import { join } from 'node:path'
import { playwrightReport, type Report, vitestReport } from './reports.ts'

/** Parts of `npm test`, in order. CI runs each in a job of its own (`.github/workflows/ci.yml`). */
export const STAGES = ['lint', 'types', 'unit', 'integration', 'browser'] as const
export type Stage = (typeof STAGES)[number]

/** One verification: a program, and how to read its report. */
export interface Step {
  name: string
  stage: Stage
  command: readonly string[]
  env?: Record<string, string>
  /** Undefined for a check without tests. */
  report?: () => Report
}

/** Stages whose steps run two at a time: none measures time, and none shares a store, a port or a file. */
export const CONCURRENT_STAGES: readonly Stage[] = ['lint', 'types', 'unit']

/** Folder of what checks remember of their last run; deleting it is safe. */
const cache = '.local/cache'
const cruised = ['gateway', 'services', 'packages', 'web/src', 'infra', 'bench', 'e2e']

const check = (stage: Stage, name: string, command: readonly string[]): Step => ({ name, stage, command })

/** The tests of a Vitest project, with their report in the folder `reports`. */
function vitest(project: string, stage: Stage, reports: string): Step {
  const file = join(reports, `vitest-${project}.json`)
  const options = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  return {
    name: `${project} tests`,
    stage,
    command: ['vitest', 'run', '--project', project, ...options],
    report: () => vitestReport(file),
  }
}

/** The tests of a Playwright project, with their report in the folder `reports`. */
function playwright(project: string, name: string, env: Record<string, string>, reports: string): Step {
  const folder = name.replaceAll(' ', '-')
  const file = join(reports, `${folder}.json`)
  // Playwright empties its output folder at each start: one for each step keeps what earlier steps recorded of failures.
  const options = [`--project=${project}`, '--reporter=list,json', `--output=test-results/${folder}`]
  return {
    name,
    stage: 'browser',
    command: ['playwright', 'test', ...options],
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: file },
    report: () => playwrightReport(file),
  }
}

/**
 * Everything that `npm test` and CI verify, fast steps first; of those that run at the same time, the longest first.
 * `reports` is the folder of the steps' reports.
 */
export function steps(reports: string, chromium: string | undefined): Step[] {
  const browser: Record<string, string> = chromium === undefined ? {} : { PLAYWRIGHT_CHROMIUM: chromium }
  return [
    vitest('unit', 'unit', reports),
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
    vitest('integration', 'integration', reports),
    check('browser', 'web build', ['node', 'infra/verify/build-web.ts']),
    check('browser', 'size of the web app', ['node', 'web/scripts/size-report.mjs', '--check']),
    vitest('system', 'browser', reports),
    // The system tests run separate processes, the browser tests one; `pnpm nightly` runs both in both forms.
    playwright('stations', 'browser tests', browser, reports),
    playwright('clock', 'timed browser tests', browser, reports),
  ]
}
