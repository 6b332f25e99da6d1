import { defineConfig } from '@playwright/test'
import { chromiumFlags, chromiumPath } from './packages/testkit/src/browser.ts'

// The services of a station run in one process, unless the environment says otherwise: it takes less time and memory.
process.env.TESTKIT_PROCESSES ??= 'one'

/** Tag of tests with a time limit of the specification, or that measure instants: they need the machine to themselves. */
const CLOCK = /@clock/
/** The test that is the most sensitive to other work. */
const SYNC = '**/sync.e2e.ts'

/**
 * Browser tests of the whole station. The projects run one after the other: `stations` with two files at once (three are no
 * faster on two cores, and tests miss their time limits), `clock` and `sync` with one test. Each has its own output folder, so
 * that one does not delete what the other recorded of a failure.
 */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.e2e.ts',
  projects: [
    {
      name: 'stations',
      grepInvert: CLOCK,
      workers: 2,
      outputDir: 'test-results/stations',
    },
    { name: 'clock', grep: CLOCK, testIgnore: SYNC, workers: 1, outputDir: 'test-results/clock' },
    { name: 'sync', testMatch: SYNC, workers: 1, outputDir: 'test-results/sync' },
  ],
  workers: 2,
  // Not a measure of speed: these only end a test that hangs, also on a machine that is three times slower than usual.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  forbidOnly: true,
  retries: 0,
  reporter: 'list',
  use: {
    // Animations cost processor time while a test waits. The tests that are about them ask for them.
    reducedMotion: 'reduce',
    launchOptions: { executablePath: chromiumPath(), args: chromiumFlags },
  },
})
