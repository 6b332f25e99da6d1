/**
 * Lighthouse scores of the first pages of a viewer on a phone: `pnpm lighthouse`. Starts a station and Debian's Chromium.
 * Needs an otherwise idle machine. Fails if a score is below its limit.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@looptide/backing/free-port'
import { startTestStation } from '@looptide/test-station/station'
import { chromiumFlags, chromiumPath } from '@looptide/testkit/browser'
import { startFakeYoutube } from '@looptide/testkit/fake-youtube/server'
import { type BrowserContext, chromium } from '@playwright/test'
import lighthouse from 'lighthouse'
import { signUp } from './support/people.ts'
import { signInByForm } from './support/web-pages.ts'

const LIMITS = { performance: 95, accessibility: 100, 'best-practices': 100 } as const
type Category = keyof typeof LIMITS
/** Number of runs. The median counts. */
const RUNS = 3
/** The live page never becomes network idle. */
const MAX_WAIT_MS = 20_000
/** YouTube's thumbnails are not under our control and cannot be reached from everywhere. */
const ELSEWHERE = 'https://i.ytimg.com/*'
/** Metrics printed beside the scores. */
const METRICS = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'total-blocking-time',
  'cumulative-layout-shift',
  'speed-index',
]

interface Report {
  scores: Record<Category, number>
  metrics: string[]
  faults: string[]
}

async function audit(url: string, port: number): Promise<Report> {
  const result = await lighthouse(url, {
    port,
    onlyCategories: Object.keys(LIMITS),
    disableStorageReset: true,
    maxWaitForLoad: MAX_WAIT_MS,
    blockedUrlPatterns: [ELSEWHERE],
    logLevel: 'error',
  })
  if (!result) throw new Error(`Lighthouse has no result for ${url}`)
  const { categories, audits } = result.lhr
  const score = (category: Category) => Math.round((categories[category]?.score ?? 0) * 100)
  const counted = new Set(
    (['accessibility', 'best-practices'] as const).flatMap((category) =>
      (categories[category]?.auditRefs ?? []).filter(({ weight }) => weight > 0).map(({ id }) => id),
    ),
  )
  return {
    scores: {
      performance: score('performance'),
      accessibility: score('accessibility'),
      'best-practices': score('best-practices'),
    },
    metrics: METRICS.map((id) => `${audits[id]?.title} ${audits[id]?.displayValue}`),
    faults: [...counted].filter((id) => audits[id]?.score === 0).map((id) => `${id}: ${audits[id]?.title}`),
  }
}

/** Returns the run with the median performance score. */
async function medianOf(url: string, port: number): Promise<Report> {
  const reports: Report[] = []
  for (let run = 0; run < RUNS; run += 1) reports.push(await audit(url, port))
  const sorted = reports.toSorted((a, b) => a.scores.performance - b.scores.performance)
  const median = sorted[RUNS >> 1]
  if (!median) throw new Error('No run was made.')
  return median
}

function report(name: string, { scores, metrics, faults }: Report): boolean {
  const figures = (Object.keys(LIMITS) as Category[]).map((category) => `${category} ${scores[category]}`)
  const lines = [`${name}: ${figures.join(', ')}`, metrics.join(', '), ...faults].join('\n  ')
  process.stdout.write(`${lines}\n`)
  return (Object.keys(LIMITS) as Category[]).every((category) => scores[category] >= LIMITS[category])
}

async function auditAll(context: BrowserContext, stationUrl: string, port: number): Promise<boolean> {
  const fine = [report('/ signed out', await medianOf(`${stationUrl}/`, port))]
  fine.push(report('/live signed out', await medianOf(`${stationUrl}/live?channel=test-card`, port)))
  const page = await context.newPage()
  await signInByForm(page, stationUrl, await signUp(stationUrl))
  await page.close()
  fine.push(report('/ signed in', await medianOf(`${stationUrl}/`, port)))
  return fine.every(Boolean)
}

const profile = await mkdtemp(join(tmpdir(), 'looptide-lighthouse-'))
const youtube = await startFakeYoutube()
const station = await startTestStation({ fakeYoutube: youtube.url })
const port = await freePort()
const context = await chromium.launchPersistentContext(profile, {
  executablePath: chromiumPath(),
  args: [...chromiumFlags, `--remote-debugging-port=${port}`],
})
let isFine = false
try {
  isFine = await auditAll(context, station.url, port)
} finally {
  await context.close()
  await station.stop()
  await youtube.stop()
  await rm(profile, { recursive: true, force: true })
}
process.exit(isFine ? 0 : 1)
