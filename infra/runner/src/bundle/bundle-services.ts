import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { baseEnv } from '@looptide/backing/base-env'
import { bundleRoot, repositoryRoot } from '@looptide/backing/paths'
import { buildOnce } from '../build/build-once.ts'
import { stampOf } from '../build/build-web.ts'
import { runOnce } from '../processes/run-once.ts'

const workspaces = ['services', 'packages'].flatMap((folder) =>
  readdirSync(join(repositoryRoot, folder)).map((name) => `${folder}/${name}`),
)
const sources = [
  ...[...workspaces, 'gateway', 'infra/runner'].map((folder) => `${folder}/src`),
  'pnpm-lock.yaml',
]
const stampFile = join(repositoryRoot, '.local/bundle.stamp')

const presentStamp = (): string => stampOf(sources.map((source) => join(repositoryRoot, source)))

const isBundled = (stamp: string): boolean => existsSync(bundleRoot) && readStamp() === stamp

/**
 * The runner's bundled program, if it is that of the present sources: it needs 13 MB less than the sources, as long as
 * the station runs.
 */
export function bundledRunner(): string | undefined {
  return isBundled(presentStamp()) ? join(bundleRoot, 'infra/runner/src/run.js') : undefined
}

/**
 * Bundles the programs of the services and of the runner into {@link bundleRoot}, unless the present sources have been
 * bundled already. A bundled program loads a few files instead of up to a thousand: it starts in half the processor time and uses a third
 * less memory (`bench/start.ts`). Concurrent starts in one checkout wait for one build.
 *
 * @throws Failure when a source cannot be bundled
 */
export async function bundleServices(signal: AbortSignal, say: (text: string) => void): Promise<void> {
  const stamp = presentStamp()
  mkdirSync(join(repositoryRoot, '.local'), { recursive: true })
  await buildOnce({
    lock: `${stampFile}.lock`,
    isBuilt: () => isBundled(stamp),
    build: async () => {
      say('Bundling the services …')
      await runOnce({
        what: 'Bundling the services',
        command: process.execPath,
        args: [join(repositoryRoot, 'infra/runner/src/bundle/main.ts'), bundleRoot],
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
