import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@looptide/backing/free-port'
import { launchChromium } from '@looptide/testkit/browser'
import { until } from '@looptide/testkit/until'
import type { Browser } from '@playwright/test'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { identify } from '../../infra/runner/src/processes/process-identity.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** Folders of the repository that are not copied: unneeded or shared. */
const NOT_COPIED = /^(\.git|\.local|node_modules|docs|bench|e2e|k8s|test-results|web\/dist)$/
const START_TIMEOUT_MS = 240_000

let folder: string
let copy: string
let child: ChildProcess
let browser: Browser
let output = ''
let url: string

/** Changes a file of the copy. */
async function edit(path: string, from: string, to: string): Promise<void> {
  const text = await readFile(join(copy, path), 'utf8')
  expect(text).toContain(from)
  await writeFile(join(copy, path), text.replace(from, to))
}

const pids = async (): Promise<Record<string, number>> => {
  const entries = JSON.parse(await readFile(join(folder, 'data/processes.json'), 'utf8')) as {
    name: string
    pid: number
  }[]
  return Object.fromEntries(entries.map(({ name, pid }) => [name, pid]))
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'looptide-dev-'))
  copy = join(folder, 'repository')
  await cp(root, copy, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !NOT_COPIED.test(relative(root, path)),
  })
  for (const shared of ['node_modules', '.local']) await symlink(join(root, shared), join(copy, shared))
  url = `http://localhost:${await freePort()}`
  child = spawn(process.execPath, ['infra/dev/src/main.ts'], {
    cwd: copy,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      LOOPTIDE_DATA: join(folder, 'data'),
      PORT: new URL(url).port,
      MAIL_WEB_PORT: String(await freePort()),
    },
    // The station stops when the channel closes, so that it does not survive a killed test.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const keep = (chunk: Buffer): void => {
    output += chunk.toString()
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  await until(
    'the station is ready',
    () => {
      if (child.exitCode !== null) throw new Error(output)
      return output.includes('the web app updates in the browser')
    },
    { timeoutMs: START_TIMEOUT_MS },
  )
  browser = await launchChromium()
}, START_TIMEOUT_MS)

afterAll(async () => {
  await browser?.close()
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  await rm(folder, { recursive: true, force: true })
})

it('restarts the service whose source was changed, and no other', async () => {
  const before = await pids()
  await edit('services/auth/src/protocol/routes/station.ts', 'Accounts and sessions', 'Edited accounts')
  await until(
    'the new source answers',
    async () => (await (await fetch(`${url}/auth/v1/health`)).text()).includes('Edited accounts'),
    { timeoutMs: 60_000 },
  )
  await until('the reload is printed', () => /^auth reloaded in /m.test(output))
  const after = await pids()
  expect(Object.keys(after).filter((name) => after[name] !== before[name])).toEqual(['auth'])
})

it('prints why a service does not start, and starts it again after the next change', async () => {
  const path = 'services/chat/src/main.ts'
  const text = await readFile(join(copy, path), 'utf8')
  await writeFile(join(copy, path), `${text}\nthis is no source\n`)
  await until(
    'the terminal names the error',
    () => output.includes('chat is started again after the next change'),
    {
      timeoutMs: 60_000,
    },
  )
  expect(output).toContain('SyntaxError')
  await writeFile(join(copy, path), text)
  await until('the service runs', () => /^chat reloaded in /m.test(output), { timeoutMs: 60_000 })
})

it('updates the page in the browser without loading it again, within the content security policy', async () => {
  const page = await browser.newPage()
  const violations: string[] = []
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) violations.push(message.text())
  })
  await page.goto(url)
  const heading = page.getByRole('heading', { level: 1 })
  await heading.waitFor({ timeout: 60_000 })
  await page.evaluate(() => document.body.setAttribute('data-kept', 'yes'))
  await edit(
    'web/src/features/sign-in/sign-in-page.tsx',
    '{brand.tagline}</h1>',
    '{brand.tagline}, edited</h1>',
  )
  await until('the page shows the change', async () => (await heading.textContent())?.endsWith(', edited'))
  expect(await page.getAttribute('body', 'data-kept')).toBe('yes')
  expect(violations).toEqual([])
  await page.close()
})

it('shows the state of every process at /debug', async () => {
  const html = await (await fetch(`${url}/debug`)).text()
  const names = [...html.matchAll(/<h2 [^>]*>([^<]+)</g)].map(([, name]) => name)
  expect(names.sort()).toEqual(
    [
      'admin-audit',
      'audience',
      'auth',
      'catalogue',
      'chat',
      'gateway',
      'metadata-worker',
      'stream-scheduler',
    ].sort(),
  )
  expect(html).not.toContain('Not available')
})

it('stops everything on SIGTERM', async () => {
  const running = Object.values(await pids())
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  expect(code).toBe(0)
  expect(running.filter((pid) => identify(pid) !== undefined)).toEqual([])
})
