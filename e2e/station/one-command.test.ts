import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@looptide/backing/free-port'
import type { HealthReport } from '@looptide/contracts/http/admin'
import type { NowState } from '@looptide/contracts/http/channels'
import { until } from '@looptide/testkit/until'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { identify } from '../../infra/runner/src/processes/process-identity.ts'

// The command of `npm start`, without npm itself.
const bootstrap = fileURLToPath(new URL('../../infra/bootstrap.mjs', import.meta.url))
const startTimeoutMs = 240_000

let dataDir: string
let env: Record<string, string>
const started: ChildProcess[] = []

beforeAll(async () => {
  for (const name of ['DATABASE_URL', 'REDIS_URL', 'NATS_URL', 'SMTP_URL', 'SITE_URL'])
    delete process.env[name]
  dataDir = await mkdtemp(join(tmpdir(), 'looptide-one-command-'))
  env = {
    LOOPTIDE_DATA: dataDir,
    PORT: String(await freePort()),
    MAIL_WEB_PORT: String(await freePort()),
  }
})

afterEach(async () => {
  const left = started.splice(0).filter((child) => child.exitCode === null && child.signalCode === null)
  for (const child of left) child.kill('SIGTERM')
  await Promise.all(left.map((child) => once(child, 'exit')))
})

afterAll(() => rm(dataDir, { recursive: true, force: true }))

interface Run {
  child: ChildProcess
  output: () => string
}

function start(extra: Record<string, string> = {}): Run {
  const child = spawn(process.execPath, [bootstrap, 'start'], {
    env: { ...process.env, ...env, ...extra },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  let output = ''
  const keep = (chunk: Buffer) => {
    output += chunk.toString()
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  return { child, output: () => output }
}

async function onAir(run: Run): Promise<string> {
  const address = () => /On the air: +(http\S+)\/live/.exec(run.output())?.[1]
  const ended = () => run.child.exitCode !== null
  await until('the station is on the air', () => address() ?? ended(), { timeoutMs: startTimeoutMs })
  expect(ended(), run.output()).toBe(false)
  return address()!
}

async function processes(): Promise<number[]> {
  const entries = JSON.parse(await readFile(join(dataDir, 'processes.json'), 'utf8')) as { pid: number }[]
  return entries.map(({ pid }) => pid)
}

async function ctrlC(run: Run): Promise<number | null> {
  run.child.kill('SIGINT')
  const [code] = (await once(run.child, 'exit')) as [number | null]
  return code
}

async function getJson<T>(url: string): Promise<T> {
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) })
  expect(response.status, url).toBe(200)
  return (await response.json()) as T
}

test('one command puts the station on the air, a second start reports it, Ctrl-C stops all processes, and a restart keeps the data', async () => {
  const first = start()
  const url = await onAir(first)
  expect(url).toBe(`http://localhost:${env.PORT}`)
  expect(first.output()).toMatch(/Admin: +admin@looptide\.local +password \S+ +\(shown only now\)/)
  expect(first.output()).toContain(`Mail inbox:  http://localhost:${env.MAIL_WEB_PORT}`)

  // A service that was ready before auth loads the access list later.
  const health = await until('every service is healthy', async () => {
    const report = await getJson<HealthReport>(`${url}/api/health`)
    return report.results.every(({ healthy }) => healthy) && report
  })
  expect(health.results.length).toBeGreaterThanOrEqual(6)
  const page = await fetch(`${url}/live`, { headers: { accept: 'text/html' } })
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toContain('text/html')
  const now = () => getJson<NowState>(`${url}/api/channels/test-card/now`)
  const before = await until('the test card plays', async () => {
    const state = await now()
    return state.status === 'live' && state.programmes.length > 0 && state
  })

  const another = start()
  const [code] = (await once(another.child, 'close')) as [number]
  expect(code).toBe(1)
  expect(another.output()).toMatch(/The station is already running on .* \(process \d+\): /)

  const pids = await processes()
  expect(pids.length).toBeGreaterThanOrEqual(10)
  expect(await ctrlC(first)).toBe(0)
  expect(pids.filter((pid) => identify(pid) !== undefined)).toEqual([])

  const second = start()
  await onAir(second)
  expect(second.output()).not.toContain('Admin:')
  const after = await until('the test card plays again', async () => {
    const state = await now()
    return state.programmes.length > 0 && state
  })
  const known = new Map(before.programmes.map((programme) => [programme.id, programme.startsAtMs]))
  expect(after.programmes.some((programme) => known.get(programme.id) === programme.startsAtMs)).toBe(true)
  expect(await ctrlC(second)).toBe(0)
}, 600_000)

test('a requested port that is in use is reported in one sentence', async () => {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  const address = holder.address()
  const port = typeof address === 'object' && address !== null ? String(address.port) : ''
  const run = start({ PORT: port })
  const [code] = (await once(run.child, 'close')) as [number]
  holder.close()
  expect(code).toBe(1)
  const lines = run.output().trim().split('\n')
  expect(lines.at(-1)).toBe(
    `Port ${port} is taken (or not permitted): stop the program that uses it, or set PORT to another port.`,
  )
}, 120_000)

test('all invalid settings are named at once, without their values', async () => {
  const run = start({ PORT: 'eighty', MAIL_CONFIRMATION: 'maybe' })
  const [code] = (await once(run.child, 'close')) as [number]
  expect(code).toBe(1)
  expect(run.output()).toContain('PORT must be')
  expect(run.output()).toContain('MAIL_CONFIRMATION must be')
  expect(run.output()).not.toContain('eighty')
}, 120_000)
