import { startTestStation } from '@looptide/testkit/station'
import { expect, type Page, test } from '@playwright/test'
import { type Gap, jump, stall, watchGaps } from './support/sync-watch.ts'

type Station = Awaited<ReturnType<typeof startTestStation>>

const MINUTES = 2
/** What happens to one of the windows, and when (s). */
const DISTURBANCES = { jump: 15, stall: 45, reload: 75 }
/** A window may take this long to be back. */
const RECOVERY_MS = 8_000

// Recording what both windows show would take the very time that is measured.
test.use({ trace: 'off', screenshot: 'off' })

let station: Station
test.beforeAll(async () => {
  test.setTimeout(300_000)
  // Nobody answers there: what plays is the Test Card.
  station = await startTestStation({ fakeYoutube: 'http://127.0.0.1:9' })
})
test.afterAll(() => station?.stop())

const stage = (page: Page) => page.getByTestId('live-stage')

async function watchTestCard(page: Page): Promise<void> {
  await expect(stage(page)).toHaveAttribute('data-state', 'playing', { timeout: 60_000 })
  await expect(stage(page)).toHaveAttribute('data-player', 'html5')
}

test('two windows on the live page stay within 100 ms of each other', async ({ browser }) => {
  test.setTimeout(300_000)
  const open = async () => (await browser.newContext({ viewport: { width: 960, height: 600 } })).newPage()
  const windows = [await open(), await open()] as const
  for (const page of windows) {
    await page.goto(`${station.url}/live`)
    await watchTestCard(page)
  }
  const gaps = await watchGaps(windows, MINUTES * 60_000, async (second) => {
    if (second === DISTURBANCES.jump) await jump(windows[0], -1_500)
    if (second === DISTURBANCES.stall) await stall(windows[1], 350)
    if (second === DISTURBANCES.reload) await windows[0].reload()
  })
  const calm = gaps.filter((gap) => gap.atMs > RECOVERY_MS && !isRecovering(gap))
  const sizes = calm.map(({ gapMs }) => gapMs).sort((a, b) => a - b)
  const at = (share: number) => Math.round(sizes[Math.floor((sizes.length - 1) * share)] ?? Number.NaN)
  const figures = `p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}, max ${at(1)}`
  console.log(`gap between the windows in ms: ${figures}, of ${sizes.length} looks`)
  expect(sizes.length).toBeGreaterThan(100)
  expect(new Set(calm.map(({ programmeId }) => programmeId)).size).toBeGreaterThan(1)
  expect(at(0.95)).toBeLessThan(100)
  for (const page of windows) await page.context().close()
})

function isRecovering({ atMs }: Gap): boolean {
  return Object.values(DISTURBANCES).some((second) => {
    const sinceMs = atMs - second * 1000
    return sinceMs >= 0 && sinceMs < RECOVERY_MS
  })
}
