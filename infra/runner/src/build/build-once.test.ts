import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@looptide/testkit/until'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { buildOnce } from './build-once.ts'

let folder: string
let builds: number
let isBuilt: boolean
/** Lets the build that is under way end. */
let finish: (failure?: Error) => void

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'looptide-build-'))
  builds = 0
  isBuilt = false
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const start = (signal = AbortSignal.timeout(20_000)) =>
  buildOnce({
    lock: join(folder, 'build.lock'),
    isBuilt: () => isBuilt,
    build: async () => {
      builds += 1
      await new Promise<void>((resolve, reject) => {
        finish = (failure) => (failure === undefined ? resolve() : reject(failure))
      })
      isBuilt = true
    },
    signal,
  })

it('builds once for several that start at the same time, and leaves nothing behind', async () => {
  const all = [start(), start(), start()]
  await until('one builds', () => builds === 1)
  finish()
  await Promise.all(all)
  await start()
  expect(builds).toBe(1)
  expect(readdirSync(folder)).toEqual([])
})

it('is done by one that waited when the first one fails', async () => {
  const [first, second] = [start(), start()]
  const failed = expect(first).rejects.toThrow('out of memory')
  finish(new Error('out of memory'))
  await failed
  await until('the second one builds', () => builds === 2)
  finish()
  await second
})

it('stops waiting when it is aborted', async () => {
  const stop = new AbortController()
  const [first, second] = [start(), start(stop.signal)]
  stop.abort()
  await expect(second).rejects.toThrow()
  finish()
  await first
  expect(builds).toBe(1)
})
