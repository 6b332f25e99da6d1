/// <reference lib="dom" />

import type { AirLogEntry, Guide } from '@looptide/contracts/http/channels'
import type { StationGuide } from '@looptide/contracts/http/guide'
import { testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { until } from '@looptide/testkit/until'
import { expect, type Page } from '@playwright/test'
import { violationsInThemes } from '../support/accessibility.ts'
import { addVideos, startChannel } from '../support/channels.ts'
import { signIn, signUp } from '../support/people.ts'
import { expectToast, outageOf, signInDirectly } from '../support/web-pages.ts'
import { test, useOwnStation } from '../support/web-station.ts'

const web = useOwnStation()
let adminToken: string
let rockId: string

test.beforeAll(async () => {
  adminToken = await signIn(web.url, testAdmin.email, testAdmin.password)
  const ids = await addVideos(web.url, adminToken, ['Adele', 'Queen', 'PSY'])
  rockId = await startChannel(web.url, adminToken, 'Rock Classics', ids)
})

/** Whether robots.txt allows a path: its longest rule decides (RFC 9309 §2.2.2). */
function isForRobots(robots: string, path: string): boolean {
  const rules = [...robots.matchAll(/^(Allow|Disallow): (\S+)$/gm)].filter(([, , prefix]) =>
    path.startsWith(prefix!),
  )
  const longest = rules.toSorted(([, , a], [, , b]) => b!.length - a!.length)[0]
  return longest?.[1] !== 'Disallow'
}

const read = async <T>(path: string): Promise<T> => (await (await fetch(web.url + path)).json()) as T
const guideDialog = (page: Page) => page.getByRole('dialog', { name: 'TV Guide' })
const programmes = (page: Page) => guideDialog(page).getByRole('region', { name: 'Programmes' })
const row = (page: Page, title: string) => programmes(page).getByRole('list', { name: title })

const panel = (page: Page, name: string | RegExp) => guideDialog(page).getByRole('region', { name })
const selected = (page: Page) => panel(page, 'Selected programme')
const picture = (page: Page) => page.getByTestId('live-picture')

/** Whether the line of the current time crosses all rows, and is in front of the blocks of the first row. */
const nowLine = (page: Page) =>
  programmes(page)
    .locator('[data-now-line]')
    .evaluate((line: HTMLElement) => {
      const rows = [...(line.parentElement?.querySelectorAll('li:has(> div > ol)') ?? [])]
      const first = rows[0]!.getBoundingClientRect()
      const { left, top, bottom } = line.getBoundingClientRect()
      line.style.pointerEvents = 'auto'
      const hits = [first.top + 1, first.top + first.height / 2, first.bottom - 1].map((y) =>
        document.elementFromPoint(left + 1, y),
      )
      line.style.pointerEvents = ''
      const last = rows.at(-1)!.getBoundingClientRect()
      return {
        isUnbroken: top <= first.top && bottom >= last.bottom,
        isInFront: hits.every((hit) => hit === line),
      }
    })

/** Scrolls the line of the current time behind the channel names; whether nothing of it is seen there, also between rows. */
const isLineBehindNames = (page: Page) =>
  programmes(page)
    .locator('[data-now-line]')
    .evaluate((line: HTMLElement) => {
      const scroller = line.closest('section')!
      const names = scroller.querySelector('li')!.firstElementChild!.getBoundingClientRect()
      scroller.scrollLeft += line.getBoundingClientRect().left - (names.left + names.width / 2)
      const { left, top, bottom } = line.getBoundingClientRect()
      line.style.pointerEvents = 'auto'
      const points = Array.from({ length: Math.floor(bottom - top) }, (_, y) => top + y + 0.5)
      const isSeen = points.some((y) => document.elementFromPoint(left + 1, y) === line)
      line.style.pointerEvents = ''
      scroller.scrollLeft = 0
      return left > names.left && left < names.right && !isSeen
    })

/** A time zone in which it is evening now: midnight is a few hours ahead. */
function eveningZone(): string {
  const ahead = (20 - new Date().getUTCHours() + 24) % 24
  const hours = ahead > 12 ? ahead - 24 : ahead
  // POSIX counts the hours west of Greenwich.
  return `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
}

/**
 * A time zone whose hour began ten minutes ago or earlier, and lasts for twenty minutes or longer: the turn of the hour gives
 * the guide another window and other blocks.
 */
function middleOfHourZone(): string {
  const minute = new Date().getUTCMinutes()
  return minute >= 10 && minute < 40 ? 'UTC' : 'Asia/Kolkata'
}
test.use({ timezoneId: middleOfHourZone() })

async function openGuide(page: Page, channel = 'test-card'): Promise<void> {
  await page.goto(`${web.url}/live?channel=${channel}`)
  await page.getByRole('button', { name: 'TV Guide' }).click()
  await expect(row(page, 'Test Card')).toBeVisible()
}

test('a day of every channel, with blocks that open their exact tracks, and Watch Now', async ({ page }) => {
  await page.goto(`${web.url}/live?channel=test-card`)
  // Only the same player has this mark.
  await picture(page)
    .locator('video')
    .first()
    .evaluate((video) => video.setAttribute('data-mark', ''))
  const player = picture(page).locator('video[data-mark]')
  await page.getByRole('button', { name: 'TV Guide' }).click()
  await expect(row(page, 'Test Card')).toBeVisible()
  await expect
    .poll(() => picture(page).boundingBox(), { message: 'the picture goes on beside the guide' })
    .toMatchObject({ x: 20, y: 20, width: 360, height: 202.5 })
  await expect(selected(page).getByRole('button', { name: 'Watch Now' })).toBeVisible()
  await expect(programmes(page).locator('[data-hour]')).toHaveCount(24)
  const titles = programmes(page).getByRole('heading', { level: 3 })
  await expect(titles).toHaveText(['24/7 Live Stream', 'Test Card (watching)', 'Rock Classics'])
  // The initials of the channel's own name, Looptide TV, as on the live page.
  await expect(programmes(page).locator('[data-letters]').first()).toHaveAttribute('data-letters', 'LT')
  await expect(row(page, 'Rock Classics').getByRole('button', { name: /on now: .+ – / })).toHaveCount(1)
  const onAir = row(page, 'Rock Classics').getByRole('button', { name: /on now: .+ – / })
  await expect.poll(async () => (await onAir.boundingBox())?.width).toBeGreaterThan(200)
  const following = row(page, 'Rock Classics').getByRole('button').nth(1)
  await expect
    .poll(async () => (await following.boundingBox())?.width, {
      message: 'a channel that has just started narrows no block',
    })
    .toBeGreaterThan(150)
  // The line of the current time is one line, in front of the blocks.
  await expect.poll(() => nowLine(page)).toEqual({ isUnbroken: true, isInFront: true })
  expect(await isLineBehindNames(page)).toBe(true)
  expect(await violationsInThemes(page)).toEqual([])

  // A block that begins in half an hour or later: it stays in the future during the test.
  const fromMs = await programmes(page).locator('[data-hour]').first().getAttribute('data-hour')
  const { items } = await read<StationGuide>(`/api/guide?fromMs=${fromMs}`)
  const { blocks } = items.find(({ channelId }) => channelId === rockId)!
  const index = blocks.findIndex(({ startsAtMs }) => startsAtMs > Date.now() + 1_800_000)
  const block = blocks[index]!
  const { programmes: planned } = await read<Guide>(
    `/api/channels/${rockId}/guide?fromMs=${block.startsAtMs}&hours=2`,
  )
  const own = planned.filter(
    ({ startsAtMs }) => startsAtMs >= block.startsAtMs && startsAtMs < block.endsAtMs,
  )
  await row(page, 'Rock Classics').getByRole('button').nth(index).click()
  const tracks = page.getByRole('list', { name: 'Tracks' })
  await expect(tracks.getByRole('listitem')).toHaveCount(own.length)
  await expect(selected(page).getByRole('button', { name: 'Watch Now' })).toBeHidden()
  for (const index of [0, own.length - 1]) {
    await expect(tracks.getByRole('listitem').nth(index)).toContainText(own[index]!.video!.artistName)
  }
  expect(await violationsInThemes(page)).toEqual([])

  await tracks.getByRole('button').first().click()
  const { startsAtMs, endsAtMs } = own[0]!
  const video = own[0]!.video!
  await expect(page.getByRole('dialog')).toHaveCount(1)
  const popup = panel(page, video.title)
  await expect(popup.getByText(video.artistName, { exact: true }).filter({ visible: true })).toBeVisible()
  await expect(popup.getByText('Rock Classics')).toBeVisible()
  await expect(popup.getByText(video.genre, { exact: true })).toBeVisible()
  await expect(popup.getByText(video.description)).toBeVisible()
  const when = await page.evaluate(
    (times) => {
      const day = new Date(times[0]!).toLocaleDateString([], {
        weekday: 'short',
        day: 'numeric',
        month: 'short',
      })
      const [from, to] = times.map((ms) =>
        new Date(ms).toLocaleTimeString([], { hour: 'numeric', minute: '2-digit', second: '2-digit' }),
      )
      return { day, exact: `${day}, ${from} – ${to}` }
    },
    [startsAtMs, endsAtMs],
  )
  await expect(popup.getByText(when.exact)).toBeVisible()
  await expect(popup.getByText('LIVE', { exact: true })).toBeHidden()
  // It is not on yet: the channel shows another video now.
  await expect(popup.getByRole('button', { name: 'Watch Now' })).toBeHidden()
  expect(await violationsInThemes(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(tracks).toBeVisible()
  await expect(guideDialog(page).getByText(`Rock Classics, ${when.day}`)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(tracks).toBeHidden()

  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(player).toHaveCount(1)
  await expect.poll(async () => (await picture(page).boundingBox())?.width).toBeGreaterThan(800)
  await page.getByRole('button', { name: 'TV Guide' }).click()
  await page.getByRole('button', { name: 'Watch Now: Rock Classics' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page).toHaveURL(`${web.url}/live?channel=${rockId}`)
})

test('arrow keys move in time and between channels, Enter opens, and the focus is never lost', async ({
  page,
}) => {
  await openGuide(page)
  const tracks = page.getByRole('list', { name: 'Tracks' })
  const focused = page.locator(':focus')
  await expect(focused).toHaveAccessibleName(/on now: /)
  await page.keyboard.press('ArrowDown')
  await expect(row(page, 'Rock Classics').locator(':focus')).toHaveCount(1)
  await expect(selected(page)).toContainText('Rock Classics')
  await expect(page, 'the picture follows only on Enter').toHaveURL(/channel=test-card/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${web.url}/live?channel=${rockId}`)
  await expect(programmes(page).getByRole('heading', { name: 'Rock Classics (watching)' })).toBeVisible()
  await expect(tracks.locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Backspace')
  await expect(tracks).toBeHidden()
  await expect(row(page, 'Rock Classics').locator(':focus')).toHaveCount(1)
  for (let hour = 0; hour < 12; hour += 1) await page.keyboard.press('ArrowRight')
  await expect(focused).toBeInViewport({ ratio: 0.9 })
  const later = await focused.getAttribute('data-place')
  await expect(programmes(page).getByRole('heading', { name: 'Rock Classics' })).toBeInViewport()

  await page.keyboard.press('Enter')
  await expect(tracks.locator(':focus')).toHaveCount(1)
  await page.keyboard.press('ArrowDown')
  await expect(tracks.locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Enter')
  const details = guideDialog(page)
    .getByRole('region')
    .filter({ has: page.getByRole('term') })
  await expect(details.locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(tracks.locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(focused).toHaveAttribute('data-place', later!)

  for (let press = 0; press < 14; press += 1) await page.keyboard.press('ArrowLeft')
  await expect(focused).toHaveAccessibleName('Watch Now: Rock Classics')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(focused).toHaveAccessibleName('Watch Now: 24/7 Live Stream')
  await page.keyboard.press('ArrowUp')
  await expect(programmes(page).locator(':focus')).toHaveCount(0)
  await expect(guideDialog(page).locator(':focus')).toHaveCount(1)
  await page.keyboard.press('ArrowDown')
  await expect(programmes(page).locator(':focus')).toHaveCount(1)
})

test('an open guide shows an edited timeline and a new channel without a reload', async ({ page }) => {
  await openGuide(page)
  await expect(row(page, 'Rock Classics')).toBeVisible()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const [added = ''] = await addVideos(web.url, adminToken, ['Newcomer'])
  await until('the scheduler has the video', () =>
    clientOf(web.url, adminToken).call('POST /api/channels/:id/playlist', {
      params: { id: rockId },
      body: { videoIds: [added] },
    }),
  )
  await expect(
    row(page, 'Rock Classics')
      .getByText(/2 more|Newcomer/)
      .first(),
  ).toBeVisible()
  await startChannel(web.url, adminToken, 'Made Just Now', [added!])
  await expect(row(page, 'Made Just Now').getByText('Newcomer').first()).toBeVisible()
  expect(asked.some((url) => url.includes('/live?'))).toBe(false)
})

test('an open guide is loaded again five minutes after each answer', async ({ page }) => {
  // Without a socket no push makes the guide load earlier.
  await page.routeWebSocket(/\/realtime\/v1\/websocket/, (socket) => void socket.close())
  // Each answer has its number as the name of the Test Card: the page sets its timer once it has processed an answer.
  let requests = 0
  await page.route(/\/api\/guide\?/, async (route) => {
    requests += 1
    const name = `Answer ${requests}`
    const response = await route.fetch()
    const { items, ...rest }: StationGuide = await response.json()
    const named = items.map((item) => (item.channelId === 'test-card' ? { ...item, name } : item))
    await route.fulfill({ response, json: { ...rest, items: named } })
  })
  await page.clock.install()
  await page.goto(`${web.url}/live?channel=test-card`)
  await page.getByRole('button', { name: 'TV Guide' }).click()
  await expect(row(page, 'Answer 1')).toBeVisible()
  // From here on time passes for the page only by these steps, however long the answers take.
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.clock.fastForward(300_000)
  for (const answer of [2, 3]) {
    await expect(row(page, `Answer ${answer}`)).toBeVisible()
    await page.clock.fastForward(290_000)
    expect(requests).toBe(answer)
    await page.clock.fastForward(15_000)
    await expect.poll(() => requests).toBe(answer + 1)
  }
  await expect(row(page, 'Answer 4')).toBeVisible()
})

test('a failed guide shows twelve placeholders and a retry button', async ({ page }) => {
  const outage = await outageOf(page, /\/api\/guide\?/)
  await page.goto(`${web.url}/live?channel=test-card`)
  await page.getByRole('button', { name: 'TV Guide' }).click()
  await expect(row(page, '24/7 Live Stream').getByRole('button')).toHaveCount(12)
  await row(page, '24/7 Live Stream').getByRole('button').first().click()
  const onAir = panel(page, 'Continuous Live Stream')
  await expect(onAir).toContainText('Live stream content')
  await expect(onAir.getByRole('button', { name: 'Watch Now', exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await outage.tryAgain()
  await expect(row(page, 'Test Card')).toBeVisible()
  await expect(page.getByText('The guide could not be loaded.')).toBeHidden()
})

test('on a phone the channel names stay visible while scrolling, and a touch opens a block', async ({
  browser,
}) => {
  const page = await browser.newPage({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    timezoneId: eveningZone(),
  })
  await page.goto(`${web.url}/live?channel=test-card`)
  await page.getByRole('button', { name: 'TV Guide' }).tap()
  await expect(row(page, 'Test Card')).toBeVisible()
  const dayAhead = (hours: number) =>
    page.evaluate(
      (hours) =>
        new Date(Date.now() + hours * 3_600_000).toLocaleDateString([], {
          weekday: 'short',
          day: 'numeric',
          month: 'short',
        }),
      hours,
    )
  const shownDay = programmes(page).locator('[data-day]')
  await expect(shownDay).toHaveText(await dayAhead(0))
  await expect(programmes(page).locator('[data-now-line]').first()).toBeInViewport()
  await programmes(page).evaluate((element) => element.scrollTo({ left: 1500 }))
  await expect(shownDay).toHaveText(await dayAhead(7))
  await expect(programmes(page).locator('[data-now-line]').first()).not.toBeInViewport()
  await expect(programmes(page).getByRole('heading', { name: 'Rock Classics' })).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('button', { name: 'Watch Now: Rock Classics' })).toBeInViewport({ ratio: 1 })
  await page.getByRole('button', { name: 'Tomorrow' }).tap()
  await expect(page.getByRole('button', { name: 'Tomorrow', pressed: true })).toBeVisible()
  await expect(programmes(page).locator('[data-now-line]')).toHaveCount(0)
  await expect(shownDay).toHaveText(await dayAhead(7))
  await page.getByRole('button', { name: 'Now', exact: true }).tap()
  await expect(programmes(page).locator('[data-now-line]')).toHaveCount(1)
  await expect(shownDay).toHaveText(await dayAhead(0))
  // A touch during momentum scrolling only stops the scrolling.
  await expect.poll(() => programmes(page).evaluate((element) => element.scrollLeft)).toBe(0)
  await row(page, 'Rock Classics')
    .getByRole('button', { name: /on now/ })
    .tap()
  // A block of several tracks lists them; a lone programme is shown itself.
  const tracks = page.getByRole('list', { name: 'Tracks' })
  await expect(tracks.or(page.getByRole('button', { name: 'Watch Now', exact: true })).first()).toBeVisible()
  await page.close()
})

test('can be subscribed to as a calendar and as XMLTV', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openGuide(page)
  await page.getByRole('button', { name: 'Subscribe' }).click()
  const dialog = panel(page, 'Subscribe')
  expect(await violationsInThemes(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Copy link: Rock Classics' }).click()
  await expectToast(page, 'Link copied')
  const calendarUrl = await page.evaluate(() => navigator.clipboard.readText())
  const calendar = await fetch(calendarUrl)
  expect(calendar.headers.get('content-type')).toContain('text/calendar')
  expect(await calendar.text()).toContain('X-WR-CALNAME:Rock Classics')
  const tv = await fetch(await dialog.getByRole('textbox', { name: 'All channels' }).inputValue())
  expect(tv.headers.get('content-type')).toContain('application/xml')
  expect(await tv.text()).toContain('<display-name>Rock Classics</display-name>')

  const fields = dialog.getByRole('textbox')
  const feeds = await fields.evaluateAll((all) => all.map((field) => (field as HTMLInputElement).value))
  const links = await dialog
    .getByRole('link', { name: 'Open' })
    .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href))
  expect(links.map((href) => href.replace('webcal:', 'http:'))).toEqual(feeds.slice(0, -1))
  const { items } = await read<{ items: { id: string }[] }>('/api/videos?limit=1')
  const robots = await (await fetch(`${web.url}/robots.txt`)).text()
  for (const url of [...feeds, `${web.url}/videos/${items[0]!.id}`, `${web.url}/live?channel=${rockId}`]) {
    expect(isForRobots(robots, new URL(url).pathname), url).toBe(true)
    const answer = await fetch(url)
    expect(answer.status, url).toBe(200)
    const text = await answer.text()
    const shown = { 'text/calendar': 'BEGIN:VEVENT', 'application/xml': '<programme ', 'text/html': '<html' }
    const [type = ''] = answer.headers.get('content-type')?.split(';') ?? []
    expect(text, url).toContain(shown[type as keyof typeof shown])
  }
  const docs = await read<{ paths: Record<string, unknown> }>('/docs/json')
  expect(Object.keys(docs.paths)).toEqual(
    expect.arrayContaining(['/api/guide', '/api/guide.xml', '/api/channels/{id}/guide.ics']),
  )
})

test('What was on: a track is found by time and added to a list', async ({ page }) => {
  const first = await until('the first track is in the log', async () => {
    const { items } = await read<{ items: AirLogEntry[] }>(`/api/channels/${rockId}/air-log`)
    return items.at(-1)
  })
  await signInDirectly(page, web.url, await signUp(web.url, 'history'))
  await openGuide(page, rockId)
  await page.getByRole('link', { name: 'What was on' }).click()
  await expect(page.getByRole('heading', { name: 'What was on', level: 1 })).toBeVisible()
  await expect(page.getByLabel('Channel')).toHaveValue(rockId)
  await expect(page.getByRole('heading', { name: /^Today/ })).toBeVisible()
  await expect(page.getByText(first.artistName, { exact: false }).first()).toBeVisible()
  expect(await violationsInThemes(page)).toEqual([])

  await page.goto(`${web.url}/history?channel=${rockId}&at=${first.startedAtMs + 500}`)
  const found = page.getByRole('listitem').filter({ hasText: 'on at the selected time' })
  await expect(found).toHaveAttribute('aria-current', 'true')
  await expect(found).toContainText(first.artistName)
  await expect(found).toBeInViewport()
  await found.getByRole('button', { name: /^Add to List/ }).click()
  await expectToast(page, 'Video added to My List')
  await expect(found.getByRole('link', { name: /^Play: / })).toHaveAttribute('href', '/live')

  await page.getByLabel('Date').fill('2020-02-03')
  await page.getByLabel('Time').fill('21:40')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(page.getByText(/^Nothing was on at .*9:40 PM/)).toBeVisible()
  await page.getByLabel('Date').fill('2099-01-01')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(page.getByLabel('Date')).toHaveAccessibleDescription(/in the future/)

  const outage = await outageOf(page, /air-log/)
  await page.getByRole('button', { name: 'An hour ago' }).click()
  await expect(page.getByText('The history could not be loaded.')).toBeVisible()
  await outage.tryAgain()
  await expect(page.getByRole('heading', { name: /^Today/ })).toBeVisible()
})
