/// <reference lib="dom" />

import type {
  CardProgramme,
  Guide,
  NowState,
  Programme,
  ProgrammeVideo,
} from '@looptide/contracts/http/channels'
import type { IdentKind, ScheduleDocument, Slot } from '@looptide/contracts/schedule'
import { testAdmin } from '@looptide/test-station/station'
import { expect, type Page } from '@playwright/test'
import { violationsInThemes } from '../support/accessibility.ts'
import { startClipChannel } from '../support/channels.ts'
import { isPlaying, openChannel } from '../support/live-watch.ts'
import { signIn } from '../support/people.ts'
import { startSchedule } from '../support/schedules.ts'
import { test, useSharedStation } from '../support/web-station.ts'

const web = useSharedStation()
let adminToken: string
let channel: string

test.beforeAll(async () => {
  adminToken = await signIn(web.url, testAdmin.email, testAdmin.password)
  channel = await startClipChannel(web.url, adminToken, 'Cards')
})

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
/** Delay of a timer and a frame on a busy machine, in ms. */
const LATE_MS = 250

const picture = (page: Page) => page.getByRole('region', { name: 'Live picture' })
const read = async <T>(path: string): Promise<T> => (await (await fetch(web.url + path)).json()) as T
const now = (): Promise<NowState> => read<NowState>(`/api/channels/${channel}/now`)

/** Starts a schedule that repeats these slots. */
async function start(slots: Slot[], further: Partial<ScheduleDocument> = {}): Promise<void> {
  await startSchedule(web.url, adminToken, channel, {
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
  /** Whether a player was visible or audible. */
  hasPlayer: boolean
}

/** Records each change of the programme on the page. */
function recordCuts(page: Page): Promise<void> {
  return page.evaluate(() => {
    const element = document.querySelector<HTMLElement>('[data-programme-id]')
    if (element === null) throw new Error('no picture')
    const cuts: Cut[] = []
    const record = () => {
      const atMs = Date.now()
      const id = element.dataset.programmeId ?? ''
      if (cuts.at(-1)?.id === id) return
      // After the frame in which the page has rendered it.
      requestAnimationFrame(() => {
        const videos = [...element.querySelectorAll('video')]
        const hasPlayer = videos.some(
          (video) =>
            video.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !video.paused,
        )
        cuts.push({ id, atMs, hasPlayer })
      })
    }
    new MutationObserver(record).observe(element, { attributeFilter: ['data-programme-id'] })
    Object.assign(window, { cuts })
  })
}

const cutsOf = (page: Page): Promise<Cut[]> =>
  page.evaluate(() => (window as unknown as { cuts: Cut[] }).cuts)

/** Time limit of one attempt to check a card, in ms. It is repeated, because the timeline may change meanwhile. */
const QUICK = { timeout: 500 }

/** Waits until a card of this kind is on the air, and checks the page, the card and the next videos. */
async function onCard(
  ident: IdentKind | null,
  check: (card: CardProgramme, videos: ProgrammeVideo[]) => Promise<void>,
): Promise<CardProgramme> {
  let found: CardProgramme | undefined
  await expect(async () => {
    const [card, ...rest] = (await now()).programmes
    if (card === undefined || card.kind === 'video' || card.ident !== ident) throw new Error('not yet on')
    await check(
      card,
      rest.flatMap(({ video }) => video ?? []),
    )
    found = card
  }).toPass({ timeout: 90_000, intervals: [100] })
  if (found === undefined) throw new Error('no card')
  return found
}

/** The programmes of the last two minutes and the future ones. */
const lately = async (): Promise<Programme[]> =>
  (await read<Guide>(`/api/channels/${channel}/guide?fromMs=${Date.now() - 120_000}&hours=1`)).programmes

test('three cards and the next video start at their instants; no player is seen or heard during a card', {
  tag: '@clock',
}, async ({ page }) => {
  await openChannel(page, web.url, channel)
  await recordCuts(page)
  await start([
    { ident: 'station', durationMs: 5000 },
    { ident: 'next', durationMs: 8000 },
    { ident: 'previous', durationMs: 5000 },
    { source: 'list', count: 1 },
  ])
  await onCard('station', async () => {
    await expect(picture(page)).toHaveText('Looptide TV', QUICK)
  })
  await onCard('next', async (_card, videos) => {
    await expect(picture(page)).toContainText('Coming up next', QUICK)
    for (const { title } of videos.slice(0, 3)) await expect(picture(page)).toContainText(title, QUICK)
    const [first] = videos
    await expect(page).toHaveTitle(`${first?.title} – ${first?.artistName} | Looptide`, QUICK)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(first?.title ?? '', QUICK)
  })
  await onCard('previous', async ({ previous }) => {
    await expect(picture(page)).toContainText(`You just saw${previous?.title}`, QUICK)
  })
  await expect.poll(() => isPlaying(page)).toBe(true)
  await expect(picture(page)).toHaveText('')

  const recorded = async () => {
    const aired = new Map((await lately()).map((programme) => [programme.id, programme]))
    const known = (await cutsOf(page)).flatMap((cut) => {
      const programme = aired.get(cut.id)
      return programme ? [{ ...cut, kind: programme.kind, lateMs: cut.atMs - programme.startsAtMs }] : []
    })
    // A video may have ended between the opening of the page and the restart.
    return known.slice(known.findIndex(({ kind }) => kind === 'ident'))
  }
  await expect
    .poll(async () => (await recorded()).map(({ kind }) => kind))
    .toEqual(['ident', 'ident', 'ident', 'video'])
  const cuts = await recorded()
  // The first card started with the restart, in the middle of a video. The page was notified afterwards.
  const punctual = cuts.slice(1)
  expect(Math.min(...punctual.map(({ lateMs }) => lateMs))).toBeGreaterThan(-20)
  expect(Math.max(...punctual.map(({ lateMs }) => lateMs))).toBeLessThan(LATE_MS)
  expect(cuts.slice(0, 3).map(({ hasPlayer }) => hasPlayer)).toEqual([false, false, false])
})

test('a viewer who joins during a card sees it; it fits every screen without accessibility violations', async ({
  page,
}) => {
  test.setTimeout(240_000)
  const idents = { station: 'Looptide', next: 'Coming up next', previous: 'You just saw' } as const
  await page.emulateMedia({ reducedMotion: 'reduce' })
  for (const [ident, text] of Object.entries(idents) as [keyof typeof idents, string][]) {
    // Several times the longest card, one after the other: the checks may take longer than one.
    const cards = Array.from({ length: 4 }, () => ({ ident, durationMs: 30_000 }))
    await start([...cards, { source: 'list', count: 1 }])
    await page.goto(`${web.url}/live?channel=${channel}`)
    await expect(picture(page)).toContainText(text)
    for (const size of SIZES) {
      await page.setViewportSize(size)
      await expect(async () => {
        const box = await picture(page).getByText(text).first().boundingBox()
        const frame = await picture(page).boundingBox()
        if (box === null || frame === null) throw new Error('no picture')
        expect(box.height).toBeGreaterThanOrEqual(size.width / 60)
        expect(box.x).toBeGreaterThanOrEqual(frame.x)
        expect(box.y + box.height).toBeLessThanOrEqual(frame.y + frame.height)
      }).toPass()
    }
    const longestMs = await picture(page).evaluate((element) =>
      Math.max(
        0,
        ...element
          .getAnimations({ subtree: true })
          .map(({ effect }) => Number(effect?.getComputedTiming().duration)),
      ),
    )
    expect(longestMs).toBeLessThan(1)
    expect(await violationsInThemes(page)).toEqual([])
    await expect(picture(page)).toContainText(text)
  }
})

test('a countdown shows the seconds to a hard start by the clock, and announces nothing meanwhile', {
  tag: '@clock',
}, async ({ page }) => {
  test.setTimeout(240_000)
  // All clips are longer, so the countdown starts immediately.
  const startsAtMs = Math.ceil(Date.now() / 1000) * 1000 + 18_000
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
  await page.goto(`${web.url}/live?channel=${channel}`)
  const countdown = await onCard(null, async () => {
    await expect(picture(page)).toContainText('The Premiere', QUICK)
    await expect(picture(page)).toContainText('Starts in', QUICK)
  })
  await recordCuts(page)
  expect(countdown.endsAtMs).toBe(startsAtMs)
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
  await expect.poll(() => isPlaying(page), { timeout: 30_000 }).toBe(true)
  const first = (await lately()).find((programme) => programme.startsAtMs === startsAtMs)
  const cutToFirst = async () => (await cutsOf(page)).find(({ id }) => id === first?.id)
  await expect.poll(cutToFirst).toBeDefined()
  const cut = await cutToFirst()
  expect(cut?.atMs).toBeGreaterThan(startsAtMs - 20)
  expect(cut?.atMs).toBeLessThan(startsAtMs + LATE_MS)
})
