/// <reference lib="dom" />

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { testAdmin } from '@looptide/test-station/station'
import { bearerOf } from '@looptide/testkit/client'
import { expect, type Page } from '@playwright/test'
import { sidewaysScroll, violations } from '../support/accessibility.ts'
import { signIn } from '../support/people.ts'
import { expectToast, signInDirectly } from '../support/web-pages.ts'
import { test, useSharedStation } from '../support/web-station.ts'

const web = useSharedStation()

/** Two sites of others, which answer every request with a page around the same frames. */
const sites: { server: Server; url: string }[] = []
let frames = ''
test.beforeAll(async () => {
  for (const _ of [1, 2]) {
    const site = createServer((_request, response) => {
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<!doctype html><html lang="en"><title>A blog</title><main><h1>A blog</h1>${frames}</main>`)
    })
    // Another site than that of the station, not only another port.
    const host = new URL(web.url).hostname === 'localhost' ? '127.0.0.1' : 'localhost'
    site.listen(0, host)
    await once(site, 'listening')
    sites.push({ server: site, url: `http://${host}:${(site.address() as AddressInfo).port}` })
  }
})
test.afterAll(() => {
  for (const { server } of sites) server.close()
})

/**
 * Does to frames what browsers do whose users block third-party cookies. The headless Chromium of the tests has no such
 * setting.
 */
function withoutStorage(): void {
  if (window === window.top) return
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
    Object.defineProperty(window, name, {
      get: () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError')
      },
    })
  Object.defineProperty(document, 'cookie', { get: () => '', set: () => undefined })
}

const addressOf = (index: number): string => sites[index]?.url ?? ''
/** The code of an embed as a program gets it. */
async function codeOf(path: string): Promise<string> {
  const response = await fetch(`${web.url}/api/oembed?url=${encodeURIComponent(web.url + path)}`)
  return ((await response.json()) as { html: string }).html
}
/** The sites that may show embeds, as browsers are told. */
async function sitesThatMayShow(): Promise<string | undefined> {
  const { headers } = await fetch(`${web.url}/embed/test-card/now`)
  return /frame-ancestors ([^;]+)/.exec(headers.get('content-security-policy') ?? '')?.[1]
}
const frame = (src: string): string =>
  `<iframe src="${web.url}${src}" title="frame" name="${src}" width="400" height="300"></iframe>`
/** Where a frame is; browsers show a page of their own instead of one that may not be framed. */
const urlOf = (page: Page, name: string): string | undefined => page.frame({ name })?.url()
const REFUSED = 'chrome-error://chromewebdata/'
const NOT_FRAMED = ['/live', '/admin', '/', '/tv', '/pair?code=BCDF-GHJK']

test('a player, a strip and a chat are part of a page of another site without cookies, and no other page is', async ({
  page,
}) => {
  frames = [
    ...(await Promise.all(
      ['/live?channel=test-card', '/embed/test-card/now', '/embed/test-card/chat'].map(codeOf),
    )),
    // A second player on the page.
    frame('/embed/test-card?muted=1'),
    ...NOT_FRAMED.map(frame),
  ]
    .join('\n')
    .replaceAll(' loading="lazy"', '')
  await page.addInitScript(withoutStorage)
  const problems: string[] = []
  page.on('pageerror', ({ message }) => problems.push(message))
  await page.goto(addressOf(0))

  const at = (path: string) => page.frameLocator(`iframe[src="${web.url}${path}"]`)
  // Only one player starts by itself, whichever loads first; the other one when it is asked to.
  const players = ['/embed/test-card', '/embed/test-card?muted=1'].map(at)
  const statesOf = () =>
    Promise.all(
      players.map((each) => each.getByRole('region', { name: 'Live picture' }).getAttribute('data-state')),
    )
  await expect.poll(async () => (await statesOf()).toSorted()).toEqual(['connecting', 'playing'])
  const waiting = (await statesOf()).indexOf('connecting')
  await players[waiting]?.getByRole('button', { name: 'Play' }).click()
  await expect.poll(statesOf).toEqual(['playing', 'playing'])
  await expect(players[1]!.getByRole('button')).toHaveText('Unmute')
  const player = players[0]!
  await expect(player.getByRole('heading')).not.toBeEmpty()
  await expect(player.getByRole('link', { name: /^Watch Test Card on/ })).toHaveAttribute('target', '_blank')
  await expect(at('/embed/test-card/now').getByRole('link')).toContainText(/Live.*Test Card.*Next: /)
  await expect(at('/embed/test-card/chat').getByRole('link', { name: /^Chat on/ })).toBeVisible()

  for (const name of NOT_FRAMED) await expect.poll(() => urlOf(page, name)).toBe(REFUSED)
  expect(problems).toEqual([])
  expect(await page.context().cookies()).toEqual([])
})

test('the pages of embeds fit their frames, in both themes', async ({ page }) => {
  for (const [path, width, height] of [
    ['/embed/test-card/now?theme=light', 480, 112],
    ['/embed/test-card/now?accent=f0f', 240, 112],
    ['/embed/test-card/chat?theme=light', 400, 600],
    ['/embed/test-card/chat', 200, 200],
    ['/embed/test-card?theme=light', 640, 424],
    ['/embed/test-card', 200, 264],
    ['/embed/nowhere', 320, 200],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.goto(web.url + path)
    await expect(page.getByRole('heading')).toBeVisible()
    expect([path, await violations(page), await sidewaysScroll(page)]).toEqual([path, [], []])
  }

  await page.setViewportSize({ width: 199, height: 400 })
  await page.goto(`${web.url}/embed/test-card`)
  await expect(page.getByText('This player needs at least 200 × 200 pixels.')).toBeVisible()
  const picture = page.getByRole('region', { name: 'Live picture' })
  await expect(picture).toHaveAttribute('data-state', 'connecting')
  await page.setViewportSize({ width: 400, height: 400 })
  await expect(picture).toHaveAttribute('data-state', 'playing')
})

test('an admin lists the sites that may show embeds, and others may not', async ({ page: admin }) => {
  frames = frame('/embed/test-card/now')
  await signInDirectly(admin, web.url, testAdmin)
  await admin.goto(`${web.url}/control?section=embeds`)
  const panel = admin.getByRole('region', { name: 'Embeds' })
  await panel.getByText('Only these sites').click()
  await panel.getByRole('textbox', { name: 'Sites' }).fill(`${addressOf(0)}/post\nnot a site`)
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(panel.getByText('“not a site” is not the address of a site')).toBeVisible()
  expect(await violations(admin, 'section[aria-labelledby="embeds"]')).toEqual([])
  await panel.getByRole('textbox', { name: 'Sites' }).fill(`${addressOf(0)}/post`)
  await panel.getByRole('button', { name: 'Save' }).click()
  await expectToast(admin, 'Saved')
  await expect(panel.getByRole('textbox', { name: 'Sites' })).toHaveValue(addressOf(0))
  // The gateway learns of a change by an event.
  await expect.poll(sitesThatMayShow).toBe(`'self' ${addressOf(0)}`)

  const page = await admin.context().newPage()
  try {
    await page.goto(addressOf(0))
    await expect(page.frameLocator('iframe').getByRole('link')).toContainText('Test Card')
    await page.goto(addressOf(1))
    await expect.poll(() => urlOf(page, '/embed/test-card/now')).toBe(REFUSED)
  } finally {
    const token = await signIn(web.url, testAdmin.email, testAdmin.password)
    const headers = { ...bearerOf(token), 'content-type': 'application/json' }
    const all = await fetch(`${web.url}/api/embeds`, { method: 'PUT', headers, body: '{"origins":null}' })
    expect(all.status).toBe(200)
  }
  await expect.poll(sitesThatMayShow).toBe('*')
  await page.reload()
  await expect(page.frameLocator('iframe').getByRole('link')).toContainText('Test Card')
  await page.close()
})
