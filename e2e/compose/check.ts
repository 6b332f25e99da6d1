/**
 * Checks the containers: `pnpm compose:check` (Docker with Compose v2). Builds the images, starts a new station, uses it
 * in a browser, kills each container in turn while users watch and chat, and restarts everything. All acknowledged
 * messages and shown programmes must still exist. Prints the duration of each step. Removes all its containers,
 * networks and volumes.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serviceNames } from '@looptide/backing/service-names'
import type { HealthReport } from '@looptide/contracts/http/admin'
import type { AirLogEntry } from '@looptide/contracts/http/channels'
import { chromiumFlags, chromiumPath } from '@looptide/testkit/browser'
import { until } from '@looptide/testkit/until'
import { type Browser, chromium } from '@playwright/test'
import { Chatter, Watcher } from '../support/crowd.ts'
import { signUp } from '../support/people.ts'
import { type ComposeProject, type Container, composeProject } from './compose.ts'
import { expectPictureToMove, smokeTest } from './smoke.ts'

const CHANNEL = 'test-card'
const CHATTERS = 3
const WATCHERS = 5
const UP_TIMEOUT_S = 300
const BACK_TIMEOUT_MS = 120_000
/** Kills the child of the container's init process. Init itself cannot be killed from within. */
const KILL_MAIN_PROCESS =
  "process.kill(parseInt(require('fs').readFileSync('/proc/1/task/1/children', 'utf8')), 'SIGKILL')"
/** One-time tasks, which exit when they are done. */
const ONE_SHOT = new Set(['migrate', 'create-admin', 'seed-catalogue', 'seed-stream-scheduler'])

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  const result = await work()
  console.log(`${what.padEnd(44)} ${((performance.now() - startedAt) / 1000).toFixed(1).padStart(7)} s`)
  return result
}

const up = (project: ComposeProject) =>
  project.compose('up', '--detach', '--wait', '--wait-timeout', String(UP_TIMEOUT_S))

async function getJson<T>(url: string): Promise<T> {
  const response = await fetch(url, { signal: AbortSignal.timeout(5_000) })
  if (!response.ok) throw new Error(`${url} returned ${response.status}`)
  return (await response.json()) as T
}

const isWell = ({ service, state, health, exitCode }: Container): boolean =>
  ONE_SHOT.has(service) ? state === 'exited' && exitCode === 0 : state === 'running' && health !== 'unhealthy'

/** Every container is healthy by Docker's and by the station's own checks, and every one-time task exited with 0. */
async function expectAllWell(project: ComposeProject): Promise<void> {
  for (const container of await project.containers()) {
    const { service, state, health, exitCode } = container
    if (!isWell(container)) throw new Error(`${service} is ${state} ${health} (${exitCode})`)
  }
  const sinceMs = Date.now()
  await until(
    'the station reports all services as healthy',
    async () => {
      const { results } = await getJson<HealthReport>(`${project.url}/api/health`)
      return results.every(({ healthy, checkedAtMs }) => healthy && checkedAtMs > sinceMs)
    },
    { timeoutMs: BACK_TIMEOUT_MS },
  )
}

/** Users who chat and watch, one of them in a browser. */
async function gather(project: ComposeProject, browser: Browser) {
  const people = await Promise.all(
    Array.from({ length: CHATTERS }, (_, index) => signUp(project.url, `chatter-${index}`)),
  )
  const chatters = people.map((person) => new Chatter(project.url, CHANNEL, person, 500))
  const watchers = Array.from({ length: WATCHERS }, () => new Watcher(project.url, CHANNEL))
  const page = await browser.newPage()
  await page.goto(`${project.url}/live?channel=${CHANNEL}`)
  await expectPictureToMove(page)
  for (const one of [...watchers, ...chatters]) one.start()
  await until('everyone has joined', () => watchers.every(({ joins }) => joins > 0))
  return { chatters, watchers, page }
}

type Crowd = Awaited<ReturnType<typeof gather>>

const said = ({ chatters }: Crowd) => chatters.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0)

/** Kills one container. Playback continues meanwhile, and chat works again after the restart. */
async function killAndReturn(project: ComposeProject, service: string, crowd: Crowd): Promise<void> {
  await project.compose('kill', service)
  await expectPictureToMove(crowd.page)
  await timed(`  ${service} killed, until everything works again`, async () => {
    await up(project)
    await expectAllWell(project)
    const before = said(crowd)
    await until('chat is acknowledged again', () => said(crowd) > before + CHATTERS, {
      timeoutMs: BACK_TIMEOUT_MS,
    })
  })
}

/** Kills the service's process inside its container, which Docker restarts. */
async function crashAndReturn(project: ComposeProject, service: string, crowd: Crowd): Promise<void> {
  const restarts = await project.restartsOf(service)
  await project.compose('exec', '-T', service, 'node', '--eval', KILL_MAIN_PROCESS)
  await timed(`  ${service} crashed, until everything works again`, async () => {
    // Docker counts a start before the container runs.
    await until(
      `${service} has been started again`,
      async () =>
        (await project.restartsOf(service)) > restarts &&
        (await project.containers()).some((one) => one.service === service && one.state === 'running'),
      { timeoutMs: BACK_TIMEOUT_MS },
    )
    await expectAllWell(project)
  })
  await expectPictureToMove(crowd.page)
}

/** Checks that every acknowledged message exists once, for connected and for new viewers. */
async function expectNothingLost(crowd: Crowd, project: ComposeProject): Promise<void> {
  const texts = crowd.chatters.flatMap(({ acknowledged }) => acknowledged.map(({ message }) => message))
  const newcomer = new Watcher(project.url, CHANNEL)
  for (const watcher of [...crowd.watchers, newcomer]) {
    await watcher.catchUp()
    const heard = [...watcher.messages.values()].map(({ message }) => message)
    const missing = texts.filter((text) => heard.filter((other) => other === text).length !== 1)
    if (missing.length > 0 || watcher.contradictions.length > 0) {
      throw new Error(`lost or doubled: ${[...missing, ...watcher.contradictions].join('; ')}`)
    }
  }
  console.log(
    `  ${texts.length} messages acknowledged, each received once by ${crowd.watchers.length + 1} readers`,
  )
}

const airLog = async (project: ComposeProject): Promise<AirLogEntry[]> =>
  (await getJson<{ items: AirLogEntry[] }>(`${project.url}/api/channels/${CHANNEL}/air-log?limit=100`)).items

async function check(project: ComposeProject, browser: Browser): Promise<void> {
  await timed('images built', () => project.composeAloud('build', '--quiet'))
  await timed('first start', () => up(project))
  await expectAllWell(project)
  await timed('browser smoke test', () => smokeTest(browser, project.url, project.admin))
  const crowd = await gather(project, browser)
  const services = (await project.containers())
    .map(({ service }) => service)
    .filter((service) => !ONE_SHOT.has(service))
  for (const service of services) await killAndReturn(project, service, crowd)
  for (const service of serviceNames) await crashAndReturn(project, service, crowd)
  for (const one of crowd.chatters) await one.stop()
  await expectNothingLost(crowd, project)
  const shownBefore = await until('the air log has entries', async () => {
    const entries = await airLog(project)
    return entries.length > 0 && entries
  })

  await timed('stop, and start with the same data', async () => {
    await project.compose('down')
    await up(project)
  })
  await expectAllWell(project)
  await expectNothingLost(crowd, project)
  const shownAfter = new Set((await airLog(project)).map(({ startedAtMs }) => startedAtMs))
  const forgotten = shownBefore.filter(({ startedAtMs }) => !shownAfter.has(startedAtMs))
  if (forgotten.length > 0) throw new Error(`the air log has lost ${forgotten.length} programmes`)
  await timed('browser smoke test', () => smokeTest(browser, project.url, project.admin))
  await Promise.all(crowd.watchers.map((watcher) => watcher.stop()))
}

const folder = await mkdtemp(join(tmpdir(), 'looptide-compose-'))
const project = await composeProject('looptide-check', folder)
const browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumFlags })
try {
  await check(project, browser)
  console.log('All checks passed.')
} catch (error) {
  console.error(error)
  console.error(await project.compose('ps', '--all').catch(String))
  for (const container of await project.containers().catch(() => [])) {
    if (isWell(container)) continue
    console.error(await project.compose('logs', '--tail', '20', container.service).catch(String))
  }
  process.exitCode = 1
} finally {
  await browser.close()
  await project.compose('down', '--volumes', '--remove-orphans').catch(console.error)
  await rm(folder, { recursive: true, force: true })
}
process.exit()
