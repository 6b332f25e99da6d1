/**
 * When `/live` shows something on a slow connection: 400 kbit/s with 150 ms of latency, as Chromium's network emulation
 * makes it, on a phone-sized page. See bench/README.md for the method.
 *
 *   node bench/first-picture.ts [loads] [--json FILE]      default 5
 *
 * Needs a web build (`pnpm build:web`).
 */

import { startTestStation } from '@looptide/test-station/station'
import { launchChromium } from '@looptide/testkit/browser'
import type { Browser, Page } from '@playwright/test'
import { type BenchRow, benchArguments, machine, rounded, writeRows } from './report.ts'

/** The channel that plays the project's own clips: nothing of it comes from YouTube. */
const CHANNEL = 'test-card'
const BYTES_PER_SECOND = 400_000 / 8
const LATENCY_MS = 150
const TIMEOUT_MS = 60_000

/** Instants after the navigation, in ms. */
interface Load {
  /** An image of the programme is decoded and on the page. */
  pictureMs: number
  /** The app has rendered the page. */
  appMs: number
  /** The video's first frame is decoded. */
  frameMs: number
}

async function measure(browser: Browser, stationUrl: string): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  try {
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: LATENCY_MS,
      downloadThroughput: BYTES_PER_SECOND,
      uploadThroughput: BYTES_PER_SECOND,
    })
    await page.addInitScript(recordInstants)
    await page.goto(`${stationUrl}/live?channel=${CHANNEL}`, { waitUntil: 'commit' })
    return await readInstants(page)
  } finally {
    await context.close()
  }
}

/** Runs in the page: notes on each animation frame what is there for the first time. */
function recordInstants(): void {
  const seen: Record<string, number> = {}
  Object.assign(window, { looptideInstants: seen })
  const look = () => {
    const isDecoded = [...document.images].some((image) => image.complete && image.naturalWidth > 1)
    if (isDecoded) seen.pictureMs ??= performance.now()
    if (document.querySelector('h1')) seen.appMs ??= performance.now()
    if ((document.querySelector('video')?.readyState ?? 0) >= 2) seen.frameMs ??= performance.now()
    requestAnimationFrame(look)
  }
  look()
}

async function readInstants(page: Page): Promise<Load> {
  const all = await page.waitForFunction(
    () => {
      const seen = (window as unknown as { looptideInstants: Partial<Load> }).looptideInstants
      return seen.frameMs !== undefined && seen.appMs !== undefined && seen.pictureMs !== undefined && seen
    },
    undefined,
    { timeout: TIMEOUT_MS },
  )
  return (await all.jsonValue()) as Load
}

function median(loads: readonly Load[], figure: keyof Load): number {
  const sorted = loads.map((load) => load[figure]).sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

const { sizes, json } = benchArguments([5])
const station = await startTestStation({ env: { LOG_LEVEL: 'warn' } })
const browser = await launchChromium()
try {
  const loads: Load[] = []
  for (let load = 0; load < (sizes[0] ?? 5); load++) loads.push(await measure(browser, station.url))
  const figures = {
    pictureMs: rounded(median(loads, 'pictureMs')),
    appMs: rounded(median(loads, 'appMs')),
    frameMs: rounded(median(loads, 'frameMs')),
    pictureToApp: rounded(median(loads, 'pictureMs') / median(loads, 'appMs'), 2),
  }
  const row: BenchRow = { bench: 'first-picture', input: { loads: loads.length }, figures }
  console.log(machine())
  console.table([figures])
  if (json) writeRows(json, [row])
} finally {
  await browser.close()
  await station.stop()
}
