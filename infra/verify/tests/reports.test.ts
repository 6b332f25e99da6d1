import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { repositoryRoot } from '../../runner/src/paths.ts'
import { failureLines, playwrightReport, vitestReport } from '../reports.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'looptide-reports-'))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function reportFile(name: string, report: unknown): string {
  const file = join(folder, name)
  writeFileSync(file, JSON.stringify(report))
  return file
}

test('failed tests of vitest and files that could not be loaded are listed with their errors', () => {
  const file = reportFile('vitest.json', {
    numPassedTests: 1,
    numFailedTests: 1,
    numPendingTests: 0,
    numTodoTests: 0,
    testResults: [
      {
        name: join(repositoryRoot, 'a/tests/first.test.ts'),
        status: 'failed',
        message: '',
        assertionResults: [
          { fullName: 'counts', status: 'passed', failureMessages: [] },
          {
            fullName: 'subtracts',
            status: 'failed',
            failureMessages: ['\u001b[31mexpected 1 to be 2\u001b[39m'],
          },
        ],
      },
      {
        name: join(repositoryRoot, 'a/tests/second.test.ts'),
        status: 'failed',
        message: 'Cannot find module',
        assertionResults: [],
      },
    ],
  })
  expect(vitestReport(file)).toEqual({
    counts: { passed: 1, failed: 2, skipped: 0 },
    failures: [
      { test: 'a/tests/second.test.ts', message: 'Cannot find module' },
      { test: 'a/tests/first.test.ts › subtracts', message: 'expected 1 to be 2' },
    ],
  })
})

test('failed tests of Playwright are listed, in nested suites too', () => {
  const spec = (title: string, status: string, errors: { message: string }[]) => ({
    file: 'viewer/player.e2e.ts',
    line: 12,
    title,
    tests: [{ status, results: [{ errors }] }],
  })
  const file = reportFile('playwright.json', {
    stats: { expected: 1, unexpected: 1, flaky: 0, skipped: 0 },
    errors: [],
    suites: [
      {
        specs: [spec('plays', 'expected', [])],
        suites: [{ specs: [spec('pauses', 'unexpected', [{ message: 'no button' }])] }],
      },
    ],
  })
  expect(playwrightReport(file)).toEqual({
    counts: { passed: 1, failed: 1, skipped: 0 },
    failures: [{ test: 'viewer/player.e2e.ts:12 › pauses', message: 'no button' }],
  })
})

test('the list of failures is bounded in entries, lines and line lengths', () => {
  const message = Array.from({ length: 50 }, () => 'x'.repeat(1000)).join('\n')
  const failures = Array.from({ length: 25 }, (_, index) => ({ test: `test ${index}`, message }))
  const lines = failureLines('unit tests', failures)
  expect(lines).toHaveLength(20 * 13 + 1)
  expect(Math.max(...lines.map((line) => line.length))).toBe(204)
  expect(lines.at(-1)).toBe('unit tests: 5 more failed tests')
})
