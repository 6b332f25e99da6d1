/**
 * What a signed-in viewer's first visit costs: the vitals of `/`, `/live` and `/videos` with an empty cache, on a phone and
 * on a desktop, without limit and at 400 kbit/s with 150 ms of latency. See bench/README.md for the method.
 *
 *   node bench/web-vitals.ts [loads] [--before DIR] [--paths /,/live] [--json FILE]      default 5
 *
 * `--before` is another checkout with its own web build, whose station is measured in turn with this one. Needs a web build
 * (`pnpm build:web`).
 */
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { repositoryRoot } from '@looptide/backing/paths'
import type { TestStation, TestStationOptions } from '@looptide/test-station/station'
import { launchChromium } from '@looptide/testkit/browser'
import type { Browser, Page } from '@playwright/test'
import { type BenchRow, machine, rounded, writeRows } from './report.ts'
import { addRecorder, readVitals, type Vitals } from './web-vitals/recorder.ts'
import { ThumbnailServer } from './web-vitals/thumbnail-server.ts'

const ADMIN = { email: 'admin@example.test', password: 'test-admin-password' }
const SESSION_KEY = 'looptide-session'
const WIDTHS = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]
const NETWORKS = ['unlimited', '400 kbit/s'] as const
type Network = (typeof NETWORKS)[number]
const BYTES_PER_SECOND = 400_000 / 8
const LATENCY_MS = 150
/** A page is idle when it has requested nothing for this time. A page with a video never is: the limit ends it. */
const IDLE_MS = 2_000
const MAX_MS = { unlimited: 8_000, '400 kbit/s': 25_000 }

/** A station of one checkout, and a session of its admin. */
interface Measured {
  name: 'before' | 'now'
  station: TestStation
  session: string
}

interface Case {
  path: string
  viewport: (typeof WIDTHS)[number]
  network: Network
}

/** The vitals of one load, and the processor time that the browser needed for it. */
interface Load extends Vitals {
  cpuS: number
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    before: { type: 'string' },
    paths: { type: 'string', default: '/,/live,/videos' },
    json: { type: 'string' },
  },
})
const loads = Number(positionals[0] ?? 5)
const thumbnails = await ThumbnailServer.start()
const browser = await launchChromium({ args: thumbnails.browserArguments })
const measured: Measured[] = []
try {
  if (values.before !== undefined) measured.push(await start('before', resolve(values.before)))
  measured.push(await start('now', repositoryRoot))
  console.log(`${machine()}, ${loads} loads each`)
  const rows: BenchRow[] = []
  for (const one of casesOf(values.paths.split(','))) rows.push(...(await measure(one)))
  console.table(rows.map(({ input, figures }) => ({ ...input, ...figures })))
  if (values.json !== undefined) writeRows(values.json, rows)
} finally {
  await browser.close()
  for (const { station } of measured) await station.stop()
  thumbnails.stop()
}

function casesOf(paths: readonly string[]): Case[] {
  return NETWORKS.flatMap((network) =>
    paths.flatMap((path) => WIDTHS.map((viewport) => ({ path, viewport, network }))),
  )
}

/** Starts the station of a checkout, with the code of that checkout. */
async function start(name: Measured['name'], folder: string): Promise<Measured> {
  const file = pathToFileURL(`${folder}/infra/test-station/src/station.ts`).href
  const { startTestStation } = (await import(file)) as {
    startTestStation: (options: TestStationOptions) => Promise<TestStation>
  }
  const station = await startTestStation({ env: { LOG_LEVEL: 'warn' }, processes: 'one' })
  const response = await fetch(`${station.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  })
  if (!response.ok) throw new Error(`sign-in answered ${response.status}`)
  return { name, station, session: await response.text() }
}

/** One row for each station. The stations take turns, so that other work of the machine disturbs them alike. */
async function measure(one: Case): Promise<BenchRow[]> {
  const found = new Map<Measured, Load[]>(measured.map((each) => [each, []]))
  for (let load = 0; load < loads; load += 1) {
    for (const [each, list] of found) list.push(await visit(each, one))
  }
  return [...found].map(([{ name }, list]) => {
    const median = (of: (load: Load) => number | null, digits = 0): number | null => {
      const sorted = list.flatMap((load) => of(load) ?? []).sort((a, b) => a - b)
      const middle = sorted[sorted.length >> 1]
      return middle === undefined ? null : rounded(middle, digits)
    }
    return {
      bench: 'web-vitals',
      input: { network: one.network, path: one.path, width: one.viewport.width, station: name },
      figures: {
        lcpMs: median(({ lcpMs }) => lcpMs),
        fcpMs: median(({ fcpMs }) => fcpMs),
        pictureMs: median(({ pictureMs }) => pictureMs),
        scriptKbByLcp: median(({ scriptKbByLcp }) => scriptKbByLcp),
        scriptKb: median(({ scriptKb }) => scriptKb),
        cls: median(({ cls }) => cls, 4),
        inpMs: median(({ inpMs }) => inpMs),
        cpuS: median(({ cpuS }) => cpuS, 2),
        lcpElement: list.at(-1)?.lcpElement ?? null,
        movedElement: list.at(-1)?.movedElement ?? null,
      },
    }
  })
}

async function visit({ station, session }: Measured, { path, viewport, network }: Case): Promise<Load> {
  const cpuBeforeS = await processorTime(browser)
  const context = await browser.newContext({
    viewport,
    storageState: {
      cookies: [],
      origins: [
        { origin: new URL(station.url).origin, localStorage: [{ name: SESSION_KEY, value: session }] },
      ],
    },
  })
  try {
    const page = await context.newPage()
    await addRecorder(page)
    await limit(page, network)
    await page.goto(station.url + path, { waitUntil: 'commit' })
    await untilIdle(page, MAX_MS[network])
    const vitals = await readVitals(page)
    const cpuS = (await processorTime(browser)) - cpuBeforeS
    if (network !== 'unlimited') return { ...vitals, cpuS }
    await interact(page, path)
    return { ...vitals, cpuS, inpMs: (await readVitals(page)).inpMs }
  } finally {
    await context.close()
  }
}

async function limit(page: Page, network: Network): Promise<void> {
  if (network === 'unlimited') return
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: BYTES_PER_SECOND,
    uploadThroughput: BYTES_PER_SECOND,
  })
}

async function untilIdle(page: Page, maxMs: number): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached', timeout: 60_000 })
  const endMs = performance.now() + maxMs
  let [requests, sinceMs] = [-1, performance.now()]
  while (performance.now() < endMs && performance.now() - sinceMs < IDLE_MS) {
    await pause(250)
    const { requests: now } = await readVitals(page)
    if (now !== requests) [requests, sinceMs] = [now, performance.now()]
  }
}

/** A search, letter by letter, as a viewer types: in the header, or in the dialog of the live page. */
async function interact(page: Page, path: string): Promise<void> {
  if (path === '/live') {
    const open = page.getByRole('button', { name: 'Search', exact: true })
    await page.mouse.move(200, 200)
    await open.click()
    await page
      .getByRole('textbox')
      .or(page.getByRole('searchbox'))
      .first()
      .pressSequentially('love the', { delay: 60 })
  } else {
    const box = page.getByRole('combobox', { name: 'Search' })
    if (!(await box.isVisible())) await page.getByRole('button', { name: 'Open search' }).click()
    await box.pressSequentially('love the', { delay: 60 })
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Escape')
  }
  // The entry of an event follows its next paint.
  await pause(500)
}

/** Processor time of all processes of the browser, in s. */
async function processorTime(browser: Browser): Promise<number> {
  const devtools = await browser.newBrowserCDPSession()
  const { processInfo } = await devtools.send('SystemInfo.getProcessInfo')
  await devtools.detach()
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0)
}
