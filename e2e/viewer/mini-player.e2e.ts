/// <reference lib="dom" />

import { expect, type JSHandle, type Page } from '@playwright/test'
import { violations } from '../support/accessibility.ts'
import { go } from '../support/keys.ts'
import { soundOf } from '../support/live-watch.ts'
import { signUp } from '../support/people.ts'
import { signInDirectly } from '../support/web-pages.ts'
import { test, useOwnStation } from '../support/web-station.ts'

// Of its own: the tests before it change what the shared one plays.
const web = useOwnStation()

const picture = (page: Page) => page.getByRole('region', { name: 'Live picture' })
const corner = (page: Page) => page.getByRole('region', { name: 'Live TV', exact: true })
const pages = (page: Page) => page.getByRole('navigation', { name: 'Main' })

/** How many videos of the page play with sound. */
const heard = (page: Page) =>
  page.evaluate(
    () => [...document.querySelectorAll('video')].filter(({ paused, muted }) => !paused && !muted).length,
  )

/** The element that plays the channel, and how often it has been taken out of the document: a frame then loads again. */
async function playerOf(page: Page): Promise<JSHandle<{ video: HTMLVideoElement; removals: () => number }>> {
  await expect(picture(page)).toHaveAttribute('data-player', 'youtube')
  await expect.poll(() => heard(page)).toBe(1)
  return page.evaluateHandle(() => {
    const video = [...document.querySelectorAll('video')].find(({ paused }) => !paused)
    if (!video) throw new Error('Nothing plays.')
    let removals = 0
    new MutationObserver((records) => {
      const removed = records.flatMap(({ removedNodes }) => [...removedNodes])
      removals += removed.filter((node) => node.contains(video)).length
    }).observe(document.body, { subtree: true, childList: true })
    return { video, removals: () => removals }
  })
}

/** Whether the player has stayed where it is in the document, and still shows the channel. */
const isUnbroken = (player: Awaited<ReturnType<typeof playerOf>>) =>
  player.evaluate(
    ({ video, removals }) =>
      video.isConnected && video.closest('[data-testid="live-picture"]') !== null && removals() === 0,
  )

/** The size of the picture, the topmost element in its middle, and what of the page the corner covers. */
const placeOf = (page: Page) =>
  picture(page).evaluate((section) => {
    const { left, top, right, bottom, width, height } = section.getBoundingClientRect()
    const inFront = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
    const tabs = document.querySelector('[data-tab-bar]')?.getBoundingClientRect()
    const end = tabs && tabs.height > 0 && tabs.bottom >= innerHeight ? tabs.top : innerHeight
    const region = section.closest('[data-corner]')?.getBoundingClientRect()
    return {
      isLargeEnough: width >= 200 && height >= 200,
      isBare: inFront instanceof HTMLVideoElement && section.contains(inFront),
      isInside:
        region !== undefined &&
        region.top >= 0 &&
        region.left >= 0 &&
        region.bottom <= end &&
        region.right <= innerWidth,
    }
  })

test('the picture stays in a corner of other pages, without loading again, until it is closed or another video plays @clock', async ({
  page,
}) => {
  await signInDirectly(page, web.url, await signUp(web.url, 'cornered'))
  await page.goto(`${web.url}/live`)
  const player = await playerOf(page)
  await expect(corner(page)).toBeHidden()
  await page.getByRole('link', { name: 'Back', exact: true }).click()

  await expect(page.getByRole('region', { name: 'All Videos', exact: true })).toBeVisible()
  await expect(corner(page)).toBeVisible()
  await expect(page).toHaveTitle(/^Looptide/)
  expect(await isUnbroken(player)).toBe(true)
  for (const [width, height] of [
    [390, 844],
    [844, 390],
    [1280, 720],
  ] as const) {
    await page.setViewportSize({ width, height })
    await expect
      .poll(() => placeOf(page), { message: `${width} × ${height}` })
      .toEqual({ isLargeEnough: true, isBare: true, isInside: true })
  }
  expect(await violations(page, '[data-corner]')).toEqual([])

  // By keys, and without doubled or lost sound.
  const mute = corner(page).getByRole('button', { name: 'Mute', exact: true })
  await corner(page)
    .getByRole('link', { name: /^Back to Live TV: / })
    .focus()
  await go(page, 'ArrowRight', mute)
  await page.keyboard.press('Enter')
  await expect.poll(() => heard(page)).toBe(0)
  await corner(page).getByRole('button', { name: 'Unmute' }).click()
  await expect.poll(() => soundOf(page)).toMatchObject({ muted: false })

  await pages(page).getByRole('link', { name: 'My Lists' }).click()
  await expect(page).toHaveURL(/youtube-player/)
  await expect(corner(page)).toBeVisible()
  await page.goBack()
  await corner(page)
    .getByRole('link', { name: /^Back to Live TV: / })
    .click()
  await expect(page).toHaveURL(`${web.url}/live`)
  await expect(page.getByRole('button', { name: 'TV Guide' })).toBeVisible()
  await expect(corner(page)).toBeHidden()
  expect(await isUnbroken(player)).toBe(true)

  // Another player ends it, and it does not come back by itself.
  await page.goBack()
  await page
    .getByRole('region', { name: 'All Videos', exact: true })
    .getByRole('listitem')
    .first()
    .getByRole('button')
    .first()
    .click()
  await page.getByRole('button', { name: 'Play Now' }).click()
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible()
  await expect(page.getByTestId('live-picture')).toHaveCount(0)
  await expect.poll(() => heard(page)).toBe(1)
  await page.goBack()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(corner(page)).toBeHidden()

  await pages(page).getByRole('link', { name: 'Live TV' }).click()
  await playerOf(page)
  await page.keyboard.press('Escape')
  await corner(page).getByRole('button', { name: 'Close Live TV' }).click()
  await expect(page.getByTestId('live-picture')).toHaveCount(0)
  expect(await heard(page)).toBe(0)

  await pages(page).getByRole('link', { name: 'Live TV' }).click()
  await playerOf(page)
  await page.keyboard.press('Escape')
  await expect(corner(page)).toBeVisible()
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(page.getByRole('tab', { name: 'Sign In', exact: true })).toBeVisible()
  await expect(page.getByTestId('live-picture')).toHaveCount(0)
  expect(await heard(page)).toBe(0)
})
