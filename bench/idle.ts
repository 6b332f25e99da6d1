/**
 * Cost of a viewer who only watches: the built web app on /live in a headless Chromium, with every byte counted by
 * a TCP proxy, and the requests that reach the gateway and the services; alone and among others. Method:
 * bench/README.md.
 *
 *   node bench/idle.ts [others …] [--seconds 120] [--json FILE]      default 0 and 1000 others
 */
import { createReadStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startTestStation, type TestStation } from '@looptide/test-station/station'
import { ALLOW_AUTOPLAY, launchChromium } from '@looptide/testkit/browser'
import { until } from '@looptide/testkit/until'
import type { Browser, Page } from '@playwright/test'
import { CHANNEL } from './fan-out/messages.ts'
import { grown, requestCounts } from './gateway-restart/upstream-counts.ts'
import { CountingProxy } from './idle/counting-proxy.ts'
import { IdleViewers } from './idle/idle-viewers.ts'
import { type BenchRow, machine, rounded, writeRows } from './report.ts'
import { sessionOf } from './sockets/accounts.ts'
import { cpuMs } from './sockets/cpu.ts'

/** Time after the page is on the air: deferred layers and the first clock requests are over. */
const SETTLE_MS = 20_000
const SESSION_KEY = 'looptide-session'
const isMedia = ({ pathname }: URL): boolean => pathname.startsWith('/test-card/')

interface Watcher {
  page: Page
  /** Counts of socket messages and request paths since the last call. */
  takeEvents(): Record<string, number>
}

/**
 * Opens the live page. Pictures and media come from disk: their size depends on the library, not on the station.
 */
async function watch(browser: Browser, origin: string, session: string | null): Promise<Watcher> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.route(isMedia, async (route) => {
    const { pathname } = new URL(route.request().url())
    const file = fileURLToPath(new URL(`../web/public${pathname}`, import.meta.url))
    await route.fulfill({ body: await buffer(createReadStream(file)), contentType: 'video/mp4' })
  })
  if (session !== null)
    await page.addInitScript(
      ([key = '', text = '']) => localStorage.setItem(key, text),
      [SESSION_KEY, session],
    )
  let events: Record<string, number> = {}
  const count = (name: string): void => {
    events[name] = (events[name] ?? 0) + 1
  }
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (!isMedia(url)) count(`${request.method()} ${url.pathname}`)
  })
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => count(`sent ${nameOf(payload)}`))
    socket.on('framereceived', ({ payload }) => count(`got ${nameOf(payload)}`))
  })
  await page.goto(`${origin}/live`)
  const takeEvents = (): Record<string, number> => {
    const taken = events
    events = {}
    return taken
  }
  await until('the socket polls', () => Object.keys(events).some((name) => name.includes('poll')), {
    timeoutMs: 60_000,
  })
  return { page, takeEvents }
}

/** The event of a frame; of a broadcast its own event, from the text or a binary frame's header. */
function nameOf(payload: string | Buffer): string {
  const text = payload.toString('latin1')
  const known = ['heartbeat', 'phx_reply', 'poll', 'clock', 'viewers', 'snapshot', 'message', 'phx_join']
  return known.find((name) => text.includes(name)) ?? text.slice(0, 40)
}

interface ViewerParams {
  viewer: 'visitor' | 'member'
  /** Number of other viewers. */
  others: number
  seconds: number
}

/** CPU time (ms) used so far by the gateway, and by all services. */
function cpuOf({ pids, urls }: TestStation): { gateway: number; services: number } {
  const { gateway, ...services } = Object.fromEntries(
    Object.keys(urls).map((name) => [name, cpuMs(pids[name])]),
  )
  return { gateway: gateway ?? 0, services: Object.values(services).reduce((sum, ms) => sum + ms, 0) }
}

async function measure(
  station: TestStation,
  browser: Browser,
  { viewer, others, seconds }: ViewerParams,
): Promise<BenchRow> {
  const { gateway: _door, ...services } = station.urls
  const idleViewers = new IdleViewers()
  const port = Number(new URL(station.url).port)
  await idleViewers.join(port, others, await timelineVersion(station.url))
  const proxy = new CountingProxy(port)
  const origin = `http://localhost:${await proxy.start()}`
  const session = viewer === 'member' ? JSON.stringify(await sessionOf(station.url)) : null
  const { page, takeEvents } = await watch(browser, origin, session)
  await pause(SETTLE_MS)
  takeEvents()
  proxy.take()
  const before = await requestCounts(services)
  const cpuBefore = cpuOf(station)
  await pause(seconds * 1000)
  const { up, down } = proxy.take()
  const cpu = cpuOf(station)
  const beyond = grown(before, await requestCounts(services))
  const events = takeEvents()
  console.log(viewer, JSON.stringify(events), 'beyond the gateway', JSON.stringify(beyond))
  if (events['got poll'] === undefined) throw new Error('The page was not watching: no poll was answered.')
  await page.context().close()
  proxy.stop()
  idleViewers.leave()
  const perMinute = (amount: number): number => rounded((amount * 60) / seconds)
  return {
    bench: 'idle',
    input: { viewer, others, seconds },
    figures: {
      bytesPerMinute: perMinute(up + down),
      upPerMinute: perMinute(up),
      downPerMinute: perMinute(down),
      httpRequests: Object.entries(events).reduce(
        (sum, [name, times]) => sum + (/^(GET|POST)/.test(name) ? times : 0),
        0,
      ),
      requestsBeyondGateway: Object.values(beyond).reduce((sum, count) => sum + count, 0),
      gatewayCpuMsPerMinute: perMinute(cpu.gateway - cpuBefore.gateway),
      servicesCpuMsPerMinute: perMinute(cpu.services - cpuBefore.services),
    },
  }
}

async function timelineVersion(url: string): Promise<number> {
  const response = await fetch(`${url}/api/stream/channels/${CHANNEL}/now`)
  return ((await response.json()) as { timelineVersion: number }).timelineVersion
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '120' }, json: { type: 'string' } },
})
const seconds = Number(values.seconds)
const crowds = positionals.length > 0 ? positionals.map(Number) : [0, 1000]
console.log(machine())
const station = await startTestStation({ env: { LOG_LEVEL: 'warn', RATE_LIMIT_FACTOR: '1000000' } })
const browser = await launchChromium({ args: [ALLOW_AUTOPLAY] })
const rows: BenchRow[] = []
try {
  for (const others of crowds)
    for (const viewer of ['visitor', 'member'] as const)
      rows.push(await measure(station, browser, { viewer, others, seconds }))
} finally {
  await browser.close()
  await station.stop()
}
console.table(rows.map(({ input, figures }) => ({ ...input, ...figures })))
if (values.json !== undefined) writeRows(values.json, rows)
