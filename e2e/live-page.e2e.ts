/// <reference lib="dom" />

import { expect, type Page, test } from '@playwright/test'
import { signUp } from './support/people.ts'
import { expectToast, signInByForm } from './support/web-pages.ts'
import { useWebStation } from './support/web-station.ts'

// Nothing listens on port 9: YouTube is out of reach, as behind many a firewall.
const web = useWebStation({ YOUTUBE_BASE_URL: 'http://127.0.0.1:9' })

const picture = (page: Page) => page.getByRole('region', { name: 'Live picture' })
const playing = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('video')].some((video) => !video.paused && video.currentTime > 0),
  )

async function openTestCard(page: Page): Promise<void> {
  await page.goto(`${web.url}/live?channel=test-card`)
  await expect.poll(() => playing(page), { timeout: 20_000 }).toBe(true)
}

/** Resolves when the page has shown `text`, however briefly: asked of the page itself, before it comes. */
function appears(page: Page, text: string): Promise<void> {
  return page.evaluate(
    (text) =>
      new Promise<void>((resolve) => {
        const observer = new MutationObserver(() => {
          if (!document.body.textContent.includes(text)) return
          observer.disconnect()
          resolve()
        })
        observer.observe(document.body, { subtree: true, childList: true, characterData: true })
      }),
    text,
  )
}

test('shows what is on, what comes next, and says so in the tab', async ({ page }) => {
  await openTestCard(page)
  await expect(page.getByText('LIVE', { exact: true })).toBeVisible()
  await expect(page.getByText('24/7 • HD Quality')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Up Next' }).getByRole('listitem')).toHaveCount(2)
  const title = await page.getByRole('heading', { level: 1 }).textContent()
  await expect(page).toHaveTitle(new RegExp(`^${title} – .+ \\| Looptide$`))
})

test('YouTube out of reach: says so in plain words and goes on with the Test Card', async ({ page }) => {
  await page.goto(`${web.url}/live`)
  await expect(page.getByText("YouTube can't be reached from this network.")).toBeVisible({ timeout: 40_000 })
  await expect(page).toHaveURL(/channel=test-card/)
  await expect.poll(() => playing(page), { timeout: 20_000 }).toBe(true)

  // A refused connection is told at once: looked for before it comes.
  const tried = page.waitForURL(/channel=default/, { waitUntil: 'commit' })
  await page.getByRole('button', { name: 'Try YouTube again' }).click()
  await tried
  await expect(page.getByText("YouTube can't be reached from this network.")).toBeVisible({ timeout: 40_000 })
  await expect(page).toHaveURL(/channel=test-card/)
})

test('switches between the channels that are on', async ({ page }) => {
  await openTestCard(page)
  await page.getByRole('button', { name: /^Channels/ }).click()
  const channels = page.getByRole('dialog', { name: 'Channels' })
  await expect(channels.getByRole('listitem')).toHaveCount(2)
  const overlay = appears(page, 'Switching Channel...')
  await channels.getByRole('button', { name: /^Looptide TV/ }).click()
  await overlay
  await expect(page.getByText('Switching Channel...')).toBeHidden({ timeout: 3_000 })
})

test('is silent for visitors, and at volume 0.7 for members', async ({ page }) => {
  await openTestCard(page)
  const sound = () =>
    page.evaluate(() => {
      const video = [...document.querySelectorAll('video')].find(({ paused }) => !paused)
      return video && { muted: video.muted, volume: video.volume }
    })
  await expect.poll(sound).toMatchObject({ muted: true })
  await expect(page.getByRole('link', { name: 'Sign in for sound' })).toBeVisible()

  await signInByForm(page, web.url, await signUp(web.url, 'ears'))
  await page.getByRole('link', { name: 'Live TV', exact: true }).click()
  await page.getByRole('button', { name: /^Channels/ }).click()
  await page.getByRole('button', { name: /^Test Card/ }).click()
  await expect.poll(sound).toEqual({ muted: false, volume: 0.7 })
  await page.getByRole('button', { name: 'Mute', exact: true }).click()
  await expect.poll(sound).toMatchObject({ muted: true })
  await page.getByRole('slider', { name: 'Volume' }).fill('0.5')
  await expect.poll(sound).toEqual({ muted: false, volume: 0.5 })
})

test('fullscreen by button and double click: without Up Next, and with the chat put away', async ({
  page,
}) => {
  await openTestCard(page)
  await page.getByRole('button', { name: 'Chat', exact: true }).click()
  await expect(page.getByRole('log', { name: 'Messages' })).toBeVisible()
  await page.getByRole('button', { name: 'Full', exact: true }).click()
  await expect(page.getByRole('log', { name: 'Messages' })).toBeHidden()
  await expect(page.getByRole('region', { name: 'Up Next' })).toBeHidden()
  expect(await page.evaluate(() => document.fullscreenElement !== null)).toBe(true)
  await picture(page).dblclick({ force: true })
  await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBeNull()
  await expect(page.getByRole('region', { name: 'Up Next' })).toBeVisible()
})

test('says when nobody answers, and comes back by Retry Connection', async ({ page }) => {
  await page.route(/\/api\/channels\/[^/]+\/now/, (route) => route.abort())
  await page.routeWebSocket(/\/realtime\/v1\/websocket/, (socket) => void socket.close())
  await page.goto(`${web.url}/live?channel=test-card`)
  await expect(page.getByText('Stream server unavailable')).toBeVisible()
  await page.unroute(/\/api\/channels\/[^/]+\/now/)
  await page.getByRole('button', { name: 'Retry Connection' }).click()
  await expectToast(page, 'Reconnecting')
  await expect(page.getByText('Stream server unavailable')).toBeHidden()
  await expect.poll(() => playing(page), { timeout: 20_000 }).toBe(true)
})

test('an outage behind the page is not seen by who is watching', async ({ page }) => {
  await openTestCard(page)
  await page.route(/\/api\//, (route) => route.abort())
  await web.station.halt('stream-scheduler')
  const positionS = () =>
    page.evaluate(() => [...document.querySelectorAll('video')].find(({ paused }) => !paused)?.currentTime)
  const before = await positionS()
  await expect.poll(positionS).not.toBe(before)
  await expect(page.getByText('Stream server unavailable')).toBeHidden()
  await page.unroute(/\/api\//)
  await web.station.restart('stream-scheduler')
})

test('the sync panel tells how well the page keeps time', async ({ page }) => {
  await openTestCard(page)
  await page.getByRole('button', { name: 'Sync: connected' }).click()
  const panel = page.getByRole('dialog', { name: 'Sync' })
  await expect(panel.getByText('Connected', { exact: true })).toBeVisible()
  await expect(panel.getByText('Clock offset')).toBeVisible()
  await expect(panel.getByText(/± \d+ ms/)).toBeVisible()
  await expect(panel.getByText('Drift from the station')).toBeVisible()
})
