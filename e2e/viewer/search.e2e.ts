/// <reference lib="dom" />

import { testAdmin } from '@looptide/test-station/station'
import { expect, type Locator, type Page } from '@playwright/test'
import { signUp } from '../support/people.ts'
import { expectToast, outageOf, signInDirectly } from '../support/web-pages.ts'
import { SHARED_SETTINGS, test, useSharedStation } from '../support/web-station.ts'

const web = useSharedStation()

const box = (page: Page) => page.getByRole('combobox', { name: 'Search' })
const suggestions = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' })

test('the search box keeps the focus when someone types before the new page is rendered', async ({
  page,
}) => {
  await page.goto(`${web.url}/firestick`)
  await box(page).waitFor()
  // Both in one task: the page sets its focus after the navigation was rendered.
  await page.evaluate(() => {
    document.querySelector<HTMLAnchorElement>('header a[href="/"]')?.click()
    document.querySelector<HTMLInputElement>('header input[type="search"]')?.focus()
  })
  await page.keyboard.type('adele')
  await expect(page).toHaveURL(`${web.url}/`)
  await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible()
  await expect(suggestions(page)).toBeVisible()
  await expect(box(page)).toBeFocused()
})

test('the header’s search box suggests videos and artists, and opens the chosen one', async ({ page }) => {
  await page.goto(`${web.url}/firestick`)
  await box(page).fill('   ')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${web.url}/firestick`)

  await box(page).fill('adele')
  const artist = suggestions(page)
    .getByRole('group', { name: 'Artists' })
    .getByRole('option', { name: /^Adele/ })
  await expect(artist).toContainText(/\d+ videos?/)
  await expect(
    suggestions(page).getByRole('group', { name: 'Videos' }).getByRole('option').first(),
  ).toContainText('Adele')
  await page.getByRole('main').click({ position: { x: 5, y: 5 } })
  await expect(suggestions(page)).toBeHidden()
  await box(page).focus()
  await page.keyboard.press('ArrowDown')
  await expect(suggestions(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(suggestions(page)).toBeHidden()
  await expect(page).toHaveURL(`${web.url}/firestick`)

  await box(page).fill('no such thing')
  await expect(page.getByText('No results found for "no such thing"')).toBeVisible()

  await box(page).fill('adele')
  await artist.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Videos by Adele' })).toBeVisible()
  await expect(page).toHaveTitle('Videos by Adele · Looptide TV')
  const cards = page.getByRole('list', { name: 'Videos found' }).getByRole('listitem')
  await expect(cards.first()).toBeVisible()
  await expect(page.getByText(/^\d+ video\(s\) found/)).toHaveText(`${await cards.count()} video(s) found`)
  // The URL shows the same results again, and Back leads to the previous page.
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Videos by Adele' })).toBeVisible()
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page).toHaveURL(`${web.url}/firestick`)

  await box(page).fill('never gonna')
  await suggestions(page)
    .getByRole('option', { name: /Never Gonna Give You Up/ })
    .click()
  await expect(
    page.getByRole('heading', { level: 1, name: 'Search Results for "Never Gonna Give You Up"' }),
  ).toBeVisible()
  const card = cards.first()
  for (const text of ['Never Gonna Give You Up', 'Rick Astley', '3:33'])
    await expect(card).toContainText(text)
})

test('a late response is not shown for the next text, and a failure is shown', async ({ page }) => {
  await page.goto(`${web.url}/firestick`)
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(/\/api\/search\?q=nirvana/, async (route) => {
    await held
    await route.continue()
  })
  const asked = page.waitForRequest(/\/api\/search\?q=nirvana/)
  await box(page).fill('nirvana')
  await asked
  await box(page).fill('adele')
  await expect(suggestions(page).getByRole('option', { name: /Adele/ }).first()).toBeVisible()
  const late = page.waitForResponse(/\/api\/search\?q=nirvana/)
  release()
  await (await late).finished()
  await expect(suggestions(page).getByRole('option', { name: /Adele/ }).first()).toBeVisible()
  await expect(suggestions(page).getByText('Nirvana')).toBeHidden()

  const outage = await outageOf(page, /\/api\/search\?/)
  // No word of invented titles, which other tests of this station add.
  await box(page).fill('unanswered')
  await expectToast(page, 'Search Error', 'Failed to search videos')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Failed to load search results')).toBeVisible()
  await outage.tryAgain()
  await expect(page.getByText('Sorry video not found')).toBeVisible()
  await expect(page.getByText('No videos found matching "unanswered"')).toBeVisible()
  await page.getByRole('button', { name: 'Search Again' }).click()
  await expect(box(page)).toBeFocused()
  await page.goto(`${web.url}/search?artist=Nobody`)
  await expect(page.getByText('No videos found for artist "Nobody"')).toBeVisible()
})

test('typing sends one request after the pause, with the limit of its place', async ({ page }) => {
  const asked: { q: string | null; limit: string | null }[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/api/search') asked.push({ q: searchParams.get('q'), limit: searchParams.get('limit') })
  })
  /** Types with less than the pause between keys, and checks that one request follows the pause. */
  const typeAndWait = async (field: Locator, text: string, pauseMs: number, limit: string) => {
    for (const end of [text.length - 2, text.length - 1, text.length]) {
      await field.fill(text.slice(0, end))
      await page.clock.runFor(pauseMs - 20)
    }
    expect(asked).toEqual([])
    // The page may begin the pause a moment after the last key: in small steps, and not longer than the pause again.
    for (let stepsLeft = pauseMs / 20; stepsLeft > 0 && asked.length === 0; stepsLeft -= 1)
      await page.clock.runFor(20)
    await expect.poll(() => asked).toEqual([{ q: text, limit }])
  }
  await page.clock.install()
  await page.goto(`${web.url}/firestick`)
  // Loads the suggestions and the results, so that only the pause is waited for.
  await box(page).fill('rick astley')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/video\(s\) found/)).toBeVisible()
  expect(asked).toContainEqual({ q: 'rick astley', limit: '50' })
  await box(page).fill('')
  await page.clock.pauseAt(Date.now() + 3_600_000)
  asked.length = 0
  await typeAndWait(box(page), 'adele', 100, '20')
  await page.clock.resume()

  await page.goto(`${web.url}/live?channel=test-card`)
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  const field = page.getByRole('dialog', { name: 'Search Videos' }).getByRole('searchbox')
  await expect(field).toBeFocused()
  await page.clock.pauseAt(Date.now() + 2 * 3_600_000)
  asked.length = 0
  await typeAndWait(field, 'adele', 300, '15')
})

test('the live page searches, shows the details of a video, and plays it', async ({ page }) => {
  await signInDirectly(page, web.url, testAdmin)
  await page.goto(`${web.url}/live?channel=test-card`)
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  const search = page.getByRole('dialog', { name: 'Search Videos' })
  const text = search.getByRole('searchbox')
  await text.fill('r')
  await expect(search.getByText('Type at least 2 characters to search')).toBeVisible()
  await page.route(/\/api\/search\?/, (route) => route.abort())
  await text.fill('rick a')
  await expect(search.getByText('No results found for "rick a"')).toBeVisible()
  await page.unroute(/\/api\/search\?/)
  await text.fill('rick astley')
  const row = search.getByRole('button', { name: /^Never Gonna Give You Up/ })
  await row.click()
  const details = page.getByRole('dialog', { name: 'Video Details' })
  for (const fact of ['Never Gonna Give You Up', 'Rick Astley', '3:33', 'Added', 'Video ID', 'YouTube ID']) {
    await expect(details.getByText(fact, { exact: true }).first()).toBeVisible()
  }
  await page.keyboard.press('Escape')
  await expect(details).toBeHidden()
  await expect(row).toBeFocused()
  await page.keyboard.press('Enter')
  await details.getByRole('button', { name: 'Play This Video' }).click()
  await expectToast(page, 'Video Selected', 'Now playing: Never Gonna Give You Up')
  await expect(page.getByRole('dialog')).toBeHidden()
})

test('the menu shows the account and its links work; the download page has its links', async ({ page }) => {
  await signInDirectly(page, web.url, testAdmin)
  await page.goto(web.url)
  const header = page.getByRole('navigation', { name: 'Main' })
  for (const name of ['Home', 'Live TV', 'Library', 'My Lists', 'What was on'])
    await expect(header.getByRole('link', { name, exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  const menu = page.getByRole('menu')
  await expect(menu.getByText('Administrator', { exact: true })).toBeVisible()
  await expect(menu.getByText(testAdmin.email)).toBeVisible()
  await expect(menu.getByRole('menuitem')).toHaveText([
    'My Profile',
    'Submissions',
    'Chat Moderation',
    'Live Takeover',
    'Admin Dashboard',
    'Control Panel',
    'Download for Firestick',
    'Sign Out',
  ])
  await menu.getByRole('menuitem', { name: 'Download for Firestick' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(
    page.getByText('Compatible with all Amazon Fire TV Stick models • Requires developer options enabled'),
  ).toBeVisible()
  for (const [name, url] of [
    ['Download APK', SHARED_SETTINGS.FIRESTICK_APK_URL],
    ['View Install Guide', SHARED_SETTINGS.FIRESTICK_GUIDE_URL],
  ] as const) {
    const link = page.getByRole('link', { name })
    await expect(link).toHaveAttribute('href', url)
    await expect(link).toHaveAttribute('target', '_blank')
  }
})

test('only admins and moderators find their pages in the menu', async ({ page }) => {
  await signInDirectly(page, web.url, await signUp(web.url, 'plain'))
  await page.goto(web.url)
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  await expect(page.getByRole('menu').getByRole('menuitem')).toHaveText([
    'My Profile',
    'Admin Dashboard',
    'Download for Firestick',
    'Sign Out',
  ])
  await expect(page.getByRole('menu').getByText('Administrator')).toBeHidden()
})

test('a page whose scripts a deploy has replaced reloads itself', async ({ page, context }) => {
  await page.goto(`${web.url}/firestick`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  // As after a deployment: the next script of this page is missing, and the server refers to other scripts.
  await page.route(/\/assets\/not-found-page-.*\.js/, (route) => route.fulfill({ status: 404, body: '' }))
  await page.route(`${web.url}/`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: '<script type="module" src="/assets/other.js"></script>',
    }),
  )
  const reloaded = page.waitForEvent('load')
  await page.evaluate(() => {
    history.pushState(null, '', '/nowhere')
    dispatchEvent(new PopStateEvent('popstate'))
  })
  await reloaded
  await page.unroute(/\/assets\/not-found-page-.*\.js/)
  await page.reload()
  await expect(page.getByText('Oops! Page not found')).toBeVisible()

  await context.setOffline(true)
  const offline = page.getByRole('banner').getByText('Offline', { exact: true })
  await expect(offline).toBeVisible()
  await expect(page.getByRole('banner')).toContainText('Loaded pages keep working.')
  await context.setOffline(false)
  await expect(offline).toBeHidden()
})
