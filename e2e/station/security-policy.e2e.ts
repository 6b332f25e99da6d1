/// <reference lib="dom" />

import { expect, type Page } from '@playwright/test'
import { signUp } from '../support/people.ts'
import { watchRefusals } from '../support/refusals.ts'
import { signInByForm } from '../support/web-pages.ts'
import { test, useSharedStation } from '../support/web-station.ts'

const web = useSharedStation()

const playing = (page: Page) =>
  page.evaluate(() => [...document.querySelectorAll('video')].some((video) => !video.paused))

test('the content security policy allows the station, its dialogs and the configured YouTube, and no other origin', async ({
  page,
}) => {
  const refusals = await watchRefusals(page)
  await signInByForm(page, web.url, await signUp(web.url))

  await page.goto(`${web.url}/live`)
  await expect(page.getByTestId('live-picture')).toHaveAttribute('data-player', 'youtube', {
    timeout: 40_000,
  })
  await expect.poll(() => playing(page)).toBe(true)
  // As the installed app's shortcut does.
  await page.goto(`${web.url}/live?open=guide`)
  await expect(page.getByRole('dialog', { name: 'TV Guide' })).toBeVisible()
  await page.goto(`${web.url}/admin`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(refusals).toEqual([])

  const reported = page.waitForRequest((request) => request.url().endsWith('/api/csp-reports'))
  await page.evaluate(() => {
    const script = document.createElement('script')
    script.src = 'http://stranger.test/script.js'
    const frame = document.createElement('iframe')
    frame.src = 'http://stranger.test/frame'
    const style = document.createElement('style')
    style.textContent = 'body { display: none }'
    document.body.append(script, frame, style)
  })
  await expect
    .poll(() => refusals.map((refusal) => refusal.split(' ', 1)[0]).sort())
    .toEqual(['frame-src', 'script-src-elem', 'style-src-elem'])
  await reported
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('can be installed, and its link preview shows the current programme', async ({ page, request }) => {
  await page.goto(`${web.url}/live`)
  const href = await page.locator('link[rel="manifest"]').getAttribute('href')
  const manifest = await (await request.get(`${web.url}${href}`)).json()
  expect(manifest).toMatchObject({ name: 'Looptide TV', display: 'standalone', start_url: '/' })
  const pictures = [
    ...manifest.icons.map(({ src }: { src: string }) => src),
    '/icons/apple-touch-icon.png',
    '/share.jpg',
  ]
  for (const picture of pictures) {
    const response = await request.get(`${web.url}${picture}`)
    expect([picture, response.status()]).toEqual([picture, 200])
  }
  // In this order: a cut in between makes the next programme the current one.
  const now = await (await request.get(`${web.url}/api/channels/default/now`)).json()
  const html = await (await request.get(`${web.url}/live`)).text()
  const titles = now.programmes.slice(0, 2).map(({ video }: { video: { title: string } }) => video.title)
  const shared = /property="og:title" content="([^"]*)"/.exec(html)?.[1] ?? ''
  expect(titles.some((title: string) => shared.startsWith(title))).toBe(true)
})
