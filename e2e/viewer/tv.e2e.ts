/// <reference lib="dom" />

import { clientOf } from '@looptide/testkit/client'
import { expect, type Locator, type Page } from '@playwright/test'
import { violations } from '../support/accessibility.ts'
import { walkTo } from '../support/keys.ts'
import { soundOf } from '../support/live-watch.ts'
import { signUp } from '../support/people.ts'
import { signInDirectly } from '../support/web-pages.ts'
import { test, useSharedStation } from '../support/web-station.ts'

// Longer than most files: letters are typed with arrows, and a television that is being paired asks every five seconds
// (RFC 8628 §3.5), twice here.
const web = useSharedStation()

const SCREENS = [
  { width: 1920, height: 1080 },
  { width: 1280, height: 720 },
]

const picture = (page: Page) => page.getByRole('region', { name: 'Live picture' })
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const result = (page: Page, name: RegExp) =>
  page.getByRole('list', { name: 'Results' }).getByRole('button', { name })
const ok = (page: Page) => page.keyboard.press('Enter')
const back = (page: Page) => page.keyboard.press('Escape')

/** Goes to a control with arrows and presses OK. */
async function press(page: Page, control: Locator): Promise<void> {
  await walkTo(page, control)
  await ok(page)
}

/**
 * What is wrong with the screen for somebody ten feet away: text below 24 px at 1080p, text within 5 % of an edge, anything
 * on the picture, more or less than one focus while a panel is open.
 */
const faultsOf = (page: Page) =>
  page.evaluate(() => {
    const { innerWidth: width, innerHeight: height } = window
    const faults: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement
      if (!element?.checkVisibility() || !node.textContent?.trim() || element.closest('script, .tv-hidden'))
        continue
      const px = Number.parseFloat(getComputedStyle(element).fontSize)
      if (px < (24 / 1080) * height - 0.1) faults.push(`${px} px: ${node.textContent}`)
      const range = document.createRange()
      range.selectNodeContents(element)
      const { left, top, right, bottom } = range.getBoundingClientRect()
      const margins = [left / width, top / height, 1 - right / width, 1 - bottom / height]
      if (Math.min(...margins) < 0.0499) faults.push(`${margins}: ${node.textContent}`)
    }
    const box = document.querySelector('[aria-label="Live picture"]')
    if (!box) return ['no picture']
    const { left, top, width: w, height: h } = box.getBoundingClientRect()
    if (w < 200 || h < 200) faults.push(`the picture is ${w} × ${h}`)
    for (const x of [0.02, 0.5, 0.98])
      for (const y of [0.02, 0.5, 0.98]) {
        const front = document.elementFromPoint(left + x * w, top + y * h)
        if (!box.contains(front)) faults.push(`${front?.className} covers the picture`)
      }
    const focused = document.querySelectorAll('[data-panel] :focus').length
    if (document.querySelector('[data-panel]') && focused !== 1) faults.push(`${focused} have the focus`)
    return faults
  })

/** Checks what is shown on both screens, and by axe. */
async function check(page: Page): Promise<void> {
  for (const screen of SCREENS) {
    await page.setViewportSize(screen)
    await expect.poll(() => faultsOf(page)).toEqual([])
  }
  expect(await violations(page)).toEqual([])
}

test('a visitor changes channels, reads what is on, looks at the guide and searches, with six keys', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.goto(`${web.url}/tv`)
  await expect(picture(page)).toHaveAttribute('data-state', 'playing')
  await expect(picture(page)).toHaveAttribute('data-player', 'youtube')
  await check(page)

  // Up and Down change the channel; its banner is beside the picture, and leaves.
  const banner = page.getByRole('status', { name: 'Channel' })
  await page.keyboard.press('ArrowUp')
  await expect(banner).toContainText('Now')
  await expect(page).toHaveURL(/\?channel=/)
  await check(page)
  await page.keyboard.press('ArrowDown')
  await expect(page).toHaveURL(`${web.url}/tv?channel=default`)
  await expect(banner).toBeEmpty()

  await ok(page)
  const strip = panel(page, 'Channel')
  await expect(strip).toContainText(/Now.* left/)
  await expect(button(page, 'Guide')).toBeFocused()
  await check(page)

  await ok(page)
  const guide = panel(page, 'Guide')
  await expect(guide.getByRole('button', { name: /watching/ })).toBeFocused()
  await expect(guide.getByRole('button').first()).toContainText(/\d:\d\d/)
  await check(page)
  await page.keyboard.press('ArrowDown')
  const second = guide.getByRole('button').nth(1)
  await expect(second).toBeFocused()
  await ok(page)
  await expect(guide).toBeHidden()
  await expect(page).not.toHaveURL(`${web.url}/tv?channel=default`)
  await page.keyboard.type('1')
  await expect(page).toHaveURL(`${web.url}/tv?channel=default`)

  await page.keyboard.press('ArrowRight')
  await press(page, button(page, 'Search'))
  for (const letter of 'NEVER') await press(page, button(page, letter))
  await expect(page.getByRole('status', { name: 'Search text' })).toHaveText('never')
  const found = result(page, /Never Gonna Give You Up/)
  await expect(found).toBeVisible()
  await check(page)
  await press(page, found)
  await expect(page.getByRole('status', { name: 'Message' })).toContainText('Please sign in to watch videos')
  await check(page)

  // Back closes one thing after the other.
  await ok(page)
  await press(page, button(page, 'Search'))
  await expect(panel(page, 'Search')).toBeVisible()
  await page.keyboard.press('Backspace')
  await expect(strip).toBeVisible()
  await back(page)
  await expect(strip).toBeHidden()
})

test('a member hears the channel, changes the volume, and watches a video and the channel again', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1920, height: 1080 })
  await signInDirectly(page, web.url, await signUp(web.url, 'couch'))
  await page.goto(`${web.url}/tv`)
  await expect(picture(page)).toHaveAttribute('data-state', 'playing')
  await ok(page)
  await press(page, button(page, 'Volume 70 %'))
  await expect(button(page, 'Louder')).toBeFocused()
  await check(page)
  await ok(page)
  await expect(page.getByRole('meter', { name: 'Volume' })).toHaveAttribute('value', '0.75')
  await press(page, button(page, 'Mute'))
  await expect(button(page, 'Unmute')).toBeFocused()
  await ok(page)
  await expect.poll(() => soundOf(page)).toMatchObject({ muted: false })
  await back(page)

  await press(page, button(page, 'Search'))
  for (const letter of 'NEV') await press(page, button(page, letter))
  await press(page, result(page, /Never Gonna Give You Up/))
  await expect(panel(page, 'Search')).toBeHidden()
  await ok(page)
  await expect(panel(page, 'Channel')).toContainText('Playing only for you')
  await press(page, button(page, 'Back to live'))
  await expect(panel(page, 'Channel')).toContainText(/Now.* left/)
  await press(page, button(page, 'Account'))
  await check(page)
  await press(page, button(page, 'Sign out'))
  await expect(panel(page, 'Account')).toContainText('Sign in')
})

test('a television is signed in by its code, gets another one when the code was refused, and obeys a phone', async ({
  page,
  browser,
}) => {
  await page.setViewportSize({ width: 1280, height: 720 })
  const owner = await signUp(web.url, 'pairing')
  const decide = async (decision: 'allow' | 'deny', { accessToken } = owner) => {
    const code = page.getByText(/^[B-Z]{4}-[B-Z]{4}$/)
    await expect(code).toBeVisible()
    await clientOf(web.url, accessToken).call('POST /auth/v1/device/decision', {
      body: { user_code: (await code.textContent()) ?? '', decision },
    })
  }
  await page.goto(`${web.url}/tv`)
  await expect(picture(page)).toHaveAttribute('data-state', 'playing')
  await ok(page)
  await press(page, button(page, 'Sign in for sound'))
  await expect(page.getByText(`${new URL(web.url).host}/pair`, { exact: true })).toBeVisible()
  await expect(page.getByRole('img', { name: 'QR code of the address' })).toBeVisible()
  await check(page)
  const size = page.viewportSize()!
  await page.setViewportSize({ width: 390, height: 844 })
  const code = page.getByText(/^[B-Z]{4}-[B-Z]{4}$/)
  const linesOf = (element: Element) => {
    const { height } = element.getBoundingClientRect()
    return element.scrollWidth > element.clientWidth
      ? Infinity
      : Math.round(height / parseFloat(getComputedStyle(element).lineHeight))
  }
  await expect.poll(() => code.evaluate(linesOf), 'the code is in one line').toBe(1)
  await page.setViewportSize(size)
  await decide('deny')
  await expect(page.getByText('The sign-in of this TV was denied.')).toBeVisible()
  await expect(button(page, 'New code')).toBeFocused()
  await ok(page)
  await decide('allow')
  await expect(button(page, 'Sign out')).toBeVisible()
  await back(page)
  await expect(button(page, 'Volume 70 %')).toBeVisible()

  const phone = await (await browser.newContext()).newPage()
  await signInDirectly(phone, web.url, owner)
  await phone.goto(`${web.url}/remote`)
  await phone.getByRole('button', { name: 'TV Guide' }).click()
  await expect(panel(page, 'Guide')).toBeVisible()
  await phone.getByLabel('Search on the TV').fill('never')
  await phone.keyboard.press('Enter')
  await expect(page.getByRole('status', { name: 'Search text' })).toHaveText('never')
  await expect(result(page, /Never Gonna Give You Up/)).toBeVisible()
  // The same text again, after another one was typed on the TV.
  await ok(page)
  await expect(page.getByRole('status', { name: 'Search text' })).toHaveText('nevera')
  await phone.getByLabel('Search on the TV').press('Enter')
  await expect(page.getByRole('status', { name: 'Search text' })).toHaveText('never')
  await phone.context().close()

  // The session is stored as that of any browser.
  await page.reload()
  await expect(picture(page)).toHaveAttribute('data-state', 'playing')
  // Chromium does not always count a press from before a reload.
  await ok(page)
  await expect.poll(() => soundOf(page)).toMatchObject({ muted: false })

  // Somebody else of the household watches, without a sign-out, and the first one again.
  const other = await signUp(web.url, 'sofa')
  const account = panel(page, 'Account')
  const watching = account.getByRole('listitem').filter({ hasText: 'watching' })
  // The strip is open already if sound was not waiting for a press.
  await page.keyboard.press('ArrowRight')
  await press(page, button(page, 'Account'))
  await press(page, button(page, 'Add an account'))
  await decide('allow', other)
  await expect(watching).toContainText(/sofa/)
  await expect(account.getByRole('listitem')).toHaveCount(2)
  await check(page)
  await press(page, account.getByRole('button', { name: /pairing/ }))
  await expect(watching).toContainText(/pairing/)
  await press(page, button(page, 'Sign out'))
  await expect(watching).toHaveCount(0)
  await press(page, account.getByRole('button', { name: /sofa/ }))
  await expect(watching).toContainText(/sofa/)
})
