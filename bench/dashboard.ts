/**
 * Response times of the admin dashboard with many videos, in a headless Chromium: from the click to the result on the
 * page, as medians of several loads. Method: bench/README.md.
 *
 *   node bench/dashboard.ts [library] [--playlist 5000] [--loads 5] [--json FILE]      default 20000 videos
 *
 * Needs a web build (`pnpm build:web`).
 */
import { parseArgs } from 'node:util'
import { startTestStation, testAdmin } from '@looptide/test-station/station'
import { launchChromium } from '@looptide/testkit/browser'
import { startFakeYoutube } from '@looptide/testkit/fake-youtube/server'
import { until } from '@looptide/testkit/until'
import type { Browser, Page } from '@playwright/test'
import { type AdminPost, importVideos, signInAdmin } from './import/import-videos.ts'
import { type BenchRow, machine, rounded, writeRows } from './report.ts'

const CHANNEL = 'Large'
/** Videos in one request that fills the playlist. */
const BATCH_SIZE = 500
const TIMEOUT_MS = 600_000
/** Time limit of each step in the browser. */
const VISIT_TIMEOUT_MS = 30_000

interface Load {
  /** From the navigation to the first rows of the library. */
  libraryMs: number
  /** From the click on Select All to the count of selected videos. */
  selectAllMs: number
  /** From the choice of the channel to the first rows of its playlist. */
  playlistMs: number
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    playlist: { type: 'string', default: '5000' },
    loads: { type: 'string', default: '5' },
    json: { type: 'string' },
  },
})
const library = Number(positionals[0] ?? 20_000)
const playlist = Number(values.playlist)
console.log(machine())
const row = await measure()
console.table([{ ...row.input, ...row.figures }])
if (values.json !== undefined) writeRows(values.json, [row])

async function measure(): Promise<BenchRow> {
  const youtube = await startFakeYoutube()
  const station = await startTestStation({
    fakeYoutube: youtube.url,
    env: { LOG_LEVEL: 'warn', RATE_LIMIT_FACTOR: '1000000', YOUTUBE_API_KEY: 'key' },
  })
  const browser = await launchChromium()
  try {
    const post = await signInAdmin(station.url)
    const ids = await importVideos(post, library)
    await fillChannel(post, ids.slice(-playlist))
    await until('every video has its metadata', () => allResolved(station.url), { timeoutMs: TIMEOUT_MS })
    const loads: Load[] = []
    for (let load = 0; load < Number(values.loads); load += 1) loads.push(await visit(browser, station.url))
    const median = (name: keyof Load): number =>
      rounded(loads.map((load) => load[name]).sort((a, b) => a - b)[loads.length >> 1] ?? 0, 0)
    return {
      bench: 'dashboard',
      input: { videos: library, playlist },
      figures: {
        libraryMs: median('libraryMs'),
        selectAllMs: median('selectAllMs'),
        playlistMs: median('playlistMs'),
      },
    }
  } finally {
    await browser.close()
    await station.stop()
    await youtube.stop()
  }
}

async function fillChannel(post: AdminPost, ids: readonly string[]): Promise<void> {
  const { id } = (await (await post('/api/channels', { name: CHANNEL })).json()) as { id: string }
  for (let first = 0; first < ids.length; first += BATCH_SIZE) {
    const videoIds = ids.slice(first, first + BATCH_SIZE)
    await until(
      'the scheduler has the videos',
      async () => (await post(`/api/channels/${id}/playlist`, { videoIds })).ok,
      { timeoutMs: TIMEOUT_MS },
    )
  }
}

async function allResolved(url: string): Promise<boolean> {
  const response = await fetch(`${url}/api/videos?sort=title&limit=1`)
  const { total } = (await response.json()) as { total: number }
  return total >= library
}

/** Opens the dashboard in a new browser context, as on a first visit. */
async function visit(browser: Browser, url: string): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(VISIT_TIMEOUT_MS)
    await signIn(page, url)
    const libraryMs = await timed(
      () => page.goto(`${url}/admin`, { waitUntil: 'commit' }),
      () => page.getByRole('table', { name: 'Videos' }).getByRole('checkbox').first().waitFor(),
    )
    const videos = page.getByRole('region', { name: /^Video Library/ })
    const count = /[\d,]+/.exec((await videos.getByRole('heading').first().textContent()) ?? '')?.[0]
    const selectAllMs = await timed(
      () => videos.getByRole('button', { name: 'Select All' }).click(),
      () => videos.getByText(`${count} selected`, { exact: true }).waitFor(),
    )
    await page.goto(`${url}/admin?tab=channels`)
    const channels = page.getByRole('region', { name: 'Channel Playlist Manager' })
    const choice = channels.getByLabel('Channel', { exact: true })
    await choice.waitFor()
    const playlistMs = await timed(
      () => choice.selectOption({ label: CHANNEL }),
      () => channels.getByRole('list', { name: 'Playlist' }).getByRole('listitem').nth(5).waitFor(),
    )
    return { libraryMs, selectAllMs, playlistMs }
  } finally {
    await context.close()
  }
}

async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.getByLabel('Email').fill(testAdmin.email)
  await page.getByLabel('Password', { exact: true }).fill(testAdmin.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await page.getByRole('button', { name: 'Account', exact: true }).waitFor()
}

/** Duration of an action until its result is visible, in ms. */
async function timed(act: () => Promise<unknown>, result: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await act()
  await result()
  return performance.now() - startMs
}
