import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { repositoryRoot } from '../../packages/backing/src/paths.ts'

/** Numbers of passed, failed and skipped tests or checks. */
export interface Counts {
  passed: number
  failed: number
  skipped: number
}

/** A failed test: its file and title, and what its error said. */
export interface Failure {
  test: string
  message: string
}

/** A test file and the time that its tests took, in ms. */
export interface FileTime {
  file: string
  ms: number
}

export interface Report {
  counts: Counts
  failures: Failure[]
  files: FileTime[]
}

export const none: Counts = { passed: 0, failed: 0, skipped: 0 }
const nothing: Report = { counts: none, failures: [], files: [] }

export function add(a: Counts, b: Counts): Counts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }
}

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: {
    name: string
    status: string
    message: string
    startTime: number
    endTime: number
    assertionResults: { fullName: string; status: string; failureMessages: string[] | null }[]
  }[]
}

/** Reads vitest's JSON report. A file that could not be loaded is one failure. */
export function vitestReport(path: string): Report {
  const report = read<VitestReport>(path)
  if (report === undefined) return nothing
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  )
  const failedTests = report.testResults.flatMap((file) =>
    file.assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) =>
        failure(`${inRepository(file.name)} › ${test.fullName}`, test.failureMessages?.join('\n')),
      ),
  )
  return {
    counts: {
      passed: report.numPassedTests,
      failed: report.numFailedTests + broken.length,
      skipped: report.numPendingTests + report.numTodoTests,
    },
    failures: [...broken.map((file) => failure(inRepository(file.name), file.message)), ...failedTests],
    files: report.testResults.map(({ name, startTime, endTime }) => ({
      file: inRepository(name),
      ms: endTime - startTime,
    })),
  }
}

interface PlaywrightSuite {
  specs: {
    file: string
    line: number
    title: string
    tests: { status: string; results: { duration: number; errors: { message?: string }[] }[] }[]
  }[]
  suites?: PlaywrightSuite[]
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  errors: { message?: string }[]
  suites: PlaywrightSuite[]
}

/** Reads Playwright's JSON report. A test that passed only on a retry has failed. */
export function playwrightReport(path: string): Report {
  const report = read<PlaywrightReport>(path)
  if (report === undefined) return nothing
  const { expected, unexpected, flaky, skipped } = report.stats
  return {
    counts: { passed: expected, failed: unexpected + flaky + report.errors.length, skipped },
    failures: [
      ...report.errors.map((error) => failure('outside of tests', error.message)),
      ...report.suites.flatMap(failuresOfSuite),
    ],
    files: report.suites.flatMap(timesOfSuite),
  }
}

/** The time of each test, by its file. */
function timesOfSuite({ specs, suites = [] }: PlaywrightSuite): FileTime[] {
  const times = specs.flatMap(({ file, tests }) =>
    tests.flatMap(({ results }) => results.map(({ duration }) => ({ file: `e2e/${file}`, ms: duration }))),
  )
  return [...times, ...suites.flatMap(timesOfSuite)]
}

function failuresOfSuite({ specs, suites = [] }: PlaywrightSuite): Failure[] {
  const failures = specs.flatMap((spec) =>
    spec.tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ results }) => {
        const messages = results.flatMap(({ errors }) => errors.map((error) => error.message))
        return failure(`${spec.file}:${spec.line} › ${spec.title}`, messages.join('\n'))
      }),
  )
  return [...failures, ...suites.flatMap(failuresOfSuite)]
}

function failure(test: string, message: string | undefined): Failure {
  return { test, message: stripVTControlCharacters(message ?? '') }
}

function inRepository(file: string): string {
  return relative(repositoryRoot, file)
}

const shownFailures = 20
const shownLines = 12
const shownLineLength = 200

/** The failures of a step as lines for a terminal, shortened: the whole messages are in the step's own output. */
export function failureLines(step: string, failures: readonly Failure[]): string[] {
  const lines = failures.slice(0, shownFailures).flatMap(({ test, message }) => [
    `${step}: ${test}`,
    ...message
      .split('\n')
      .filter((line) => line.trim() !== '')
      .slice(0, shownLines)
      .map((line) => `    ${line.slice(0, shownLineLength)}`),
  ])
  const hidden = failures.length - shownFailures
  return hidden > 0 ? [...lines, `${step}: ${hidden} more failed tests`] : lines
}

const SLOWEST = 10

/** The files whose tests took longest, over all steps, as lines for a terminal: seconds and path. */
export function slowestFiles(files: readonly FileTime[]): string[] {
  const total = new Map<string, number>()
  for (const { file, ms } of files) total.set(file, (total.get(file) ?? 0) + ms)
  return [...total]
    .sort(([, a], [, b]) => b - a)
    .slice(0, SLOWEST)
    .map(([file, ms]) => `${(ms / 1000).toFixed(1).padStart(7)} s   ${file}`)
}

function read<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T
  } catch {
    return undefined
  }
}
