import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { repositoryRoot } from '../../../packages/backing/src/paths.ts'
import { failureLines, playwrightReport, slowestFiles, vitestReport } from '../reports.ts'

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
        startTime: 1_000,
        endTime: 3_500,
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
        startTime: 1_000,
        endTime: 1_000,
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
    files: [
      { file: 'a/tests/first.test.ts', ms: 2_500 },
      { file: 'a/tests/second.test.ts', ms: 0 },
    ],
  })
})

test('failed tests of Playwright are listed, in nested suites too', () => {
  const spec = (title: string, status: string, errors: { message: string }[]) => ({
    file: 'viewer/player.e2e.ts',
    line: 12,
    title,
    tests: [{ status, results: [{ duration: 700, errors }] }],
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
    files: [
      { file: 'e2e/viewer/player.e2e.ts', ms: 700 },
      { file: 'e2e/viewer/player.e2e.ts', ms: 700 },
    ],
  })
})

test('the ten slowest files are listed, each once with the time of all its tests', () => {
  const quick = Array.from({ length: 20 }, (_, index) => ({ file: `quick-${index}.test.ts`, ms: index }))
  const parts = [400, 900].map((ms) => ({ file: 'e2e/viewer/chat.e2e.ts', ms }))
  const lines = slowestFiles([...parts, ...quick, { file: 'slow.test.ts', ms: 1_200_000 }])
  expect(lines).toHaveLength(10)
  expect(lines.slice(0, 3)).toEqual([
    ' 1200.0 s   slow.test.ts',
    '    1.3 s   e2e/viewer/chat.e2e.ts',
    '    0.0 s   quick-19.test.ts',
  ])
})

test('the list of failures is bounded in entries, lines and line lengths', () => {
  const message = Array.from({ length: 50 }, () => 'x'.repeat(1000)).join('\n')
  const failures = Array.from({ length: 25 }, (_, index) => ({ test: `test ${index}`, message }))
  const lines = failureLines('unit tests', failures)
  expect(lines).toHaveLength(20 * 13 + 1)
  expect(Math.max(...lines.map((line) => line.length))).toBe(204)
  expect(lines.at(-1)).toBe('unit tests: 5 more failed tests')
})
