import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repositoryRoot } from '@looptide/backing/paths'
import { SmallDisk } from '@looptide/testkit/small-disk'
import { afterAll, beforeAll, expect, it } from 'vitest'

const COPIED = [
  'infra/bootstrap.mjs',
  'infra/toolchain',
  'package.json',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
]
let disk: SmallDisk
let checkout: string

beforeAll(async () => {
  disk = await SmallDisk.make(420)
  checkout = mkdtempSync(join(tmpdir(), 'looptide-checkout-'))
  // The disk is entered as another user.
  chmodSync(checkout, 0o755)
  for (const path of COPIED) cpSync(join(repositoryRoot, path), join(checkout, path), { recursive: true })
})
afterAll(async () => {
  rmSync(checkout, { recursive: true, force: true })
  await disk.remove()
})

/** Runs a shell script where the disk is mounted; `$0` is its folder. */
function run(script: string, ...args: string[]) {
  const [command = '', ...enter] = disk.enter
  return spawnSync(command, [...enter, 'sh', '-c', script, disk.folder, ...args], { encoding: 'utf8' })
}

it('an installation on a full disk says how much space it needs, and downloads nothing', () => {
  const script = 'cp -r "$1/." "$0" && "$2" "$0/infra/bootstrap.mjs" start && ls "$0"'
  const { status, stderr, stdout } = run(script, checkout, process.execPath)
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^The installation needs \d+ MB in \S+, but only 4\d\d MB are free: [^\n]+\n$/)
})

it('a new station on a full disk says how much space it needs, and starts nothing', () => {
  const start = join(repositoryRoot, 'infra/runner/src/start.ts')
  const { status, stderr } = run('LOOPTIDE_DATA="$0/data" "$1" "$2"', process.execPath, start)
  expect(status).toBe(1)
  expect(stderr).toMatch(/^A new station needs \d+ MB in \S+, but only 4\d\d MB are free: [^\n]+\n$/)
  expect(run('ls "$0/data"').stdout).toBe('logs\n')
})
