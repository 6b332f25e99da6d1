/// <reference lib="dom" />

import type { NowState, Programme } from '@looptide/contracts/http/channels'
import type { ScheduleDocument, Slot } from '@looptide/contracts/schedule'
import { testAdmin } from '@looptide/testkit/station'
import { expect, type Page, test } from '@playwright/test'
import { complaints } from '../support/complaints.ts'
import { isPlaying, openChannel } from '../support/live-watch.ts'
import { signIn } from '../support/people.ts'
import { startSchedule } from '../support/schedules.ts'
import { useWebStation } from '../support/web-station.ts'

const web = useWebStation()
let adminToken: string

test.beforeAll(async () => {
  adminToken = await signIn(web.url, testAdmin.email, testAdmin.password)
})

const CHANNEL = 'test-card'
const DAYS: ScheduleDocument['blocks'] = [
  {
    id: 'all-day',
    name: 'Test Hours',
    days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
    from: '00:00',
    to: '24:00',
    clock: 'hour',
  },
]
const SIZES = [
  { width: 390, height: 844 },
  { width: 1366, height: 768 },
  { width: 1920, height: 1080 },
]
/** A page is late by the time that a busy machine needs for a timer and a frame, in ms. */
const LATE_MS = 250

const picture = (page: Page) => page.getByRole('region', { name: 'Live picture' })
const now = async (): Promise<NowState> =>
  (await (await fetch(`${web.url}/api/channels/${CHANNEL}/now`)).json()) as NowState

/** Starts a schedule that repeats these slots. */
async function start(slots: Slot[], further: Partial<ScheduleDocument> = {}): Promise<void> {
  await startSchedule(web.url, adminToken, CHANNEL, {
    timeZone: 'UTC',
    freezeMinutes: 0,
    defaultSource: 'list',
    sources: { list: { kind: 'playlist' } },
    clocks: { hour: slots },
    blocks: DAYS,
    ...further,
  })
}

interface Cut {
  id: string
  atMs: number
  /** Whether a player could be seen or heard then. */
  hasPlayer: boolean
}

/** Records each change of the programme on the page. */
function recordCuts(page: Page): Promise<void> {
  return page.evaluate(() => {
    const stage = document.querySelector<HTMLElement>('[data-programme-id]')
    if (stage === null) throw new Error('no picture')
    const cuts: Cut[] = []
    const record = () => {
      const atMs = Date.now()
      const id = stage.dataset.programmeId ?? ''
      if (cuts.at(-1)?.id === id) return
      // After the frame in which the page shows it.
      requestAnimationFrame(() => {
        const videos = [...stage.querySelectorAll('video')]
        const hasPlayer = videos.some(
          (video) =>
            video.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !video.paused,
        )
        cuts.push({ id, atMs, hasPlayer })
      })
    }
    new MutationObserver(record).observe(stage, { attributeFilter: ['data-programme-id'] })
    Object.assign(window, { cuts })
  })
}

const cutsOf = (page: Page): Promise<Cut[]> =>
  page.evaluate(() => (window as unknown as { cuts: Cut[] }).cuts)

/** The programmes from the first card on, once the page shows it. */
async function upcoming(page: Page, kind: Programme['kind']): Promise<Programme[]> {
  let programmes: Programme[] = []
  await expect(async () => {
    programmes = (await now()).programmes
    expect(programmes[0]?.kind).toBe(kind)
    await expect(picture(page)).toHaveAttribute('data-programme-id', programmes[0]?.id ?? '', {
      timeout: 500,
    })
  }).toPass({ timeout: 90_000 })
  return programmes
}

test('three cards and the next video start at their instants; no player is seen or heard during a card', async ({
  page,
}) => {
  await openChannel(page, web.url, CHANNEL)
  await recordCuts(page)
  await start([
    { ident: 'station', durationMs: 5000 },
    { ident: 'next', durationMs: 8000 },
    { ident: 'previous', durationMs: 5000 },
    { source: 'list', count: 1 },
  ])
  const [station, next, previous, ...rest] = await upcoming(page, 'ident')
  const videos = rest.flatMap(({ video }) => video ?? [])
  await expect(picture(page)).toContainText('Looptide')
  await expect(picture(page)).toContainText('Coming up next')
  for (const video of videos.slice(0, 3)) await expect(picture(page)).toContainText(video.title)
  await expect(page).toHaveTitle(`${videos[0]?.title} – ${videos[0]?.artistName} | Looptide`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(videos[0]?.title ?? '')
  await expect(picture(page)).toContainText('You just saw')
  await expect(picture(page)).toContainText(
    (previous?.kind !== 'video' && previous?.previous?.title) || 'unknown',
  )
  await expect.poll(() => isPlaying(page)).toBe(true)
  await expect(picture(page)).not.toContainText('You just saw')

  const cuts = await cutsOf(page)
  for (const programme of [next, previous, rest[0]]) {
    const cut = cuts.find(({ id }) => id === programme?.id)
    expect(cut?.atMs, programme?.kind).toBeGreaterThan((programme?.startsAtMs ?? 0) - 20)
    expect(cut?.atMs, programme?.kind).toBeLessThan((programme?.startsAtMs ?? 0) + LATE_MS)
  }
  const cards = [station, next, previous].map((card) => cuts.find(({ id }) => id === card?.id)?.hasPlayer)
  expect(cards).toEqual([false, false, false])
})

test('a viewer who joins during a card sees it; it fits every screen and has no complaint', async ({
  page,
}) => {
  test.setTimeout(240_000)
  const idents = { station: 'Looptide', next: 'Coming up next', previous: 'You just saw' } as const
  await page.emulateMedia({ reducedMotion: 'reduce' })
  for (const [ident, text] of Object.entries(idents) as [keyof typeof idents, string][]) {
    await start([
      { ident, durationMs: 30_000 },
      { source: 'list', count: 1 },
    ])
    await page.goto(`${web.url}/live?channel=${CHANNEL}`)
    await expect(picture(page)).toContainText(text)
    for (const size of SIZES) {
      await page.setViewportSize(size)
      const box = await picture(page).getByText(text, { exact: false }).first().boundingBox()
      const frame = await picture(page).boundingBox()
      expect(box?.height).toBeGreaterThanOrEqual(size.width / 60)
      expect(box?.x).toBeGreaterThanOrEqual(frame?.x ?? 0)
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual((frame?.y ?? 0) + (frame?.height ?? 0))
    }
    const animations = await picture(page).evaluate((stage) => stage.getAnimations({ subtree: true }).length)
    expect(animations).toBe(0)
    expect(await complaints(page)).toEqual([])
    await expect(picture(page)).toContainText(text)
  }
})

test('a countdown shows the seconds to a hard start by the clock, and announces nothing meanwhile', async ({
  page,
}) => {
  test.setTimeout(240_000)
  await openChannel(page, web.url, CHANNEL)
  const startsAtMs = Math.ceil(Date.now() / 1000) * 1000 + 70_000
  await start([{ source: 'list', count: 1 }], {
    specials: [
      {
        id: 'premiere',
        name: 'The Premiere',
        at: new Date(startsAtMs).toISOString().slice(0, 19),
        durationMs: 600_000,
        start: 'hard',
        source: 'list',
      },
    ],
  })
  await recordCuts(page)
  const [countdown, first] = await upcoming(page, 'countdown')
  expect(countdown?.endsAtMs).toBe(startsAtMs)
  await expect(picture(page)).toContainText('The Premiere')
  await expect(picture(page)).toContainText('Starts in')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The Premiere')
  const seen = await page.evaluate(async (endsAtMs) => {
    const timer = document.querySelector('[role=timer]')
    const live = document.querySelectorAll('[aria-live=polite], [role=status], [role=alert]')
    let announcements = 0
    const observer = new MutationObserver((changes) => {
      announcements += changes.length
    })
    for (const region of live)
      observer.observe(region, { subtree: true, childList: true, characterData: true })
    const seconds: { shown: number; left: number }[] = []
    for (let index = 0; index < 4; index += 1) {
      await new Promise<void>((resolve) => {
        const changed = new MutationObserver(() => {
          changed.disconnect()
          resolve()
        })
        changed.observe(timer as Node, { subtree: true, childList: true, characterData: true })
      })
      seconds.push({ shown: Number(timer?.textContent), left: (endsAtMs - Date.now()) / 1000 })
    }
    return { announcements, seconds }
  }, startsAtMs)
  expect(seen.announcements).toBe(0)
  for (const { shown, left } of seen.seconds) {
    expect(shown - left).toBeGreaterThan(-0.05)
    expect(shown - left).toBeLessThan(LATE_MS / 1000)
  }
  await expect.poll(() => isPlaying(page)).toBe(true)
  const cut = (await cutsOf(page)).find(({ id }) => id === first?.id)
  expect(cut?.atMs).toBeGreaterThan(startsAtMs - 20)
  expect(cut?.atMs).toBeLessThan(startsAtMs + LATE_MS)
})
