import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { baseEnv } from '@looptide/backing/base-env'
import { repositoryRoot } from '@looptide/backing/paths'
import { runOnce } from '../processes/run-once.ts'
import { buildOnce } from './build-once.ts'

const sources = ['web', 'packages/contracts/src', 'packages/playhead/src', 'pnpm-lock.yaml']
const skipped = new Set(['node_modules', 'dist'])
const web = join(repositoryRoot, 'web')
const stampFile = join(repositoryRoot, '.local/web-build')

/**
 * Builds the web app into `web/dist` unless the present sources have been built already. Concurrent starts in one
 * checkout wait for one build.
 */
export async function buildWeb(signal: AbortSignal, say: (text: string) => void): Promise<void> {
  const stamp = stampOf(sources.map((source) => join(repositoryRoot, source)))
  mkdirSync(dirname(stampFile), { recursive: true })
  await buildOnce({
    lock: `${stampFile}.lock`,
    isBuilt: () => existsSync(join(web, 'dist/index.html')) && readStamp() === stamp,
    build: () => build(stamp, signal, say),
    signal,
  })
}

async function build(stamp: string, signal: AbortSignal, say: (text: string) => void): Promise<void> {
  say('Building the web app …')
  await runOnce({
    what: 'Building the web app',
    command: process.execPath,
    args: [join(web, 'node_modules/vite/bin/vite.js'), 'build'],
    env: { ...baseEnv(), NODE_ENV: 'production' },
    cwd: web,
    signal,
  })
  writeFileSync(stampFile, stamp)
}

/** Hash of the names, sizes and times of all files: notices an edit and is fast enough for every start. */
export function stampOf(paths: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of paths) {
    for (const file of filesBelow(path).sort()) {
      const { size, mtimeMs } = statSync(file)
      hash.update(`${relative(repositoryRoot, file)}\0${size}\0${mtimeMs}\n`)
    }
  }
  return hash.digest('hex')
}

function filesBelow(path: string): string[] {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => !skipped.has(entry.name))
    .flatMap((entry) => filesBelow(join(path, entry.name)))
}

function readStamp(): string | undefined {
  try {
    return readFileSync(stampFile, 'utf8')
  } catch {
    return undefined
  }
}
