/// <reference lib="dom" />

import { DEFAULT_THEME, type ThemeBody } from '@looptide/contracts/http/themes'
import { testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { type OpenIdProvider, startOpenIdProvider } from '@looptide/testkit/openid-provider'
import { expect, type Locator } from '@playwright/test'
import { violationsInThemes } from '../support/accessibility.ts'
import { addScreenLock } from '../support/authenticators.ts'
import { adminStops, memberStops, visitorStops } from '../support/axe-stops.ts'
import { walk } from '../support/axe-walk.ts'
import { expectConnected } from '../support/live-watch.ts'
import { signIn, signUp } from '../support/people.ts'
import { signInDirectly } from '../support/web-pages.ts'
import { test, useOwnStation } from '../support/web-station.ts'

let provider: OpenIdProvider
/** A station with all sign-in methods. */
const web = useOwnStation(async () => {
  provider = await startOpenIdProvider()
  const { issuer, clientId, clientSecret } = provider
  const providers = ['Company', 'University'].map((name) => ({
    id: name.toLowerCase(),
    name,
    issuer,
    clientId,
    clientSecret,
  }))
  return { OIDC_PROVIDERS: JSON.stringify(providers), ANONYMOUS_SIGN_IN: 'on' }
})
test.afterAll(() => provider.stop())

test.describe('axe finds no violations at 390 and 1440 pixels', () => {
  test.beforeEach(() => test.slow())

  test('for visitors', async ({ page }) => {
    const [video] = (await clientOf(web.url).call('GET /api/videos', { query: { limit: 1 } })).items
    expect(await walk(page, web.url, visitorStops(video!.id))).toEqual([])
  })

  test('for members', async ({ page }) => {
    const member = await signUp(web.url, 'walker')
    const client = clientOf(web.url, member.accessToken)
    const { id } = await client.call('POST /api/playlists', { body: { name: 'Evening' } })
    for (const video of (await client.call('GET /api/videos', { query: { limit: 3 } })).items) {
      await client.call('POST /api/playlists/:id/items', { params: { id }, body: { videoId: video.id } })
    }
    await client.call('POST /api/me/tokens', { body: { name: 'Backup', scopes: ['read'], lifetimeDays: 7 } })
    await addScreenLock(page)
    await signInDirectly(page, web.url, member)
    expect(await walk(page, web.url, memberStops(id))).toEqual([])
  })

  test('for admins', async ({ page }) => {
    // A user who can be banned.
    await signUp(web.url, 'neighbour')
    await signInDirectly(page, web.url, testAdmin)
    expect(await walk(page, web.url, adminStops)).toEqual([])
  })
})

test('a section opened by its URL has its heading in view, on a phone and a laptop', async ({ page }) => {
  await signInDirectly(page, web.url, testAdmin)
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1440, height: 900 },
  ]) {
    await page.setViewportSize(viewport)
    for (const path of ['/control?section=channels', '/admin?tab=channels']) {
      await page.goto(web.url + path)
      // All content above the section is loaded.
      if (path.startsWith('/control')) {
        await expect(page.getByRole('table', { name: 'Videos' }).getByRole('checkbox').first()).toBeAttached()
      }
      const title = page.getByRole('heading', { name: 'Channel Manager' })
      await expect(title).toBeInViewport()
      await expect(page.getByRole('list', { name: 'Channels' })).toBeAttached()
      await expect(title).toBeInViewport()
    }
    const title = page.getByRole('heading', { name: 'Channel Manager' })
    await expect.poll(async () => (await title.boundingBox())?.y).toBeLessThan(300)
  }
})

test('in forced colours what is chosen or open is marked, and the dots of the highlights are seen', async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'light' })
  const expectMarked = async (chosen: Locator, other: Locator) => {
    await expect(chosen).toHaveCSS('outline-style', 'solid')
    await expect(other).toHaveCSS('outline-style', 'none')
  }
  await page.goto(web.url)
  const tab = (name: string) => page.getByRole('tab', { name, exact: true })
  await expectMarked(tab('Sign In'), tab('Sign Up'))
  await page.goto(`${web.url}/live?channel=test-card`)
  await page.getByRole('button', { name: 'TV Guide' }).click()
  const day = (name: string) => page.getByRole('group', { name: 'Day' }).getByRole('button', { name })
  await expectMarked(day('Today'), day('Tomorrow'))
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${web.url}/videos`)
  const link = (name: string) => page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name })
  await expectMarked(link('Library'), link('Live TV'))

  await signInDirectly(page, web.url, await signUp(web.url, 'contrast'))
  await page.goto(web.url)
  const dots = page.getByRole('button', { name: /^Highlight \d|^Live TV$/ }).locator('span')
  await expect(dots).toHaveCount(6)
  for (const dot of await dots.all()) await expect(dot).toHaveCSS('background-color', 'rgb(0, 0, 0)')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('each tab has its name on one line, and Show is level with the fields of What was on', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 360, height: 780 })
    await page.goto(`${web.url}/history`)
    const tabs = page.getByRole('navigation', { name: 'Pages' }).getByRole('link')
    await expect(tabs.last()).toHaveText('What was on')
    const lines = () =>
      tabs.evaluateAll((links) =>
        links.map((link) => {
          const range = document.createRange()
          range.selectNodeContents(link.lastChild ?? link)
          return range.getClientRects().length
        }),
      )
    await expect.poll(async () => new Set(await lines())).toEqual(new Set([1]))
    const middle = async (box: Promise<{ y: number; height: number } | null>) => {
      const { y = Number.NaN, height = 0 } = (await box) ?? {}
      return y + height / 2
    }
    const apart = async () =>
      (await middle(page.getByLabel('Time').boundingBox())) -
      (await middle(page.getByRole('button', { name: 'Show' }).boundingBox()))
    await expect.poll(async () => Math.abs(await apart())).toBeLessThanOrEqual(3)
  })

  test('Back closes nested dialogs one by one and then leaves the page; closed ones leave no entry', async ({
    page,
  }) => {
    const live = `${web.url}/live?channel=test-card`
    /** The step back of a dialog that was closed otherwise is over. */
    const isSettled = () => expect.poll(() => page.evaluate(() => history.state.depth)).toBe(0)
    await page.goto(`${web.url}/history`)
    await page.goto(live)
    const guide = page.getByRole('dialog', { name: 'TV Guide' })
    const openGuide = async () => {
      await page.getByRole('button', { name: 'TV Guide' }).tap()
      await expect(guide).toBeVisible()
    }
    await openGuide()
    await guide
      .getByRole('list', { name: /^Test Card/ })
      .getByRole('button')
      .nth(1)
      .tap()
    const tracks = page.getByRole('list', { name: 'Tracks' })
    await tracks.getByRole('button').first().tap()
    await expect(tracks).toBeHidden()
    await page.goBack()
    await expect(tracks).toBeVisible()
    await page.goBack()
    await expect(guide).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(page).toHaveURL(live)
    await page.goForward()
    await isSettled()
    await expect(page.getByRole('dialog')).toBeHidden()

    await openGuide()
    await page.keyboard.press('Escape')
    await expect(guide).toBeHidden()
    await isSettled()
    await page.goBack()
    await expect(page).toHaveURL(`${web.url}/history`)
    await page.goForward()
    await openGuide()
    await guide.getByRole('button', { name: 'Close' }).tap()
    await openGuide()
    await page.reload()
    await expect(page.getByRole('button', { name: 'TV Guide' })).toBeVisible()
    await isSettled()
    await page.goBack()
    await expect(page).toHaveURL(`${web.url}/history`)
  })

  test('Back closes a menu, the search box and a player, and a page opened from a menu leads back', async ({
    page,
  }) => {
    await signInDirectly(page, web.url, await signUp(web.url, 'returning'))
    await page.goto(`${web.url}/history`)
    await page.goto(`${web.url}/videos`)
    await page.getByRole('main').getByRole('listitem').first().getByRole('button').first().tap()
    await page.getByRole('button', { name: 'Play Now' }).tap()
    await expect(page.getByRole('dialog').getByRole('button', { name: /^(Play|Pause)$/ })).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('dialog')).toBeHidden()

    await page.getByRole('button', { name: 'Open search' }).tap()
    await expect(page.getByRole('combobox', { name: 'Search' })).toBeFocused()
    await page.goBack()
    await expect(page.getByRole('combobox', { name: 'Search' })).toBeHidden()

    const account = page.getByRole('button', { name: 'Account', exact: true })
    await account.tap()
    await expect(page.getByRole('menu')).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('menu')).toBeHidden()
    await account.tap()
    await page.getByRole('menuitem', { name: 'My Profile' }).tap()
    await expect(page).toHaveURL(`${web.url}/members`)
    await page.goBack()
    await expect(page).toHaveURL(`${web.url}/videos`)
    await page.goBack()
    await expect(page).toHaveURL(`${web.url}/history`)
  })
})

test('with YouTube blocked the live page keeps its URL, and a viewer who leaves is not redirected back', async ({
  page,
}) => {
  await page.route('**/iframe_api', () => undefined)
  const tuneIn = async () => {
    const asked = page.waitForRequest('**/iframe_api')
    // A script that is asked for before the document has loaded, and not answered, delays the event `load` for as long.
    await page.goto(`${web.url}/live`, { waitUntil: 'domcontentloaded' })
    await asked
    await expect(page.getByRole('link', { name: 'Back', exact: true })).toBeVisible()
  }
  /** Blocks YouTube's script, optionally at the same time as a press on Back. */
  const refuse = (isLeaving: boolean) =>
    page.evaluate((isLeaving) => {
      if (isLeaving) document.querySelector<HTMLElement>('a[aria-label="Back"]')?.click()
      document.querySelector('script[src$="/iframe_api"]')?.dispatchEvent(new Event('error'))
    }, isLeaving)
  await tuneIn()
  await refuse(false)
  await expect(page.getByText('YouTube cannot be reached from this network.')).toBeVisible()
  await expect(page).toHaveURL(`${web.url}/live`)
  await tuneIn()
  await refuse(true)
  await expect(page.getByRole('tab', { name: 'Sign In', exact: true })).toBeVisible()
  await expect(page).toHaveURL(`${web.url}/`)
})

test('a saved theme is applied by every open page', async ({ page }) => {
  await page.goto(`${web.url}/live?channel=test-card`)
  await expectConnected(page)
  const token = await signIn(web.url, testAdmin.email, testAdmin.password)
  const theme = {
    ...DEFAULT_THEME,
    primaryColor: '#0e7490',
    backgroundColor: '#f8fafc',
    textColor: '#0f172a',
  }
  const save = (body: ThemeBody) => clientOf(web.url, token).call('PUT /api/theme', { body })
  const variable = (name: string) =>
    page.evaluate((name) => document.documentElement.style.getPropertyValue(name), name)
  await expect.poll(() => variable('--theme-primary')).toBe(DEFAULT_THEME.primaryColor)
  // The page subscribes shortly after it is rendered, and then catches up.
  await save(theme)
  await expect.poll(() => variable('--theme-primary')).toBe('#0e7490')
  for (const path of ['/', '/search?q=a', '/live?channel=test-card']) {
    await page.goto(web.url + path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(await violationsInThemes(page), path).toEqual([])
  }
  await save(DEFAULT_THEME)
})

test('an unknown path shows the not-found page with a link home', async ({ page }) => {
  await page.goto(`${web.url}/no/such/page`)
  await expect(page.getByText('404')).toBeVisible()
  await expect(page.getByText('Oops! Page not found')).toBeVisible()
  await page.getByRole('link', { name: 'Return to Home' }).click()
  await expect(page.getByRole('tab', { name: 'Sign In', exact: true })).toBeVisible()
})

test('on a phone and a laptop at 200 % nothing is too wide, truncated or covered', async ({
  browser,
  page,
}) => {
  const phone = await browser.newPage({ viewport: { width: 390, height: 844 } })
  await phone.goto(`${web.url}/search?q=${'unbroken'.repeat(30)}`)
  await expect(phone.getByText('Sorry video not found')).toBeVisible()
  await expect.poll(() => phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await phone.goto(`${web.url}/history?channel=test-card`)
  const title = phone.getByRole('main').getByRole('listitem').first().locator('p > span').first()
  await expect(title).toBeVisible()
  await expect.poll(() => title.evaluate((text) => text.scrollWidth <= text.clientWidth)).toBe(true)
  await phone.close()

  await page.setViewportSize({ width: 720, height: 450 })
  await signInDirectly(page, web.url, testAdmin)
  await page.goto(web.url)
  const gapPx = async () => {
    const header = await page.getByRole('banner').boundingBox()
    const slide = await page.getByRole('group', { name: /^\d of \d$/ }).boundingBox()
    return header && slide && slide.y - (header.y + header.height)
  }
  await expect.poll(gapPx).toBeGreaterThanOrEqual(0)
})

test('a typed URL starts at the top, a reload at the previous position', async ({ browser }) => {
  const page = await browser.newPage({ viewport: { width: 390, height: 400 } })
  const scrollY = () => page.evaluate(() => window.scrollY)
  const open = async () => {
    await page.goto(`${web.url}/videos`)
    await expect(page.getByRole('heading', { level: 1, name: /^All Videos \(/ })).toBeVisible()
    // The code that remembers positions is loaded after the first view.
    await expect.poll(() => page.evaluate(() => history.scrollRestoration)).toBe('manual')
  }
  await open()
  await page.evaluate(() => window.scrollTo(0, 500))
  await expect.poll(scrollY).toBe(500)
  await page.reload()
  await expect.poll(scrollY).toBe(500)
  await page.goto(`${web.url}/firestick`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await scrollY()).toBe(0)
  await open()
  expect(await scrollY()).toBe(0)
  await page.close()
})

test('visitors reach the public lists; without URLs the download page explains the web app', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(web.url)
  const pages = page.getByRole('navigation', { name: 'Pages' }).getByRole('link')
  await expect(pages).toHaveText(['Home', 'Live TV', 'Library', 'What was on'])
  for (const link of await pages.all())
    await expect.poll(async () => (await link.boundingBox())?.height).toBeGreaterThanOrEqual(48)
  await pages.getByText('What was on').click()
  await expect(pages.getByText('What was on')).toHaveAttribute('aria-current', 'page')
  await expect(page.getByRole('heading', { level: 1, name: 'What was on' })).toBeVisible()
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Library' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^All Videos/ })).toBeVisible()
  const [video] = (await (await fetch(`${web.url}/api/videos?limit=1`)).json()).items
  await page.goto(`${web.url}/videos/${video.id}`)
  await expect(page).toHaveTitle(`${video.title} · Looptide TV`)

  await page.goto(`${web.url}/firestick`)
  const download = page.getByRole('button', { name: 'Download APK' })
  await expect(download).toBeDisabled()
  await expect(download).toHaveAccessibleDescription(/^This station has no app to download\./)
  await page.getByRole('link', { name: 'View Install Guide' }).click()
  await expect(page.getByRole('heading', { name: 'Install the web app' })).toBeInViewport()
})
