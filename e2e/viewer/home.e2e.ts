/// <reference lib="dom" />

import { testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { type Browser, expect, type Locator, type Page } from '@playwright/test'
import { go } from '../support/keys.ts'
import { soundOf } from '../support/live-watch.ts'
import { signIn, signUp } from '../support/people.ts'
import { expectToast, goOffline, outageOf, partsLoaded, signInDirectly } from '../support/web-pages.ts'
import { test, useOwnStation } from '../support/web-station.ts'

const web = useOwnStation()

const row = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })
const tiles = (page: Page, title: string) => row(page, title).getByRole('listitem')
const highlights = (page: Page) => page.getByRole('region', { name: 'Highlights' })
const slideTitle = (page: Page) => highlights(page).getByRole('heading', { level: 2 })
const chosenDot = (page: Page) => highlights(page).locator('[aria-current="true"]')
const details = (page: Page, title: string) => page.getByRole('dialog', { name: title, exact: true })
const scrollLeftOf = (list: Locator) => list.evaluate((element) => Math.round(element.scrollLeft))

async function openHome(page: Page): Promise<void> {
  await signInDirectly(page, web.url, await signUp(web.url, 'homely'))
  await page.goto(web.url)
  await expect(row(page, 'All Videos')).toBeVisible()
}

const asAdmin = async () => clientOf(web.url, await signIn(web.url, testAdmin.email, testAdmin.password))

const findVideo = async (title: string) => {
  const [video] = (await clientOf(web.url).call('GET /api/videos', { query: { q: title, limit: 1 } })).items
  if (!video) throw new Error(`There is no video called ${title}.`)
  return video
}

const phone = (browser: Browser) =>
  browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

/** A touch drag from the middle of an element by this many pixels. */
async function drag(page: Page, target: Locator, x: number): Promise<void> {
  const box = await target.boundingBox()
  if (!box) throw new Error('There is nothing to drag.')
  const from = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const client = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: number) =>
    client.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: at === undefined ? [] : [{ x: from.x + at, y: from.y }],
    })
  await touch('touchStart', 0)
  for (let step = 1; step <= 8; step += 1) await touch('touchMove', (x * step) / 8)
  await touch('touchEnd')
  await client.detach()
}

/** The highlights do not change by themselves for people who want less motion, and the live picture does not play. */
test.describe('with motion', () => {
  test.use({ reducedMotion: 'no-preference' })

  test('home begins with the live picture, and five highlights change automatically and manually, at most every 600 ms @clock', async ({
    page,
  }) => {
    await openHome(page)
    const picture = page.getByRole('region', { name: 'Live picture' })
    await expect(picture).toHaveAttribute('data-state', 'playing')
    await expect.poll(() => soundOf(page)).toMatchObject({ muted: true })
    // Nothing of the page is in front of it, and it keeps its place when the page is scrolled.
    const isBare = () =>
      picture.evaluate((section) => {
        section.scrollIntoView({ block: 'center' })
        const { left, top, right, bottom } = section.getBoundingClientRect()
        const corners = [left + 9, right - 9].flatMap((x) =>
          [top + 9, bottom - 9].map((y) => [x, y] as const),
        )
        return corners.every(([x, y]) => section.contains(document.elementFromPoint(x, y)))
      })
    for (const [width, height] of [
      [390, 844],
      [844, 390],
      [1280, 720],
    ] as const) {
      await page.setViewportSize({ width, height })
      await expect.poll(isBare, { message: `${width} × ${height}` }).toBe(true)
    }
    await expect(highlights(page).getByRole('button', { name: /^Highlight \d: / })).toHaveCount(5)
    // Neither the click nor the focus that it leaves behind holds the highlights, once the pointer is elsewhere.
    await page.getByRole('button', { name: /^Highlight 1/ }).click()
    await expect(chosenDot(page)).toBeFocused()
    await expect(chosenDot(page)).toHaveAccessibleName(/^Highlight 1/)
    await page.mouse.move(2, 2)
    await expect(chosenDot(page)).toHaveAccessibleName(/^Highlight 2/)

    // The second of two clicks at once is ignored; a later one wraps around to the last.
    await highlights(page).evaluate((section) => {
      for (const name of ['^Highlight 1', '^Previous highlight']) {
        const button = [...section.querySelectorAll('button')].find(({ ariaLabel }) =>
          new RegExp(name).test(ariaLabel ?? ''),
        )
        button?.click()
      }
    })
    await expect(chosenDot(page)).toHaveAccessibleName(/^Highlight 1/)
    await expect(async () => {
      await page.getByRole('button', { name: 'Previous highlight' }).click()
      await expect(chosenDot(page)).toHaveAccessibleName(/^Highlight 5/, { timeout: 1_000 })
    }).toPass()

    await page.getByRole('button', { name: 'Pause highlights' }).click()
    await expect(page.getByRole('button', { name: 'Play highlights' })).toBeVisible()

    // The live page shows the same player, with sound. A click just after another one is ignored.
    await expect(picture).toBeHidden()
    await expect(async () => {
      await highlights(page).getByRole('button', { name: 'Live TV', exact: true }).click()
      await expect(chosenDot(page)).toHaveAccessibleName('Live TV', { timeout: 1_000 })
    }).toPass()
    await expect(picture).toHaveAttribute('data-state', 'playing')
    const video = await picture.locator('video').first().elementHandle()
    await page.getByRole('link', { name: 'Watch Live TV' }).click()
    await expect(page).toHaveURL(`${web.url}/live`)
    await expect.poll(() => soundOf(page)).toMatchObject({ muted: false })
    expect(await video?.evaluate((element) => element.isConnected)).toBe(true)
  })
})

test('the rows have the specified videos and scroll by 300 and 400 pixels; curation appears at once', async ({
  page,
}) => {
  await openHome(page)
  await expect(tiles(page, 'All Videos')).toHaveCount(15)
  await expect(tiles(page, 'Featured Content')).toHaveCount(15)
  await expect(tiles(page, 'Recently Added')).toHaveCount(12)
  for (const [title, stepPx] of [
    ['All Videos', 300],
    ['Featured Content', 400],
  ] as const) {
    const list = row(page, title).getByRole('list')
    const back = row(page, title).getByRole('button', { name: 'Previous videos' })
    await expect(back).toHaveAttribute('aria-disabled', 'true')
    await row(page, title).getByRole('button', { name: 'Next videos' }).click()
    await expect.poll(() => scrollLeftOf(list)).toBe(stepPx)
    await back.click()
    await expect.poll(() => scrollLeftOf(list)).toBe(0)
  }

  const [hero, featured] = await Promise.all([findVideo('Gangnam Style'), findVideo('Despacito')])
  await (await asAdmin()).call('POST /api/curation', { body: { videoId: hero.id, sectionType: 'hero' } })
  await (await asAdmin()).call('POST /api/curation', {
    body: { videoId: featured.id, sectionType: 'featured' },
  })
  const surf = { videoId: hero.id, sectionType: 'category', sectionName: 'Summer Nights' } as const
  await (await asAdmin()).call('POST /api/curation', { body: surf })
  await expect(tiles(page, 'Summer Nights')).toHaveCount(1)
  await expect(highlights(page).getByRole('button', { name: 'Highlight 1: Gangnam Style' })).toBeVisible()
  await expect(tiles(page, 'Featured Content').first()).toContainText('Despacito')
  await expect(tiles(page, 'Featured Content').filter({ hasText: 'Gangnam Style' })).toHaveCount(0)
})

test('a video is opened and played: counted once, fullscreen with the badge, stopped when closed', async ({
  page,
}) => {
  // Headless Chromium grants a wake lock only after this override.
  await page.context().grantPermissions(['screen-wake-lock'])
  await page.addInitScript(() => {
    const { wakeLock } = navigator
    const request = wakeLock.request.bind(wakeLock)
    Object.assign(window, { locks: [] as WakeLockSentinel[] })
    wakeLock.request = async (type) => {
      const lock = await request(type)
      ;(window as unknown as { locks: WakeLockSentinel[] }).locks.push(lock)
      return lock
    }
  })
  const heldLocks = () =>
    page.evaluate(
      () =>
        (window as unknown as { locks: WakeLockSentinel[] }).locks.filter((lock) => !lock.released).length,
    )
  // Random rows do not contain it on every visit.
  const before = await findVideo('Thriller')
  await (await asAdmin()).call('POST /api/curation', {
    body: {
      videoId: before.id,
      sectionType: 'category',
      sectionName: 'Late Night',
    },
  })
  await openHome(page)
  let views = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/views')) views += 1
  })
  const tile = tiles(page, 'Late Night').filter({ hasText: 'Thriller' })
  await tile.first().getByRole('button').click()
  const dialog = details(page, 'Thriller')
  for (const text of ['by Michael Jackson', 'Pop', '13:43', 'Added']) {
    await expect(dialog.getByText(text).first()).toBeVisible()
  }
  await expect(dialog.getByRole('button', { name: 'Add to List' })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Play Now' })).toBeFocused()
  await dialog.getByRole('button', { name: 'Play Now' }).click()

  const player = details(page, 'Thriller').filter({
    has: page.getByRole('link', { name: 'Open in new tab' }),
  })
  await expect(player.getByRole('button', { name: 'Pause' })).toBeVisible()
  await expect(player.getByText('Loading video...')).toBeHidden()
  await expect.poll(() => page.evaluate(() => document.querySelector('video')?.volume)).toBe(0.7)
  await expect(player.getByRole('link', { name: 'Open in new tab' })).toHaveAttribute(
    'href',
    'https://www.youtube.com/watch?v=sOnqjkJTMaA',
  )
  await expect.poll(async () => (await findVideo('Thriller')).viewCount).toBe(before.viewCount + 1)
  await expect.poll(heldLocks).toBe(1)

  await expect(player.getByText('Looptide', { exact: true })).toBeHidden()
  await player.getByRole('button', { name: 'Full screen' }).click()
  await expect(player.getByText('Looptide', { exact: true })).toBeVisible()
  await player.getByRole('button', { name: 'Leave full screen' }).click()
  await expect(player.getByText('Looptide', { exact: true })).toBeHidden()
  await player.getByRole('button', { name: 'Pause' }).click()
  await player.getByRole('button', { name: 'Play' }).click()
  await expect(player.getByRole('button', { name: 'Pause' })).toBeVisible()

  await player.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.locator('video, iframe')).toHaveCount(0)
  await expect.poll(heldLocks).toBe(0)
  await expect(tile.first().getByRole('button')).toBeFocused()
  expect(views).toBe(1)
})

test('the same works with arrow keys and Enter', async ({ page }) => {
  await openHome(page)
  const focused = page.locator(':focus')
  await page.getByRole('link', { name: 'Watch Live TV' }).focus()
  await go(page, 'ArrowDown', tiles(page, 'All Videos').locator(':focus'))
  await go(page, 'ArrowLeft', tiles(page, 'All Videos').first().locator(':focus'))
  // There is nothing to the left of the first.
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowRight')
  await expect(tiles(page, 'All Videos').nth(1).locator(':focus')).toHaveCount(1)
  await page.keyboard.press('ArrowDown')
  await expect(tiles(page, 'Featured Content').locator(':focus')).toHaveCount(1)
  await page.keyboard.press('ArrowUp')
  await expect(tiles(page, 'All Videos').nth(1).locator(':focus')).toHaveCount(1)

  const opener = await focused.textContent()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Play Now' })).toBeFocused()
  await page.keyboard.press('Enter')
  const pause = page.getByRole('dialog').getByRole('button', { name: 'Pause' })
  await expect(pause).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('button', { name: 'Full screen' })).toBeFocused()
  await page.keyboard.press('Backspace')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(focused).toHaveText(opener ?? '')
  await go(page, 'ArrowUp', highlights(page).locator(':focus'))
})

test('touch swipes the highlights, scrolls the rows, and plays', async ({ browser }) => {
  const context = await phone(browser)
  const page = await context.newPage()
  await openHome(page)
  await drag(page, slideTitle(page), -180)
  await expect(chosenDot(page)).toHaveAccessibleName(/^Highlight 1/)
  await expect(row(page, 'All Videos').getByRole('button', { name: 'Next videos' })).toBeHidden()
  const list = row(page, 'All Videos').getByRole('list')
  // Once more if what loads above has moved the row meanwhile.
  await expect(async () => {
    await list.scrollIntoViewIfNeeded()
    await drag(page, list, -160)
    await expect.poll(() => scrollLeftOf(list), { timeout: 2_000 }).toBeGreaterThan(60)
  }).toPass()
  // A touch during momentum scrolling only stops the scrolling.
  const playNow = page.getByRole('button', { name: 'Play Now' })
  const tile = tiles(page, 'Recently Added').first().getByRole('button')
  await expect(async () => {
    // The dialog of the last touch may have opened late: it covers the tile.
    if (!(await playNow.isVisible())) await tile.tap({ timeout: 5_000 })
    await expect(playNow).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await playNow.tap()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Pause' })).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).tap()
  await expect(page.getByRole('dialog')).toBeHidden()
  const isWiderThanScreen = () =>
    page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
  await expect.poll(isWiderThanScreen).toBe(false)
  await context.close()
})

test('visitors can search, sort, filter and page through all videos', async ({ page }) => {
  const rows = Array.from({ length: 70 }, (_, n) => ({
    url: `https://youtu.be/zzzzzzzzz${String(n).padStart(2, '0')}`,
    title: `Zone ${n}`,
    artistName: 'The Many',
    category: 'Must Watch' as const,
  }))
  await (await asAdmin()).call('POST /api/videos/import', { body: { rows, dryRun: false } })
  await page.goto(`${web.url}/videos`)
  await expect(page.getByRole('heading', { level: 1, name: 'All Videos (90)' })).toBeVisible()
  const grid = page.getByRole('main').getByRole('list')
  const shown = grid.getByRole('button')
  await expect(shown).toHaveCount(60)
  await shown.last().scrollIntoViewIfNeeded()
  await expect(shown).toHaveCount(90)

  await page.getByLabel('Category').selectOption('New Submissions')
  await expect(page.getByRole('heading', { level: 1, name: 'All Videos (6)' })).toBeVisible()
  await page.getByLabel('Sort by').selectOption('Title A-Z')
  await expect(shown.first()).toContainText('Blinding Lights')
  await page.getByLabel('Sort by').selectOption('Artist A-Z')
  await expect(shown.first()).toContainText('Alan Walker')
  await page.getByPlaceholder('Search videos, artists, genres...').fill('HIP HOP')
  await expect(page.getByRole('heading', { level: 1, name: 'All Videos (1)' })).toBeVisible()
  await expect(shown).toContainText('See You Again')
  await page.reload()
  await expect(shown).toContainText('See You Again')
  await page.getByPlaceholder('Search videos, artists, genres...').fill('nothing like this')
  await expect(page.getByText('No videos found matching your criteria.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear search and filters' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'All Videos (90)' })).toBeVisible()

  const { id } = await findVideo('Thriller')
  await page.goto(`${web.url}/videos/${id}`)
  await details(page, 'Thriller').getByRole('button', { name: 'Play Now' }).click()
  await expectToast(page, 'Sign In Required', 'Please sign in to watch videos')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page).toHaveURL(`${web.url}/videos`)
  await page.getByRole('link', { name: 'Back to Home' }).click()
  await expect(page.getByRole('tab', { name: 'Sign In', exact: true })).toBeVisible()
})

test('failures are shown and recovered from', async ({ page }) => {
  const clip = await (await asAdmin()).call('POST /api/videos', {
    body: {
      urls: ['https://media.example/away.mp4'],
    },
  })
  const home = await outageOf(page, '**/api/home?*')
  await signInDirectly(page, web.url, await signUp(web.url, 'unlucky'))
  await page.goto(web.url)
  await expectToast(page, 'Error', 'Failed to load videos')
  await expect(tiles(page, 'All Videos').first()).toBeVisible()
  await home.tryAgain()
  await expect(highlights(page)).toBeVisible()

  await page.route('**/iframe_api', (route) => route.abort())
  await page.getByRole('button', { name: /^Highlight 1/ }).click()
  await highlights(page)
    .getByRole('button', { name: /^Play (?!highlights)/ })
    .click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('This video cannot be played here')).toBeVisible()
  await expect(dialog.getByRole('link', { name: 'Open in new tab' })).toHaveCount(2)
  await page.unroute('**/iframe_api')
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await expect(dialog.getByRole('button', { name: 'Pause' })).toBeVisible()
  await page.keyboard.press('Escape')

  // A clip from another server has the placeholder as thumbnail, and plays only while that server responds.
  const url = `${web.url}/videos/${clip.lines[0]?.video?.id}`
  await page.goto(url)
  await page.getByRole('button', { name: 'Play Now' }).click()
  await expect(dialog.getByText('This video cannot be played here')).toBeVisible()
  await expect(dialog.getByRole('link', { name: 'Open in new tab' }).first()).toHaveAttribute(
    'href',
    'https://media.example/away.mp4',
  )

  const videos = await outageOf(page, '**/api/videos?*')
  await page.goto(`${web.url}/videos`)
  await expect(page.getByRole('main').getByText('Failed to load videos')).toBeVisible()
  await videos.tryAgain()
  await expect(page.getByRole('heading', { level: 1, name: /^All Videos \(/ })).toBeVisible()
})

test('offline, parts of a loaded page open, and another page opens when the browser is online again', async ({
  page,
  context,
}) => {
  const loaded = partsLoaded(page, [
    'details-dialog',
    'add-to-list-button',
    'player-dialog',
    'avatar-menu',
    'search-suggestions',
    'all',
  ])
  await openHome(page)
  await loaded
  const highlight = page.getByRole('region', { name: 'Highlights' })
  await highlight.getByRole('button', { name: 'Live TV', exact: true }).click()
  await expect(highlight.getByText('LIVE', { exact: true })).toBeVisible()
  await context.setOffline(true)
  await expect(highlight.getByText('Offline', { exact: true })).toBeVisible()
  await expect(highlight.getByText('LIVE', { exact: true })).toBeHidden()
  await tiles(page, 'All Videos').first().getByRole('button').click()
  await page.getByRole('button', { name: 'Play Now' }).click()
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Open in new tab' }).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'What was on' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'You are offline' })).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByRole('heading', { level: 1, name: 'What was on' })).toBeVisible()
})

test('a dialog that cannot be loaded shows a toast and keeps the page', async ({ page, context }) => {
  await signInDirectly(page, web.url, await signUp(web.url, 'homely'))
  await page.goto(`${web.url}/members`)
  // Its dialog is loaded only by a press.
  const open = page.getByRole('button', { name: 'Use a URL' })
  await expect(open).toBeVisible()
  await goOffline(page)
  await open.click()
  await expectToast(page, 'Error', 'This could not be opened. Please try again.')
  await expect(open).toBeVisible()
  await context.setOffline(false)
  await open.click()
  await expect(page.getByRole('dialog')).toBeVisible()
})

test('styles that could not be loaded are requested again with the part that needs them', async ({
  page,
}) => {
  const styles = '**/assets/all-*.css'
  await page.route(styles, (route) => route.abort())
  await page.addInitScript(() => {
    const note = ({ target }: Event) => target instanceof HTMLLinkElement && console.info('styles failed')
    window.addEventListener('error', note, true)
  })
  const failed = page.waitForEvent('console', (message) => message.text() === 'styles failed')
  await openHome(page)
  await failed
  await page.unroute(styles)
  await tiles(page, 'All Videos').first().getByRole('button').click()
  await expect(page.getByRole('dialog')).toBeVisible()
  const loaded = () => page.evaluate(() => [...document.styleSheets].map(({ href }) => href ?? ''))
  await expect.poll(loaded).toContainEqual(expect.stringContaining('/assets/all-'))
})

test('a thumbnail is invisible until it has loaded, and a placeholder replaces it if it fails', async ({
  page,
}) => {
  const answer = Promise.withResolvers<void>()
  await page.route('https://i.ytimg.com/**', async (route) => {
    await answer.promise
    await route.abort()
  })
  await page.goto(`${web.url}/videos`)
  const pictures = page.getByRole('main').locator('li img')
  await expect(pictures.first()).toHaveCSS('opacity', '0')
  answer.resolve()
  await expect(pictures).toHaveCount(0)
})

test('the list of all videos shows a notice while requests get no response', async ({ page }) => {
  await page.route('**/api/videos?*', () => undefined)
  await page.goto(`${web.url}/videos`)
  await expect(page.getByText('The server is not responding. Retrying...')).toBeVisible()
})
