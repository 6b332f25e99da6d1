import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
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
/** Time limit (ms) of a program that should end at once: the test fails instead of waiting without end. */
const ENDS_MS = 60_000
const start = join(repositoryRoot, 'infra/runner/src/start.ts')
const notWritable = (folder: string): string =>
  `${folder} cannot be written: set LOOPTIDE_DATA to a folder that belongs to you.\n`
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
  return spawnSync(command, [...enter, 'sh', '-c', script, disk.folder, ...args], {
    encoding: 'utf8',
    timeout: ENDS_MS,
    killSignal: 'SIGKILL',
  })
}

it('an installation on a full disk says how much space it needs, and downloads nothing', () => {
  const script = 'cp -r "$1/." "$0" && "$2" "$0/infra/bootstrap.mjs" start && ls "$0"'
  const { status, stderr, stdout } = run(script, checkout, process.execPath)
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^The installation needs \d+ MB in \S+, but only 4\d\d MB are free: [^\n]+\n$/)
})

it('a new station on a full disk says how much space it needs, and starts nothing', () => {
  const { status, stderr } = run('LOOPTIDE_DATA="$0/data" "$1" "$2"', process.execPath, start)
  expect(status).toBe(1)
  expect(stderr).toMatch(/^A new station needs \d+ MB in \S+, but only 4\d\d MB are free: [^\n]+\n$/)
  expect(run('ls "$0/data"').stdout).toBe('logs\n')
})

it('a station whose folder belongs to another account says so in one sentence', () => {
  const { status, stderr } = run('LOOPTIDE_DATA=/looptide exec "$1" "$2"', process.execPath, start)
  expect([status, stderr]).toEqual([1, notWritable('/looptide')])
})

it('a station whose folder is on a read-only disk says so in one sentence', () => {
  const folder = mkdtempSync(join(tmpdir(), 'looptide-read-only-'))
  try {
    const script = 'mount -t tmpfs -o ro tmpfs "$0" && LOOPTIDE_DATA="$0/data" exec "$1" "$2"'
    const isRoot = process.getuid?.() === 0
    const inside = [...(isRoot ? [] : ['--user', '--map-root-user']), '--mount', 'sh', '-c', script, folder]
    const { status, stderr } = spawnSync('unshare', [...inside, process.execPath, start], {
      encoding: 'utf8',
      timeout: ENDS_MS,
      killSignal: 'SIGKILL',
    })
    expect([status, stderr]).toEqual([1, notWritable(join(folder, 'data'))])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

/** A copy of the checkout with a program in the place of npm, which prints its arguments and its lockfile, and fails. */
function unpacked(): { folder: string; env: NodeJS.ProcessEnv } {
  const folder = mkdtempSync(join(tmpdir(), 'looptide-installation-'))
  cpSync(checkout, folder, { recursive: true })
  const npm = join(folder, 'npm.js')
  const program = [
    `import { readFileSync } from 'node:fs'`,
    `console.log(process.argv[2], readFileSync(process.argv[4] + '/package-lock.json', 'utf8'))`,
    'process.exit(1)',
  ]
  writeFileSync(npm, program.join('\n'))
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter)
  return { folder, env: { ...process.env, PATH: path, npm_execpath: npm } }
}

const lockOf = (part: string): string =>
  readFileSync(join(repositoryRoot, 'infra/toolchain', part, 'package-lock.json'), 'utf8').trim()

it.each(['start', 'test', 'looptide'])(
  '`npm run %s` with an older Node has npm install Node by the digests of this repository',
  (command) => {
    const { folder, env } = unpacked()
    try {
      const older = join(folder, 'older.cjs')
      const versions = `{ ...process.versions, node: '18.0.0' }`
      writeFileSync(older, `Object.defineProperty(process, 'versions', { value: ${versions} })`)
      const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
        scripts: Record<string, string>
      }
      const { status, stderr } = spawnSync('sh', ['-c', scripts[command] ?? ''], {
        cwd: folder,
        encoding: 'utf8',
        env: { ...env, NODE_OPTIONS: `--require ${older}` },
      })
      expect(stderr).toContain(`ci ${lockOf('node')}`)
      expect(stderr).toMatch(/Node 24\S+ for \S+ could not be downloaded from npm/)
      expect(status).toBe(1)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
)

it('an installation has npm install pnpm by the digests of this repository', () => {
  const { folder, env } = unpacked()
  try {
    const bootstrap = join(folder, 'infra/bootstrap.mjs')
    const { status, stderr } = spawnSync(process.execPath, [bootstrap, 'start'], { encoding: 'utf8', env })
    expect(stderr).toContain(`ci ${lockOf('pnpm')}`)
    expect(stderr).toMatch(/pnpm \S+ could not be downloaded from npm/)
    expect(status).toBe(1)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
