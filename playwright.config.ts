import { defineConfig } from '@playwright/test'
import { chromiumFlags, chromiumPath } from './packages/testkit/src/browser.ts'

/** Browser tests of the whole station, one at a time: each starts its own. */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.e2e.ts',
  outputDir: 'test-results',
  workers: 1,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  forbidOnly: true,
  retries: 0,
  reporter: 'list',
  use: {
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
    launchOptions: { executablePath: chromiumPath(), args: chromiumFlags },
  },
})
