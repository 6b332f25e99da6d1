import { join } from 'node:path'
import { playwrightReport, type Report, vitestReport } from './reports.ts'

/** One verification: a program, and how to read its report. */
export interface Step {
  name: string
  command: readonly string[]
  env?: Record<string, string>
  /** Undefined for a check without tests. */
  report?: () => Report
}

const boundaries = ['gateway', 'services', 'packages', 'web/src', 'infra']

/** Everything CI verifies, fast steps first. `reports` is the folder of the steps' reports. */
export function steps(reports: string, chromium: string | undefined): Step[] {
  const vitest = (project: string, env: Record<string, string> = {}): Step => {
    const file = join(reports, `vitest-${project}.json`)
    return {
      name: `${project} tests`,
      command: [
        'vitest',
        'run',
        '--project',
        project,
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${file}`,
      ],
      env,
      report: () => vitestReport(file),
    }
  }
  const playwright = (
    project: string,
    { name, folders = [], env = {} }: { name: string; folders?: string[]; env?: Record<string, string> },
  ): Step => {
    const folder = name.replaceAll(' ', '-')
    const file = join(reports, `${folder}.json`)
    // Playwright empties its output folder at each start: one for each step keeps what earlier steps recorded of failures.
    const options = [`--project=${project}`, '--reporter=list,json', `--output=test-results/${folder}`]
    return {
      name,
      command: ['playwright', 'test', ...folders, ...options],
      env: {
        ...env,
        PLAYWRIGHT_JSON_OUTPUT_NAME: file,
        ...(chromium === undefined ? {} : { PLAYWRIGHT_CHROMIUM: chromium }),
      },
      report: () => playwrightReport(file),
    }
  }
  return [
    { name: 'lint and format', command: ['biome', 'ci', '.'] },
    { name: 'promises and function length', command: ['oxlint'] },
    { name: 'plain language', command: ['node', 'infra/lint/plain-language.ts'] },
    { name: 'boundaries', command: ['depcruise', '--config', '.dependency-cruiser.json', ...boundaries] },
    { name: 'unused files, exports and packages', command: ['knip'] },
    { name: 'types', command: ['tsc', '-p', 'tsconfig.json'] },
    { name: 'types of the web app', command: ['tsc', '-p', 'web/tsconfig.json'] },
    vitest('unit'),
    vitest('integration'),
    { name: 'web build', command: ['node', 'infra/verify/build-web.ts'] },
    { name: 'size of the web app', command: ['node', 'web/scripts/size-report.mjs', '--check'] },
    vitest('system'),
    playwright('stations', { name: 'browser tests', folders: ['e2e/viewer', 'e2e/station'] }),
    // Both forms of a station are tested in a browser; `pnpm nightly` runs all browser tests in both.
    playwright('stations', {
      name: 'browser tests of admin pages, services in one process',
      folders: ['e2e/admin'],
      env: { TESTKIT_PROCESSES: 'one' },
    }),
    playwright('clock', { name: 'timed browser tests' }),
  ]
}
