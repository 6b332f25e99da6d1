import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { baseEnv } from '@looptide/backing/base-env'
import { bundleRoot, repositoryRoot } from '@looptide/backing/paths'
import { buildOnce } from '../build/build-once.ts'
import { stampOf } from '../build/build-web.ts'
import { runOnce } from '../processes/run-once.ts'
import { stationServices } from '../processes/services.ts'

const sources = [
  ...stationServices.map(({ folder }) => `${folder}/src`),
  'packages/contracts/src',
  'packages/planner/src',
  'packages/playhead/src',
  'packages/service-kit/src',
  'infra/runner/src/bundle',
  'infra/runner/src/one-process',
  'pnpm-lock.yaml',
]
const stampFile = join(repositoryRoot, '.local/bundle.stamp')

/**
 * Bundles the services' programs into {@link bundleRoot}, unless the present sources have been bundled already. A
 * bundled program loads a few files instead of up to a thousand: it starts in half the processor time and uses a third
 * less memory (`bench/start.ts`). Concurrent starts in one checkout wait for one build.
 *
 * @throws Failure when a source cannot be bundled
 */
export async function bundleServices(signal: AbortSignal, say: (text: string) => void): Promise<void> {
  const stamp = stampOf(sources.map((source) => join(repositoryRoot, source)))
  mkdirSync(join(repositoryRoot, '.local'), { recursive: true })
  await buildOnce({
    lock: `${stampFile}.lock`,
    isBuilt: () => existsSync(bundleRoot) && readStamp() === stamp,
    build: async () => {
      say('Bundling the services …')
      await runOnce({
        what: 'Bundling the services',
        command: process.execPath,
        args: [join(import.meta.dirname, 'main.ts'), bundleRoot],
        env: baseEnv(),
        cwd: repositoryRoot,
        signal,
      })
      writeFileSync(stampFile, stamp)
    },
    signal,
  })
}

function readStamp(): string | undefined {
  try {
    return readFileSync(stampFile, 'utf8')
  } catch {
    return undefined
  }
}
