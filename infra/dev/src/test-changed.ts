import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../../../packages/backing/src/paths.ts'
import { findChromium } from '../../../packages/backing/src/programs/chromium.ts'
import { browserTestsFor } from './changed-tests.ts'

// `pnpm test:changed [COMMIT]`: the unit and integration tests that import what has changed since COMMIT (default: HEAD,
// the uncommitted changes), and the browser tests named after a changed feature.

const [since = 'HEAD'] = process.argv.slice(2)

function git(...args: string[]): string[] {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: repositoryRoot, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args[0]}: ${stderr}`)
  return stdout.split('\n').filter((line) => line !== '')
}

/** Runs a program of node_modules. Returns whether it succeeded. */
function run(program: string, args: readonly string[], env: Record<string, string> = {}): boolean {
  const command = join(repositoryRoot, 'node_modules/.bin', program)
  const { status } = spawnSync(command, args, {
    cwd: repositoryRoot,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  return status === 0
}

const changed = [
  ...git('diff', '--name-only', '--diff-filter=d', since),
  ...git('ls-files', '--others', '--exclude-standard'),
]
const browserTests = browserTestsFor(changed, globSync('e2e/**/*.e2e.ts', { cwd: repositoryRoot }))
const projects = ['--project', 'unit', '--project', 'integration']
const results = [run('vitest', ['run', ...projects, '--changed', since, '--passWithNoTests'])]
if (browserTests.length > 0) {
  const chromium = findChromium(process.env.PLAYWRIGHT_CHROMIUM)
  console.log(`Browser tests: ${browserTests.join(', ')}`)
  results.push(
    run(
      'playwright',
      ['test', ...browserTests],
      chromium === undefined ? {} : { PLAYWRIGHT_CHROMIUM: chromium },
    ),
  )
}
process.exitCode = results.every(Boolean) ? 0 : 1
