/// <reference lib="dom" />

import { expect, type Locator, type Page } from '@playwright/test'
import { go } from '../support/keys.ts'
import { signUp } from '../support/people.ts'
import { expectToast, swipeAway } from '../support/web-pages.ts'
import { test, useSharedStation } from '../support/web-station.ts'

const web = useSharedStation()

/** Presses a key that exists only on remote controls. */
const pressOnRemote = (page: Page, key: string) =>
  page.evaluate((key) => {
    const press = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
    ;(document.activeElement ?? document.body).dispatchEvent(press)
  }, key)

/** Taps on a field, which the browser focuses a moment after the touch. */
async function tapInto(field: Locator): Promise<void> {
  await field.tap()
  await expect(field).toBeFocused()
}

const mainBar = (page: Page) => page.getByRole('navigation', { name: 'Main' }).locator(':focus')

test('arrow keys pressed before their code is loaded take effect as soon as it is', async ({ page }) => {
  const pressed = Promise.withResolvers<void>()
  await page.route(/\/page-behaviour-[^/]*\.js$/, async (route) => {
    await pressed.promise
    await route.continue()
  })
  await page.goto(web.url)
  const tab = page.getByRole('tab', { name: 'Sign In', exact: true })
  await expect(tab).toBeVisible()
  await tab.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowDown')
  await expect(tab).toBeFocused()
  pressed.resolve()
  await expect(page.getByLabel('Email')).toBeFocused()
})

test('text typed right after the first arrow key goes to the field that it reaches', async ({ page }) => {
  await page.goto(web.url)
  const email = page.getByLabel('Email')
  await expect(email).toBeVisible()
  // The remote control, which is loaded after the first view, handles this key.
  const isHandled = () =>
    page.evaluate(() => {
      const press = new KeyboardEvent('keydown', { key: 'MediaPlay', bubbles: true, cancelable: true })
      return !document.body.dispatchEvent(press)
    })
  await expect.poll(isHandled, { message: 'the remote control is loaded' }).toBe(true)
  await email.focus()
  const focusedWithinPress = await email.evaluate((field) => {
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true }))
    return document.activeElement?.getAttribute('type')
  })
  expect(focusedWithinPress).toBe('password')
})

test('a whole visit with keys only: sign in, find a video, play it, guide, chat, leave', async ({ page }) => {
  await page.setViewportSize({ width: 1920, height: 1080 })
  const viewer = await signUp(web.url, 'sofa')
  await page.goto(web.url)
  const tab = page.getByRole('tab', { name: 'Sign In', exact: true })
  await expect(tab).toBeVisible()

  // Nothing has the focus yet: the first arrow key moves it into the page.
  await page.keyboard.press('ArrowDown')
  await expect(page.locator('main :focus')).toHaveCount(1)
  await go(page, 'ArrowRight', tab)
  await go(page, 'ArrowDown', page.getByLabel('Email'))
  await page.keyboard.type(viewer.email)
  await go(page, 'ArrowDown', page.getByLabel('Password', { exact: true }))
  await page.keyboard.type(viewer.password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Account', exact: true })).toBeVisible()

  // Another page is shown, and the focus is in it.
  await expect(page.locator('main :focus')).toHaveCount(1)
  await go(page, 'ArrowUp', mainBar(page))
  const search = page.getByRole('combobox', { name: 'Search' })
  await go(page, 'ArrowRight', search)
  await page.keyboard.type('never gonna')
  await expect(page.getByRole('option', { name: /Never Gonna Give You Up/ })).toBeVisible()
  // The list of the whole text, not that of a part of it.
  await expect(page.getByRole('listbox', { name: 'Suggestions' })).toHaveAttribute('aria-busy', 'false')
  await page.keyboard.press('ArrowDown')
  await expect(search).toHaveAttribute('aria-activedescendant', /.+/)
  await page.keyboard.press('ArrowUp')
  await expect(search).not.toHaveAttribute('aria-activedescendant', /.+/)
  await page.keyboard.press('Enter')

  await expect(
    page.getByRole('heading', { level: 1, name: 'Search Results for "never gonna"' }),
  ).toBeFocused()
  const play = page.getByRole('link', { name: 'Play Now: Never Gonna Give You Up' })
  await expect(play).toBeVisible()
  await go(page, 'ArrowDown', play)
  await page.keyboard.press(' ')
  await expect(page).toHaveURL(`${web.url}/live`)
  await expectToast(page, 'Video Selected', 'Now playing: Never Gonna Give You Up')

  // Back leads to / from the live page. The results page keeps its scroll position and focus.
  await page.keyboard.press('Backspace')
  await expect(page).toHaveURL(`${web.url}/`)
  await page.goBack()
  await expect(page).toHaveURL(`${web.url}/live`)
  await page.goBack()
  await expect(play).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${web.url}/live`)

  // The guide opens by its key and by its button; the focus returns to where it was.
  const guide = page.getByRole('dialog', { name: 'TV Guide' })
  await expect(page.getByRole('button', { name: 'TV Guide' })).toBeVisible()
  await page.keyboard.press('ContextMenu')
  await expect(guide).toBeVisible()
  await expect(guide.locator(':focus')).toHaveCount(1)
  await pressOnRemote(page, 'GoBack')
  await expect(guide).toBeHidden()
  const guideButton = page.getByRole('button', { name: 'TV Guide' })
  await go(page, 'ArrowLeft', guideButton)
  await page.keyboard.press('Enter')
  await expect(guide).toBeVisible()
  await page.keyboard.press('Backspace')
  await expect(guide).toBeHidden()
  await expect(guideButton).toBeFocused()

  // The remote control's keys for channels and volume.
  const volume = page.getByRole('slider', { name: 'Volume' })
  const before = Number(await volume.inputValue())
  await pressOnRemote(page, 'AudioVolumeDown')
  await expect.poll(async () => Number(await volume.inputValue())).toBeCloseTo(before - 0.05)
  await pressOnRemote(page, 'ChannelUp')
  await expect(page).toHaveURL(/\/live\?channel=/)

  const chat = page.getByRole('button', { name: /^Chat/ })
  await go(page, 'ArrowRight', chat)
  await page.keyboard.press('Enter')
  const message = page.getByRole('complementary').getByRole('textbox')
  await expect(message).toBeVisible()
  await go(page, 'ArrowLeft', page.getByRole('complementary').locator(':focus'))
  await go(page, 'ArrowDown', message)
  await page.keyboard.type('good night')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('log').getByText('good night')).toBeVisible()
  await expect(message).toBeFocused()

  // The key for the home page leaves the live page. The focus is kept although its element is removed.
  await pressOnRemote(page, 'MediaPlayPause')
  await pressOnRemote(page, 'MediaStop')
  await expect(page).toHaveURL(`${web.url}/`)
  await expect(page.locator('main :focus')).toHaveCount(1)
  await go(page, 'ArrowUp', mainBar(page))
  await go(page, 'ArrowRight', page.getByRole('button', { name: 'Account', exact: true }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menu').locator(':focus').or(page.locator('[role="menu"]:focus'))).toHaveCount(
    1,
  )
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('menuitem', { name: 'Sign Out' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(tab).toBeVisible()
  await expect(page.locator('body :focus')).toHaveCount(1)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('a whole visit with touch only: sign in, find a video, play it, guide, chat, leave', async ({
    page,
  }) => {
    const viewer = await signUp(web.url, 'thumb')
    await page.goto(web.url)
    await tapInto(page.getByLabel('Email'))
    await page.keyboard.type(viewer.email)
    await tapInto(page.getByLabel('Password', { exact: true }))
    await page.keyboard.type(viewer.password)
    await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).tap()
    await expect(page.getByRole('button', { name: 'Account', exact: true })).toBeVisible()

    await swipeAway(page, 'Welcome back!')
    await page.getByRole('button', { name: 'Open search' }).tap()
    await expect(page.getByRole('combobox', { name: 'Search' })).toBeFocused()
    await page.keyboard.type('rick')
    await page.getByRole('option', { name: /^Rick Astley/ }).tap()
    await expect(page.getByRole('heading', { level: 1, name: 'Videos by Rick Astley' })).toBeVisible()
    await page.getByRole('link', { name: 'Play Now: Never Gonna Give You Up' }).tap()
    await expectToast(page, 'Video Selected', 'Now playing: Never Gonna Give You Up')

    await swipeAway(page, 'Video Selected')
    await page.getByRole('button', { name: 'TV Guide' }).tap()
    const guide = page.getByRole('dialog', { name: 'TV Guide' })
    await guide.getByRole('button', { name: 'Close', exact: true }).first().tap()
    await expect(guide).toBeHidden()
    const message = page.getByRole('complementary').getByRole('textbox')
    await tapInto(message)
    await page.keyboard.type('from the queue')
    await page.getByRole('complementary').getByRole('button', { name: /send/i }).tap()
    await expect(page.getByRole('log').getByText('from the queue')).toBeVisible()

    await page.getByRole('link', { name: 'Back' }).tap()
    await page.getByRole('button', { name: 'Account', exact: true }).tap()
    await page.getByRole('menuitem', { name: 'Sign Out' }).tap()
    await expect(page.getByRole('tab', { name: 'Sign In', exact: true })).toBeVisible()
  })
})
