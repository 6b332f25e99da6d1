import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('.', import.meta.url))
/** `VITEST_WITHOUT` are further patterns, separated by commas: what `npm test` runs in another step. */
const never = [
  '**/node_modules/**',
  '**/dist/**',
  '**/.local/**',
  ...(process.env.VITEST_WITHOUT?.split(',') ?? []),
]
/** Vitest's limit of a second would depend on the speed of the machine. */
const expect = { poll: { timeout: 30_000 } }

/**
 * The projects `unit` and `integration` run without isolation: a worker evaluates the modules that its test files share
 * once, which makes them two to three times as fast. A test restores what it changes in its process, such as an
 * environment variable.
 *
 * The time limits only end a test that hangs; they leave room for a machine that is three times slower than usual.
 */
export default defineConfig({
  root,
  test: {
    projects: [
      {
        root,
        test: {
          name: 'unit',
          expect,
          include: [
            '{packages,services}/*/src/**/*.test.{ts,tsx}',
            '{gateway,web}/src/**/*.test.{ts,tsx}',
            'web/scripts/**/*.test.ts',
            'infra/**/src/**/*.test.ts',
            'e2e/support/**/*.test.ts',
          ],
          exclude: never,
          isolate: false,
          unstubGlobals: true,
          testTimeout: 30_000,
        },
      },
      {
        root,
        test: {
          name: 'integration',
          expect,
          include: [
            '{packages,services}/*/tests/**/*.test.ts',
            'gateway/tests/**/*.test.ts',
            'infra/**/tests/**/*.test.ts',
          ],
          exclude: never,
          globalSetup: ['packages/testkit/src/global-set-up.ts'],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          // Files wait more than they work: for stores that start, and for times of the product.
          maxWorkers: 6,
          pool: 'forks',
          isolate: false,
          unstubGlobals: true,
          // Vitest refuses to run projects with different numbers of workers at the same time.
          sequence: { groupOrder: 1 },
        },
      },
      {
        root,
        test: {
          name: 'system',
          expect,
          include: ['e2e/**/*.test.ts'],
          exclude: [...never, 'e2e/support/**'],
          globalSetup: ['packages/testkit/src/global-set-up.ts'],
          testTimeout: 240_000,
          hookTimeout: 360_000,
          // Stations wait more than they work: two share the machine, but not with the tests of the other projects.
          maxWorkers: 2,
          pool: 'forks',
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
