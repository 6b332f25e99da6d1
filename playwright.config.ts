import { defineConfig } from '@playwright/test'
import { chromiumFlags, chromiumPath } from './packages/testkit/src/browser.ts'

/** Files that measure how well players keep to the playhead: they want the machine to themselves. */
const againstTheClock = ['player', 'sync'].map((name) => `**/${name}.e2e.ts`)

/**
 * Browser tests of the whole station; each file starts its own. Two projects run one after the other: `stations` with
 * two files at once (three are no faster on two cores, and tests miss their time limits), and `clock` with one. Each has
 * its own output folder, so that one does not delete what the other recorded of a failure.
 */
export default defineConfig({
  testDir: 'e2e',
  projects: [
    {
      name: 'stations',
      testMatch: '**/*.e2e.ts',
      testIgnore: againstTheClock,
      workers: 2,
      outputDir: 'test-results/stations',
    },
    { name: 'clock', testMatch: againstTheClock, workers: 1, outputDir: 'test-results/clock' },
  ],
  workers: 2,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  forbidOnly: true,
  retries: 0,
  reporter: 'list',
  use: {
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: chromiumPath(), args: chromiumFlags },
  },
})
