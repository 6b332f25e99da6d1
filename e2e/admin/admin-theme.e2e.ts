/// <reference lib="dom" />

import { DEFAULT_THEME, THEME_PRESETS } from '@looptide/contracts/http/themes'
import { testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { expect, type Page } from '@playwright/test'
import { violationsInThemes } from '../support/accessibility.ts'
import { signIn, signUp } from '../support/people.ts'
import { png } from '../support/png.ts'
import { expectToast, signInDirectly } from '../support/web-pages.ts'
import { test, useOwnStation } from '../support/web-station.ts'

const web = useOwnStation()

const preset = (name: string) => {
  const found = THEME_PRESETS.find((one) => one.name === name)
  if (!found) throw new Error(`no preset ${name}`)
  return found.theme
}
const variable = (page: Page, name: string) =>
  page.evaluate((name) => document.documentElement.style.getPropertyValue(`--theme-${name}`), name)
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const openTab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click()

async function openCustomizer(page: Page): Promise<void> {
  await page.goto(`${web.url}/admin?tab=theme-customizer`)
  await expect(page.getByRole('heading', { name: 'Theme Customizer' })).toBeVisible()
}

/** Names of the fonts that the page has fetched. */
const fetchedFonts = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => /\/([a-z-]+?)-latin.*\.woff2$/.exec(name)?.[1])
      .filter((name) => name !== undefined),
  )

test('a theme is previewed by its admin only, and saved for every open page', async ({ page, browser }) => {
  await signInDirectly(page, web.url, testAdmin)
  const viewer = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage()
  await viewer.goto(web.url)
  await openCustomizer(page)
  await expect(page.getByRole('list', { name: 'Presets' }).getByRole('button')).toHaveText(
    THEME_PRESETS.map(({ name }) => new RegExp(name)),
  )

  await page.getByRole('button', { name: /Ocean Blue/ }).click()
  await expectToast(page, 'Theme Applied', 'click Save to persist')
  await expect.poll(() => variable(page, 'primary')).toBe(preset('Ocean Blue').primaryColor)
  await page.getByRole('switch', { name: 'Live Preview' }).click()
  await expect.poll(() => variable(page, 'primary')).toBe(DEFAULT_THEME.primaryColor)
  expect(await variable(viewer, 'primary')).not.toBe(preset('Ocean Blue').primaryColor)

  // The dashboard's Save Changes button saves it as well.
  await press(page, 'Save Changes')
  await expectToast(page, 'Save Triggered')
  await expectToast(page, 'Theme Saved')
  await expect.poll(() => variable(viewer, 'primary')).toBe(preset('Ocean Blue').primaryColor)
  await expect.poll(() => fetchedFonts(viewer)).toContain('open-sans')
  expect(await violationsInThemes(viewer)).toEqual([])

  // The next load starts with the theme before the server has responded.
  await viewer.route('**/api/theme', () => undefined)
  await viewer.reload()
  await expect(viewer.getByRole('tab', { name: 'Sign In', exact: true })).toBeVisible()
  expect(await variable(viewer, 'background')).toBe(preset('Ocean Blue').backgroundColor)
  expect(await variable(viewer, 'font')).toBe('"Open Sans"')
  await viewer.context().close()

  // An earlier theme is applied again with one click.
  await page.getByRole('button', { name: /Rose Gold/ }).click()
  await press(page, 'Save Theme')
  // Wait until the save has ended: before that, the earlier theme is still the active one.
  await expect(page.getByRole('button', { name: 'Discard Changes' })).toBeDisabled()
  await expect(page.getByRole('button', { name: /^Use Again: theme of / })).toBeVisible()
  await page.getByRole('button', { name: /^Use Again: theme of / }).click()
  await expect(page.getByRole('button', { name: /Ocean Blue/ })).toHaveAttribute('aria-pressed', 'true')
})

test('colors, typography and layout are set by keyboard, and only the selected fonts are fetched', async ({
  page,
}) => {
  await signInDirectly(page, web.url, testAdmin)
  await openCustomizer(page)
  await press(page, 'Reset to Defaults')
  await page.getByRole('tab', { name: 'Presets' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { name: 'Colors' })).toBeFocused()
  await page.getByLabel('Background Color', { exact: true }).fill('#ffffff')
  const contrast = page.getByRole('status', { name: 'Contrast' })
  await expect(contrast).toContainText('⚠ Text on background: 1:1, too low')
  await page.getByLabel('Primary Color', { exact: true }).fill('#ffffff')
  await expect(contrast).toContainText('⚠ Buttons on background: 1:1, too low')
  // The page uses the color, and a white button on it has a border.
  const painted = page.getByRole('button', { name: 'Save Theme' })
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
  await expect(painted).not.toHaveCSS('border-color', 'rgb(255, 255, 255)')
  await page.getByLabel('Text Color', { exact: true }).fill('#1e1b4b')
  await expect(page.getByText('easy to read')).toBeVisible()
  expect(await violationsInThemes(page), 'Colors').toEqual([])

  await openTab(page, 'Typography')
  await expect(page.getByLabel('Font Family').getByRole('option')).toHaveCount(14)
  await page.getByLabel('Font Family').selectOption('Dancing Script')
  await expect.poll(() => fetchedFonts(page)).toContain('dancing-script')
  expect(await fetchedFonts(page)).not.toContain('merriweather')
  const size = page.getByRole('slider', { name: 'Font Size' })
  await size.press('End')
  await expect(size).toHaveValue('24')
  await size.press('Home')
  await expect(size).toHaveValue('12')
  await expect.poll(() => variable(page, 'scale')).toBe('0.75')
  expect(await violationsInThemes(page), 'Typography').toEqual([])

  await openTab(page, 'Layout')
  const radius = page.getByRole('slider', { name: 'Border Radius' })
  await radius.press('End')
  await expect(radius).toHaveValue('20')
  await expect.poll(() => variable(page, 'radius')).toBe('20px')
  expect(await violationsInThemes(page), 'Layout').toEqual([])

  // Unsaved changes are kept in this browser: leaving needs no confirmation, and they are restored.
  await page.getByRole('link', { name: 'Back to App' }).click()
  await expect(page.getByRole('heading', { name: 'Theme Customizer' })).toBeHidden()
  await openCustomizer(page)
  await expect(page.getByText('Unsaved changes restored.')).toBeVisible()
  await expect(page.getByText('Unsaved: Theme')).toBeVisible()
  await expect.poll(() => variable(page, 'radius')).toBe('20px')
  await press(page, 'Discard Changes')
  await expect(page.getByText('Unsaved: Theme')).toBeHidden()
})

test('two admins see that they edit the same theme, and a change saved by one is merged by the other', async ({
  page,
  browser,
}) => {
  const token = await signIn(web.url, testAdmin.email, testAdmin.password)
  const before = await clientOf(web.url, token).call('GET /api/theme')
  await signInDirectly(page, web.url, testAdmin)
  await openCustomizer(page)
  const mara = await signUp(web.url, 'mara')
  await clientOf(web.url, token).call('PUT /api/users/:id/role', {
    params: { id: mara.id },
    body: { role: 'admin' },
  })
  const other = await (await browser.newContext()).newPage()
  await signInDirectly(other, web.url, mara)
  await openCustomizer(other)
  await expect(page.getByText(/^mara.* is also editing the theme\.$/i)).toBeVisible()
  await expect(other.getByText(/ is also editing the theme\.$/)).toBeVisible()
  await other.context().close()
  await expect(page.getByText(/ is also editing the theme\.$/)).toBeHidden()

  await openTab(page, 'Colors')
  await page.getByLabel('Primary Color', { exact: true }).fill('#7c3aed')
  const maraToken = await signIn(web.url, mara.email, mara.password)
  await clientOf(web.url, maraToken).call('PUT /api/theme', { body: { ...before, accentColor: '#a3e635' } })
  const notice = page.getByRole('region', { name: 'Another admin has saved a theme.' })
  await expect(notice).toContainText(/Changed by @mara/i)
  await expect(notice).toContainText(`Accent Color: ${before.accentColor} → #a3e635`)
  await expect(page.getByRole('button', { name: 'Save Theme' })).toHaveCount(0)
  expect(await violationsInThemes(page), 'conflict').toEqual([])
  await press(page, 'Save Changes')
  await expectToast(page, 'Save Failed', 'Another admin has changed: Theme.')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(notice).toBeFocused()
  await notice.getByRole('button', { name: 'Merge' }).click()
  await press(page, 'Save Theme')
  await expectToast(page, 'Theme Saved', 'Applied to all open pages.')
  expect(await clientOf(web.url, token).call('GET /api/theme')).toEqual({
    ...before,
    primaryColor: '#7c3aed',
    accentColor: '#a3e635',
  })
})

test('images are uploaded and shown, and a theme that cannot be saved on the server stays in this browser', async ({
  page,
  browser,
}) => {
  await signInDirectly(page, web.url, testAdmin)
  await openCustomizer(page)
  await openTab(page, 'Assets')
  await page
    .getByLabel('Logo file')
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
  await expectToast(page, 'Error', 'This file is not a supported image.')
  await page
    .getByLabel('Logo file')
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: png(900, 300) })
  await expect(page.getByRole('img', { name: 'Selected logo' })).toBeVisible()
  await page
    .getByLabel('Hero Background file')
    .setInputFiles({ name: 'hero.png', mimeType: 'image/png', buffer: png(800, 450) })
  await expect(page.getByRole('img', { name: 'Selected hero background' })).toBeVisible()
  await page.getByLabel('Logo URL').fill('http://pictures.test/logo.png')
  await page.getByRole('region', { name: 'Logo' }).getByRole('button', { name: 'Use This Image' }).click()
  await expect(page.getByText('Please enter a URL that starts with https://')).toBeVisible()
  expect(await violationsInThemes(page), 'Assets').toEqual([])
  await press(page, 'Save Theme')
  await expectToast(page, 'Theme Saved', 'Applied to all open pages.')
  const viewer = await (await browser.newContext()).newPage()
  await viewer.goto(web.url)
  const logo = viewer.getByRole('banner').getByRole('img')
  await expect(logo).toHaveAttribute('src', /^\/api\/theme\/assets\//)
  await expect
    .poll(() => logo.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth))
    .toBe(640)
  await expect.poll(() => variable(viewer, 'hero-background')).toContain('/api/theme/assets/')
  expect(await violationsInThemes(viewer), 'sign-in with images').toEqual([])

  await web.station.halt('admin-audit')
  await openTab(page, 'Presets')
  await page.getByRole('button', { name: /Cyber Neon/ }).click()
  await press(page, 'Save Theme')
  await expectToast(page, 'Theme Saved', 'Saved locally')
  await expect(page.getByText('saved in this browser only')).toBeVisible()
  await expect.poll(() => variable(page, 'primary')).toBe(preset('Cyber Neon').primaryColor)
  expect(await variable(viewer, 'primary')).not.toBe(preset('Cyber Neon').primaryColor)

  await web.station.restart('admin-audit')
  await page.reload()
  await expect(page.getByText('saved in this browser only')).toBeVisible()
  await expect.poll(() => variable(page, 'primary')).toBe(preset('Cyber Neon').primaryColor)
  await press(page, 'Save Theme')
  await expectToast(page, 'Theme Saved', 'Applied to all open pages.')
  await expect.poll(() => variable(viewer, 'primary')).toBe(preset('Cyber Neon').primaryColor)
  await viewer.context().close()
})

test('the texts of the cards have a preview each, are saved for everyone, and survive a preset', async ({
  page,
}) => {
  await signInDirectly(page, web.url, testAdmin)
  await openCustomizer(page)
  await openTab(page, 'Cards')
  const cards = page.getByRole('tabpanel', { name: 'Cards' })
  await cards.getByLabel('Station name').fill('Night TV')
  await cards.getByLabel('Heading of the next videos').fill('After this')
  await expect(cards.getByText('Night TV', { exact: true })).toBeVisible()
  await expect(cards.getByText('After this', { exact: true })).toBeVisible()
  await cards.getByLabel('Heading of the countdown').fill(' ')
  await expect(cards.getByLabel('Heading of the countdown')).toHaveAccessibleDescription(/Enter a text/)
  await cards.getByLabel('Heading of the countdown').fill('Only')
  expect(await violationsInThemes(page)).toEqual([])
  await openTab(page, 'Presets')
  await page.getByRole('button', { name: /Ocean Blue/ }).click()
  await press(page, 'Save Theme')
  await expectToast(page, 'Theme Saved', 'Applied to all open pages.')
  const saved = await (await fetch(`${web.url}/api/theme`)).json()
  expect(saved).toEqual({
    ...preset('Ocean Blue'),
    logoUrl: saved.logoUrl,
    heroBackgroundUrl: saved.heroBackgroundUrl,
    cardStationName: 'Night TV',
    cardNextText: 'After this',
    cardPreviousText: 'You just saw',
    cardCountdownText: 'Only',
  })
})
