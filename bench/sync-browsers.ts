/**
 * How close real browsers stay to the playhead and to each other: pages of one headless Chromium that play the Test
 * Card with our player, beside as many that follow it by Musare's rule, and pages with a slow YouTube.
 *
 *   node bench/sync-browsers.ts [browsers …] [--youtube 2] [--seconds 60] [--json FILE]
 *
 * Needs a web build (pnpm build:web) and an idle machine.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { NowState } from '@looptide/contracts/http/channels'
import { startTestStation } from '@looptide/test-station/station'
import { ALLOW_AUTOPLAY, launchChromium } from '@looptide/testkit/browser'
import { startFakeYoutube } from '@looptide/testkit/fake-youtube/server'
import type { Browser, Page } from '@playwright/test'
import { type BenchRow, machine, rounded, writeRows } from './report.ts'
import { openMusarePage } from './sync/musare-page.ts'
import { nearness } from './sync/offsets.ts'
import { measureProcessors } from './sync/processor-share.ts'
import { addRecorder, readRecording, startRecording } from './sync/recorder.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    youtube: { type: 'string', default: '2' },
    seconds: { type: 'string', default: '60' },
    json: { type: 'string' },
  },
})
const counts = positionals.length > 0 ? positionals.map(Number) : [2, 20]
const seconds = Number(values.seconds)
/** From the last page's first picture to the measurement: an arrival, and a slow YouTube's two seeks. */
const SETTLE_MS = 20_000
const OPEN_TIMEOUT_MS = 60_000
/** Small pictures: the player is measured, not the rendering. */
const VIEWPORT = { width: 320, height: 240 }
const TEST_CARD = 'test-card'

type Player = 'ours' | 'Musare' | 'ours, slow YouTube'

const youtube = await startFakeYoutube({ iframe: { repeats: true, seekLatencyMs: 300, seekJitterMs: 200 } })
const station = await startTestStation({ fakeYoutube: youtube.url, env: { LOG_LEVEL: 'warn' } })
const rows: BenchRow[] = []
try {
  console.log(`${machine()}, ${seconds} s each after ${SETTLE_MS / 1000} s to settle`)
  for (const count of counts) {
    for (const player of ['ours', 'Musare'] as const) rows.push(await measure(player, count))
  }
  if (Number(values.youtube) > 0) rows.push(await measure('ours, slow YouTube', Number(values.youtube)))
  console.table(rows.map(({ input, figures }) => ({ ...input, ...figures })))
} finally {
  await station.stop()
  await youtube.stop()
}
if (values.json !== undefined) writeRows(values.json, rows)

async function measure(player: Player, browsers: number): Promise<BenchRow> {
  const channelId = player === 'ours, slow YouTube' ? 'default' : TEST_CARD
  const browser = await launchChromium({
    args: ['--mute-audio', ALLOW_AUTOPLAY],
  })
  try {
    const pages: Page[] = []
    while (pages.length < browsers) pages.push(await open(browser, player, channelId))
    await pause(SETTLE_MS)
    const starts = await readStarts(channelId)
    await Promise.all(pages.map(startRecording))
    const endMeasure = measureProcessors()
    await pause(seconds * 1000)
    const processors = endMeasure()
    const recordings = await Promise.all(pages.map(readRecording))
    for (const [id, startsAtMs] of await readStarts(channelId)) starts.set(id, startsAtMs)
    const near = nearness(recordings, starts)
    const sum = (of: (recording: (typeof recordings)[number]) => number) =>
      recordings.reduce((total, recording) => total + of(recording), 0)
    const percent = (value: number | undefined) => (value === undefined ? null : rounded(value))
    const row = {
      bench: 'sync-browsers',
      input: { player, browsers },
      figures: {
        offsetP50Ms: rounded(near.offsetP50Ms),
        offsetP95Ms: rounded(near.offsetP95Ms),
        offsetMaxMs: rounded(near.offsetMaxMs),
        gapP50Ms: rounded(near.gapP50Ms),
        gapP95Ms: rounded(near.gapP95Ms),
        spreadP95Ms: rounded(near.spreadP95Ms),
        correctionsPerMinute: rounded(near.correctionsPerMinute, 2),
        sights: near.sights,
        droppedFramesPercent: rounded(
          (100 * sum((recording) => recording.framesDropped)) / sum((recording) => recording.framesShown),
          1,
        ),
        browsersPercentOfMachine: percent(processors?.browsersPercent),
        stationPercentOfMachine: percent(processors?.stationPercent),
        machineBusyPercent: percent(processors?.machinePercent),
      },
    }
    console.log(JSON.stringify(row))
    return row
  } finally {
    await browser.close()
  }
}

async function open(browser: Browser, player: Player, channelId: string): Promise<Page> {
  const context = await browser.newContext({ viewport: VIEWPORT })
  const page = await context.newPage()
  await addRecorder(page)
  if (player === 'Musare') await openMusarePage(page, station.url, channelId)
  else await page.goto(`${station.url}/live?channel=${channelId}`)
  await page.waitForSelector('[data-programme-id][data-state=playing]', { timeout: OPEN_TIMEOUT_MS })
  return page
}

/** Start of each programme of the next hours by its id, epoch ms by the station's clock. */
async function readStarts(channelId: string): Promise<Map<string, number>> {
  const response = await fetch(`${station.url}/api/channels/${channelId}/now`)
  const { programmes } = (await response.json()) as NowState
  return new Map(programmes.map(({ id, startsAtMs }) => [id, startsAtMs]))
}
