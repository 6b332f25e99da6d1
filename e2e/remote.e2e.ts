/// <reference lib="dom" />

import { expect, type Locator, type Page, test } from '@playwright/test'
import { signUp } from './support/people.ts'
import { useWebStation } from './support/web-station.ts'

const web = useWebStation()

const playing = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('video')].some((video) => !video.paused && video.currentTime > 0),
  )

/** Presses an arrow until the wanted thing has the focus: as often as a viewer would put up with. */
async function go(page: Page, arrow: `Arrow${'Up' | 'Down' | 'Left' | 'Right'}`, to: Locator, most = 12) {
  for (let presses = 0; presses < most; presses += 1) {
    if (await to.evaluate((element) => element === document.activeElement)) return
    const before = await focusMark(page)
    await page.keyboard.press(arrow)
    await expect.poll(() => focusMark(page)).not.toBe(before)
  }
  await expect(to).toBeFocused()
}

/** Something that changes whenever the focus moves on. */
const focusMark = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement
    const { left, top } = focused?.getBoundingClientRect() ?? { left: 0, top: 0 }
    return `${focused?.outerHTML.slice(0, 300)} ${left + scrollX} ${top + scrollY}`
  })

test('a whole evening with the keys alone: sign in, find a video, play it, guide, chat, leave', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1920, height: 1080 })
  const viewer = await signUp(web.url, 'sofa')
  await page.goto(web.url)
  await expect(page.getByRole('tab', { name: 'Sign In', exact: true })).toBeVisible()

  // Nothing has the focus yet: the first arrow puts it onto the page.
  await page.keyboard.press('ArrowDown')
  await go(page, 'ArrowDown', page.getByLabel('Email'))
  await page.keyboard.type(viewer.email)
  await go(page, 'ArrowDown', page.getByLabel('Password', { exact: true }))
  await page.keyboard.type(viewer.password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Account' })).toBeVisible()

  // The page is another one now, and the focus is on it.
  await expect(page.locator('main#main :focus')).toHaveCount(1)
  const search = page.getByRole('combobox', { name: 'Search' })
  await go(page, 'ArrowUp', page.getByRole('navigation', { name: 'Main' }).locator(':focus'), 20)
  await go(page, 'ArrowRight', search)
  await page.keyboard.type('test card')
  await expect(page.getByRole('option').first()).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(search).toHaveAttribute('aria-activedescendant', /.+/)
  await page.keyboard.press('ArrowUp')
  await expect(search).not.toHaveAttribute('aria-activedescendant', /.+/)
  await page.keyboard.press('Enter')

  await expect(page.getByRole('heading', { level: 1, name: 'Search Results for "test card"' })).toBeFocused()
  const play = page.getByRole('link', { name: /^Play Now: / }).first()
  await go(page, 'ArrowDown', play)
  await page.keyboard.press(' ')
  await expect(page).toHaveURL(`${web.url}/live`)
  await expect.poll(() => playing(page), { timeout: 20_000 }).toBe(true)

  // Back leads to / from the live page; from there the browser's own way back leads on, and finds the focus again.
  await page.keyboard.press('Backspace')
  await expect(page).toHaveURL(`${web.url}/`)
  await page.goBack()
  await page.goBack()
  await expect(play).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${web.url}/live`)

  const guide = page.getByRole('dialog', { name: 'TV Guide' })
  await page.keyboard.press('ContextMenu')
  await expect(guide).toBeVisible()
  await expect(guide.locator(':focus')).toHaveCount(1)
  await page.keyboard.press('GoBack')
  await expect(guide).toBeHidden()
  const guideButton = page.getByRole('button', { name: 'TV Guide' })
  await page.keyboard.press('ArrowUp')
  await go(page, 'ArrowRight', guideButton)
  await page.keyboard.press('Enter')
  await expect(guide).toBeVisible()
  await page.keyboard.press('Backspace')
  await expect(guide).toBeHidden()
  await expect(guideButton).toBeFocused()

  await go(page, 'ArrowRight', page.getByRole('button', { name: /^Chat/ }))
  await page.keyboard.press('Enter')
  const input = page.getByRole('textbox', { name: /message/i })
  await expect(input).toBeVisible()
  await go(page, 'ArrowRight', page.getByRole('complementary').locator(':focus'), 6)
  await go(page, 'ArrowDown', input)
  await page.keyboard.type('good night')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('log').getByText('good night')).toBeVisible()
  await expect(input).toBeFocused()

  await page.keyboard.press('MediaPlayPause')
  await page.keyboard.press('MediaStop')
  await expect(page).toHaveURL(`${web.url}/`)
  const account = page.getByRole('button', { name: 'Account' })
  await page.keyboard.press('ArrowUp')
  await go(page, 'ArrowUp', page.getByRole('navigation', { name: 'Main' }).locator(':focus'), 6)
  await go(page, 'ArrowRight', account)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('menuitem', { name: 'Sign Out' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('tab', { name: 'Sign In', exact: true })).toBeVisible()
})
