/// <reference lib="dom" />

import { CAST_NAMESPACE } from '@looptide/contracts/cast'
import { type FakeCast, startFakeCast } from '@looptide/testkit/fake-cast'
import { expect, type Page } from '@playwright/test'
import { violations } from '../support/accessibility.ts'
import { test, useOwnStation } from '../support/web-station.ts'

const APP_ID = 'A1B2C3D4'
let cast: FakeCast
const web = useOwnStation(async () => {
  cast = await startFakeCast()
  return { CAST_APP_ID: APP_ID, CAST_BASE_URL: cast.url }
})
test.afterAll(() => cast?.stop())

const more = (page: Page) => page.getByRole('button', { name: 'More', exact: true })
const item = (page: Page, name: string) => page.getByRole('menuitem', { name })
/** The picture on the device. */
const shown = (device: Page) => device.frameLocator('iframe').getByRole('region', { name: 'Live picture' })

/** Texts in the frame of the device below 24 px of 1080, and controls, which nobody could press. */
const textsTooSmall = (device: Page) =>
  device
    .frameLocator('iframe')
    .locator('.bar')
    .evaluate((bar) =>
      [...bar.querySelectorAll('*')]
        .filter((element) => element.checkVisibility() && element.textContent !== '')
        .filter(
          (element) =>
            element.matches('a, button') ||
            Number.parseFloat(getComputedStyle(element).fontSize) < (24 / 1080) * window.innerHeight - 0.1,
        )
        .map((element) => element.textContent),
    )

test('a channel is cast to a device, which follows the live page until casting is stopped', async ({
  page,
  context,
}) => {
  await page.goto(`${web.url}/live?channel=test-card`)
  await more(page).click()
  await item(page, 'Cast to a TV').click()

  const device = await context.newPage()
  await device.setViewportSize({ width: 1280, height: 720 })
  const failures: string[] = []
  device.on('pageerror', ({ message }) => failures.push(message))
  await device.goto(`${web.url}/cast`)
  await expect(shown(device)).toHaveAttribute('data-state', 'playing')
  await expect(device.locator('iframe')).toHaveAttribute('src', '/embed/test-card?controls=0')
  for (const height of [1080, 720]) {
    await device.setViewportSize({ width: (height * 16) / 9, height })
    expect(await textsTooSmall(device)).toEqual([])
  }
  expect(await violations(device)).toEqual([])

  await page.bringToFront()
  // The key of a remote, as on the live page: the next channel.
  await page.keyboard.press('ArrowDown')
  await expect(page).toHaveURL(/channel=default/)
  await expect(device.locator('iframe')).toHaveAttribute('src', '/embed/default?controls=0')
  await expect(shown(device)).toBeVisible()

  await more(page).click()
  await item(page, 'Stop casting').click()
  await expect.poll(() => device.url()).toBe('about:blank')
  await more(page).click()
  await expect(item(page, 'Cast to a TV')).toBeVisible()
  expect(failures).toEqual([])
})

test('the device shows a channel or nothing, whatever it is told', async ({ page: device, context }) => {
  await device.goto(`${web.url}/cast`)
  await expect(device.getByText('Ready. Choose a channel')).toBeVisible()
  const shownPaths: string[] = []
  device.on(
    'framenavigated',
    (frame) => frame.parentFrame() && shownPaths.push(new URL(frame.url()).pathname),
  )
  const other = await context.newPage()
  await other.goto(`${web.url}/robots.txt`)
  const ids = [
    '..',
    '../live',
    '',
    '/',
    'TEST-CARD',
    'a'.repeat(65),
    '<b>',
    5,
    null,
    ['default'],
    'test-card',
  ]
  await other.evaluate(
    ([namespace, messages]) => {
      const sender = new BroadcastChannel('fake-cast')
      for (const data of messages) sender.postMessage({ kind: 'message', namespace, data })
    },
    [CAST_NAMESPACE, [null, 'x', {}, ...ids.map((channelId) => ({ channelId }))]] as const,
  )
  await expect(shown(device)).toHaveAttribute('data-state', 'playing')
  expect(shownPaths.filter((path) => path !== 'blank')).toEqual(['/embed/test-card'])
})

test('only the live page and the device load the framework, each its own part', async ({ page }) => {
  const loaded = async (path: string) => {
    const from = cast.requests.length
    await page.goto(web.url + path)
    await expect(page.getByRole('main')).toBeVisible()
    await expect.poll(() => page.evaluate(() => document.readyState)).toBe('complete')
    return cast.requests.slice(from)
  }
  for (const path of ['/', '/embed/test-card', '/tv']) expect([path, await loaded(path)]).toEqual([path, []])
  expect(await loaded('/cast')).toEqual(['/cast/sdk/libs/caf_receiver/v3/cast_receiver_framework.js'])
  await page.goto(`${web.url}/live`)
  await expect.poll(() => cast.requests.at(-1)).toBe('/cv/js/sender/v1/cast_sender.js?loadCastFramework=1')

  const policyOf = async (path: string) =>
    (await fetch(web.url + path)).headers.get('content-security-policy') ?? ''
  expect(await policyOf('/cast')).toContain(`${cast.url}/cast/sdk/libs/`)
  expect(await policyOf('/live')).not.toContain(`${cast.url}/cast/sdk/libs/ `)
  expect(await policyOf('/embed/default')).not.toContain(cast.url)
})
