/**
 * What a viewer costs who only watches: the built web app on /live in a headless Chromium, every byte both ways counted by
 * a TCP proxy, and the requests that reached the gateway and went beyond it. See bench/README.md.
 *
 *   node bench/idle.ts [seconds …] [--json FILE]      default 120
 */
import { createReadStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { launchChromium } from '@looptide/testkit/browser'
import { startTestStation, type TestStation } from '@looptide/testkit/station'
import { until } from '@looptide/testkit/until'
import type { Browser, Page } from '@playwright/test'
import { grown, requestCounts } from './gateway-restart/upstream-counts.ts'
import { CountingProxy } from './idle/counting-proxy.ts'
import { type BenchRow, benchArguments, machine, rounded, writeRows } from './report.ts'
import { sessionOf } from './sockets/people.ts'

/** After the page is on the air: what it fetches behind its first view, and the clock's first questions, are over. */
const SETTLE_MS = 20_000
const SESSION_KEY = 'looptide-session'
const isMedia = ({ pathname }: URL): boolean => pathname.startsWith('/test-card/')

interface Watcher {
  page: Page
  /** Names of socket messages and addresses of requests since they were last taken, with how often. */
  takeEvents(): Record<string, number>
}

/** Opens the live page. Pictures and sound come from the disk: what they weigh is the library's affair, not the station's. */
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

/** The event of a frame: of a broadcast its own, which stands in the text, or in a binary frame's header. */
function nameOf(payload: string | Buffer): string {
  const text = payload.toString('latin1')
  const known = ['heartbeat', 'phx_reply', 'poll', 'clock', 'viewers', 'snapshot', 'message', 'phx_join']
  return known.find((name) => text.includes(name)) ?? text.slice(0, 40)
}

async function measure(
  station: TestStation,
  browser: Browser,
  seconds: number,
  viewer: string,
): Promise<BenchRow> {
  const { gateway: _door, ...services } = station.urls
  const proxy = new CountingProxy(Number(new URL(station.url).port))
  const origin = `http://localhost:${await proxy.start()}`
  const session = viewer === 'member' ? JSON.stringify(await sessionOf(station.url)) : null
  const { page, takeEvents } = await watch(browser, origin, session)
  await pause(SETTLE_MS)
  takeEvents()
  proxy.take()
  const before = await requestCounts(services)
  await pause(seconds * 1000)
  const { up, down } = proxy.take()
  const beyond = grown(before, await requestCounts(services))
  const events = takeEvents()
  console.log(viewer, JSON.stringify(events))
  if (events['got poll'] === undefined) throw new Error('The page was not watching: no poll was answered.')
  await page.context().close()
  proxy.stop()
  const perMinute = (bytes: number): number => rounded((bytes * 60) / seconds)
  return {
    bench: 'idle',
    input: { viewer, seconds },
    figures: {
      bytesPerMinute: perMinute(up + down),
      upPerMinute: perMinute(up),
      downPerMinute: perMinute(down),
      httpRequests: Object.entries(events).reduce(
        (sum, [name, times]) => sum + (/^(GET|POST)/.test(name) ? times : 0),
        0,
      ),
      requestsBeyondGateway: Object.values(beyond).reduce((sum, count) => sum + count, 0),
    },
  }
}

const { sizes, json } = benchArguments([120])
console.log(machine())
const station = await startTestStation({ env: { LOG_LEVEL: 'warn' } })
const browser = await launchChromium({ args: ['--autoplay-policy=no-user-gesture-required'] })
const rows: BenchRow[] = []
try {
  for (const seconds of sizes) {
    for (const viewer of ['visitor', 'member']) rows.push(await measure(station, browser, seconds, viewer))
  }
} finally {
  await browser.close()
  await station.stop()
}
console.table(rows.map(({ input, figures }) => ({ ...input, ...figures })))
if (json !== undefined) writeRows(json, rows)
