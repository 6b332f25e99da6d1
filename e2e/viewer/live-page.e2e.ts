/// <reference lib="dom" />

import type { VideoProgramme } from '@looptide/contracts/http/channels'
import { testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { expect, type Locator, type Page, type WebSocketRoute } from '@playwright/test'
import { violations } from '../support/accessibility.ts'
import { startChannel } from '../support/channels.ts'
import { go, step } from '../support/keys.ts'
import {
  appears,
  controlsOpacity,
  countWakeLocks,
  DEAD_YOUTUBE,
  expectConnected,
  giveYoutube,
  isPlaying,
  openChannel,
  refuseAutoplay,
  soundOf,
} from '../support/live-watch.ts'
import { signIn, signUp } from '../support/people.ts'
import { expectToast, partsLoaded, signInDirectly } from '../support/web-pages.ts'
import { test, useOwnStation } from '../support/web-station.ts'

const web = useOwnStation({ YOUTUBE_BASE_URL: DEAD_YOUTUBE })

const picture = (page: Page) => page.getByRole('region', { name: 'Live picture' })
const upNext = (page: Page) => page.getByRole('region', { name: 'Up Next' })
const title = (page: Page) => page.getByRole('heading', { level: 1 })
const chat = (page: Page) => page.getByRole('log', { name: 'Messages' })
const reaction = (page: Page, name: RegExp) =>
  page.getByRole('toolbar', { name: 'Reactions' }).getByRole('button', { name })
const channelsButton = (page: Page) => page.getByRole('button', { name: /^Channels/ })

/** The contrast of two colours `rgb(…)`; NaN if one is not opaque (WCAG 2.2, "contrast ratio"). */
function contrast(...colours: [string, string]): number {
  const [dark = 0, light = 0] = colours.map(luminance).toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: string): number {
  const [, ...parts] = /^rgb\((\d+), (\d+), (\d+)\)$/.exec(colour) ?? []
  const [red = Number.NaN, green = Number.NaN, blue = Number.NaN] = parts.map((part) => {
    const share = Number(part) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const nowOf = (id: string) => clientOf(web.url).call('GET /api/channels/:id/now', { params: { id } })

test('shows the current and the next programme, also in the document title, and keeps the screen awake', async ({
  page,
}) => {
  // Headless Chromium grants a wake lock only after this override.
  await page.context().grantPermissions(['screen-wake-lock'])
  const wakeLocks = await countWakeLocks(page)
  await openChannel(page, web.url)
  await expect(page.getByText('LIVE', { exact: true })).toBeVisible()
  await expect(page.getByText('24/7 • HD Quality')).toBeVisible()
  await expect(page.getByText('1 watching')).toBeVisible()
  await expect(upNext(page).getByRole('listitem')).toHaveCount(2)
  // Once more if a cut comes in between.
  await expect(async () => {
    const { programmes } = await nowOf('test-card')
    const shown = await title(page).textContent()
    const on = programmes.find(({ video }) => video?.title === shown)?.video
    expect(await page.title()).toBe(`${on?.title} – ${on?.artistName} | Looptide`)
    expect(await page.evaluate(() => navigator.mediaSession.metadata?.artist)).toBe(on?.artistName)
  }).toPass()
  await expect.poll(wakeLocks).toBeGreaterThan(0)
  await page.getByRole('link', { name: 'Back', exact: true }).click()
  await expect(page).toHaveURL(`${web.url}/`)
})

test('shows the current thumbnail before the app has loaded', async ({ page }) => {
  const thumbnail = {
    contentType: 'image/svg+xml',
    body: '<svg xmlns="http://www.w3.org/2000/svg" width="480" height="360"/>',
  }
  await page.route('https://i.ytimg.com/**', (route) => route.fulfill(thumbnail))
  const app = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await app.promise
    await route.continue()
  })
  await page.goto(`${web.url}/live?channel=default`, { waitUntil: 'commit' })
  const first = page.locator('#root > img')
  await expect(first).toHaveJSProperty('naturalWidth', 480)
  await expect(first).toBeVisible()
  app.resolve()
  await expect(picture(page)).toBeVisible()
  await expect(first).toHaveCount(0)
})

test('without YouTube only the picture becomes the Test Card; chat and guide stay with the channel', async ({
  page,
}) => {
  const notice = page.getByText('YouTube cannot be reached from this network.')
  await page.goto(`${web.url}/live?channel=default`)
  await expect(notice).toBeVisible({ timeout: 40_000 })
  await expect(page.getByText('The Test Card is shown instead.')).toBeVisible()
  await expect.poll(() => isPlaying(page)).toBe(true)
  const testCard = await nowOf('test-card')
  await expect(title(page)).toHaveText(
    new RegExp(testCard.programmes.map((each) => each.video?.title).join('|')),
  )

  await expect(page).toHaveURL(/channel=default/)
  await expect(page.getByText('1 watching')).toBeVisible()
  await page.getByRole('button', { name: 'TV Guide' }).click()
  await expect(page.getByRole('heading', { name: '24/7 Live Stream (watching)' })).toBeVisible()
  await page.keyboard.press('Escape')
  const openFromMenu = async (item: string) => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: item }).click()
    return page.getByRole('dialog', { name: item })
  }
  // Before the dialog is opened: the next ones are listed as well.
  const own = (await nowOf('default')).programmes.flatMap((each) => each.video?.title ?? [])
  const share = await openFromMenu('Share')
  const link = share.getByRole('textbox', { name: 'Link to this programme' })
  await expect(link).toHaveValue(/\/history\?channel=default&at=\d+$/)
  await page.setViewportSize({ width: 390, height: 844 })
  const isCut = (element: Element) =>
    element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight
  await expect.poll(() => link.evaluate(isCut)).toBe(false)
  await page.setViewportSize({ width: 1280, height: 720 })
  expect(own.map((each) => `“${each}” in the history of the channel.`)).toContain(
    await share.getByText(/^“.+” in the history of the channel\.$/).textContent(),
  )
  const styles = await page.evaluate(() =>
    [...document.styleSheets].flatMap(({ disabled, href }) => (disabled || href === null ? [] : href)),
  )
  expect(styles.join(' '), 'one that all pages’ styles contain comes after them').not.toContain(
    '/assets/first-',
  )
  await page.keyboard.press('Escape')
  const why = await openFromMenu('Why is this on?')
  await expect(why).toContainText(
    'YouTube cannot be reached from this network. The Test Card is shown instead',
  )
  await page.keyboard.press('Escape')

  const tried = page.waitForRequest(/iframe_api/)
  await page.getByRole('button', { name: 'Try YouTube again' }).click()
  await tried
  await expect(notice).toBeVisible({ timeout: 40_000 })
  await page.keyboard.press('ArrowUp')
  await expect(notice, 'the banner of the channel is in its place').toBeHidden()
  await expect(notice, 'after the banner').toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(async () => (await notice.boundingBox())?.width).toBeGreaterThan(300)
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(notice).toBeHidden()
})

test('switches between active channels, and reports inactive ones', async ({ page }) => {
  await openChannel(page, web.url)
  await channelsButton(page).click()
  const channels = page.getByRole('dialog', { name: 'Channels' })
  await expect(channels.getByRole('listitem')).toHaveCount(2)
  await expect(channels.getByRole('button', { name: /watching/ })).toHaveCount(1)
  for (const channel of await channels.getByRole('listitem').all()) {
    await expect(channel).toContainText(/Now .+ – .+Next \d.+ – /)
    await expect(channel.locator('[data-progress]')).toBeVisible()
  }
  const overlay = appears(page, 'Switching Channel...')
  await channels.getByRole('button', { name: /^Looptide TV/ }).click()
  await overlay
  await expect(page.getByText('Switching Channel...')).toBeHidden()

  await page.goto(`${web.url}/live?channel=no-such-channel`)
  await expect(page.getByText('Channel not found.')).toBeVisible()
  await expect(title(page)).toHaveText('Continuous Live Stream')
  await expect(upNext(page).getByRole('listitem')).toHaveCount(2)
  await page.getByRole('button', { name: 'Watch Live TV' }).click()
  await expect(page.getByText('Channel not found.')).toBeHidden()
})

test('muted for visitors, 0.7 for members, restored on the next visit, and muted when the session ends', async ({
  page,
}) => {
  await openChannel(page, web.url)
  await expect.poll(() => soundOf(page)).toMatchObject({ muted: true })
  const person = await signUp(web.url, 'ears')
  await page.getByRole('link', { name: 'Sign in for sound' }).click()
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  // Back to the previous page.
  await expect(page).toHaveURL(/\/live\?channel=test-card/)
  await expect.poll(() => soundOf(page)).toEqual({ muted: false, volume: 0.7 })
  await page.getByRole('button', { name: 'Mute', exact: true }).click()
  await expect.poll(() => soundOf(page)).toMatchObject({ muted: true })
  await page.getByRole('slider', { name: 'Volume' }).fill('0.5')
  await expect.poll(() => soundOf(page)).toEqual({ muted: false, volume: 0.5 })
  await page.getByRole('slider', { name: 'Volume' }).fill('0')
  await expect(page.getByRole('button', { name: 'Unmute' })).toBeVisible()
  await page.getByRole('slider', { name: 'Volume' }).fill('0.4')
  await expect.poll(() => soundOf(page)).toEqual({ muted: false, volume: 0.4 })
  await page.reload()
  // Chromium does not always count a press from before a reload: then the page asks for another one.
  const tuneIn = page.getByRole('button', { name: 'Tune in' })
  await expect(async () => {
    if (await tuneIn.isVisible()) await tuneIn.click()
    expect(await soundOf(page)).toEqual({ muted: false, volume: 0.4 })
  }).toPass()

  await expectConnected(page)
  await clientOf(web.url, person.accessToken).call('POST /auth/v1/logout', { query: { scope: 'global' } })
  await expectToast(page, 'You have been signed out')
  await expect(page.getByText('You have been signed out')).toHaveCount(1)
  await expect(page.getByRole('link', { name: 'Sign in for sound' })).toBeVisible()
  await expect.poll(() => soundOf(page)).toMatchObject({ muted: true })
})

test('a reaction is counted for all viewers, beside the picture; reactions can be turned off', async ({
  page,
  browser,
}) => {
  await openChannel(page, web.url)
  const other = await browser.newPage()
  await openChannel(other, web.url)
  const fire = (viewer: Page) => reaction(viewer, /^Fire/)
  for (const viewer of [page, other]) await expect(fire(viewer)).toBeEnabled()
  for (let press = 0; press < 2; press += 1) await fire(page).click()
  for (const viewer of [page, other]) await expect(fire(viewer)).toHaveAccessibleName('Fire 2')
  await expect(fire(other), 'after ten seconds').toHaveAccessibleName('Fire', { timeout: 20_000 })
  await other.close()
  expect(await violations(page)).toEqual([])

  const celebration = reaction(page, /^Celebration/)
  for (const size of [
    { width: 390, height: 844 },
    { width: 1920, height: 1080 },
    { width: 1280, height: 720 },
  ]) {
    await page.setViewportSize(size)
    for (const button of [reaction(page, /^Love/), celebration]) {
      await expect(button).toBeInViewport({ ratio: 1 })
      const [one, image] = [(await button.boundingBox())!, (await picture(page).boundingBox())!]
      const isApart =
        one.x >= image.x + image.width ||
        one.y >= image.y + image.height ||
        one.x + one.width <= image.x ||
        one.y + one.height <= image.y
      expect(isApart, `${size.width} × ${size.height}`).toBe(true)
    }
  }
  await page.getByRole('button', { name: 'Full', exact: true }).click()
  await expect(celebration).toBeHidden()
  await picture(page).dblclick({ force: true })
  await expect(celebration).toBeVisible()

  const toggle = async () => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    const item = page.getByRole('menuitemcheckbox', { name: 'Reactions' })
    const isOn = (await item.getAttribute('aria-checked')) === 'true'
    await item.click()
    await expect(item).toHaveAttribute('aria-checked', String(!isOn))
    await page.keyboard.press('Escape')
  }
  await toggle()
  await expect(celebration).toBeHidden()
  await page.reload()
  await expect.poll(() => isPlaying(page)).toBe(true)
  await expectConnected(page)
  await expect.poll(async () => (await picture(page).boundingBox())?.width).toBe(1280)
  await expect(celebration).toBeHidden()
  await toggle()
  await expect(celebration).toBeEnabled()
})

test('fullscreen by button and double click hides Up Next and closes the chat', async ({ page }) => {
  await openChannel(page, web.url)
  await page.getByRole('button', { name: 'Chat', exact: true }).click()
  await expect(chat(page)).toBeVisible()
  await page.getByRole('button', { name: 'Full', exact: true }).click()
  await expect(chat(page)).toBeHidden()
  await expect(upNext(page)).toBeHidden()
  await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(true)
  await picture(page).dblclick({ force: true })
  await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBeNull()
  await expect(upNext(page)).toBeVisible()
})

test('at a zoom of 400 % nothing covers the title and the buttons', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 180 })
  await openChannel(page, web.url)
  const covers = () =>
    page.evaluate(() => {
      const parts = [...document.querySelectorAll<HTMLElement>('#main :is(h1, a, [data-controls] button)')]
      return parts
        .filter((part) => part.checkVisibility())
        .flatMap((part) => {
          part.scrollIntoView({ block: 'center' })
          const { left, top, width, height } = part.getBoundingClientRect()
          const hit = document.elementFromPoint(left + width / 2, top + height / 2)
          return hit && part.contains(hit) ? [] : [part.textContent || part.ariaLabel]
        })
    })
  await expect.poll(covers).toEqual([])
  await upNext(page).scrollIntoViewIfNeeded()
  await expect(upNext(page)).toBeInViewport({ ratio: 0.9 })
})

test('in forced colours the controls over the picture have a background of the same colours', async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await openChannel(page, web.url)
  const controls = page.locator('[data-controls]').getByRole('button').or(page.locator('[data-controls] a'))
  await expect(controls.nth(6)).toBeVisible()
  const coloursOf = () =>
    controls.evaluateAll((all) =>
      all.map((control) => {
        const { color, backgroundColor } = getComputedStyle(control)
        return { color, backgroundColor, name: control.ariaLabel ?? control.textContent }
      }),
    )
  const isUnreadable = ({ color, backgroundColor }: { color: string; backgroundColor: string }) =>
    !(contrast(color, backgroundColor) > 4.5)
  await expect.poll(async () => (await coloursOf()).filter(isUnreadable)).toEqual([])
})

test('reports an unavailable server, and recovers with Retry Connection', async ({ page }) => {
  await page.route(/\/api\/channels\/[^/]+\/now/, (route) => route.abort())
  await page.routeWebSocket(/\/realtime\/v1\/websocket/, (socket) => void socket.close())
  await page.goto(`${web.url}/live?channel=test-card`)
  await expect(page.getByText('Stream server unavailable')).toBeVisible()
  const retry = page.getByRole('button', { name: 'Retry Connection' })
  await expect(retry).toBeFocused()
  await expect(page.getByText('NO STREAM', { exact: true })).toBeVisible()
  await expect(page.getByText('LIVE', { exact: true })).toBeHidden()
  await expect(page.getByText('HD Quality')).toBeHidden()
  await page.unroute(/\/api\/channels\/[^/]+\/now/)
  await retry.click()
  await expectToast(page, 'Reconnecting')
  await expect(page.getByText('Stream server unavailable')).toBeHidden()
  await expect.poll(() => isPlaying(page)).toBe(true)
  await expect(page.getByText('LIVE', { exact: true })).toBeVisible()
  await expect(page.getByText('24/7 • HD Quality')).toBeVisible()
})

test('reports an unavailable server while requests get no response', async ({ page }) => {
  await page.route(/\/api\/channels\/[^/]+\/now/, () => undefined)
  await page.routeWebSocket(/\/realtime\/v1\/websocket/, () => undefined)
  await page.goto(`${web.url}/live?channel=test-card`)
  await expect(page.getByText('Connecting to 24/7 stream...')).toBeVisible()
  await expect(page.getByText('Stream server unavailable')).toBeVisible()
})

test('polls every 15 s, checks the health every 30 s and sends a heartbeat every 25 s', async ({ page }) => {
  await page.addInitScript(() => {
    const sent: { text: string; atMs: number }[] = []
    Object.assign(window, { sent })
    const { send } = WebSocket.prototype
    WebSocket.prototype.send = function (frame) {
      const text = typeof frame === 'string' ? frame : new TextDecoder().decode(frame as ArrayBuffer)
      sent.push({ text, atMs: Date.now() })
      send.call(this, frame)
    }
  })
  const timesOf = (word: string) =>
    page.evaluate(
      (word) =>
        (window as unknown as { sent: { text: string; atMs: number }[] }).sent
          .filter(({ text }) => text.includes(word))
          .map(({ atMs }) => atMs),
      word,
    )
  const intervalsOf = async (word: string) => {
    const times = await timesOf(word)
    return times.slice(1).map((atMs, index) => Math.round((atMs - times[index]!) / 1000))
  }
  let heartbeatReplies = 0
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      if (/"phoenix","phx_reply"/.test(String(payload))) heartbeatReplies += 1
    })
  })
  await page.clock.install()
  await page.goto(`${web.url}/live?channel=test-card`)
  await expectConnected(page)
  for (let passedS = 0; passedS < 90; passedS += 5) {
    await page.clock.runFor(5_000)
    // A heartbeat without a reply would end the connection at the next one.
    await expect.poll(async () => heartbeatReplies - (await timesOf('"heartbeat"')).length).toBe(0)
  }
  expect((await intervalsOf('poll')).slice(-4)).toEqual([15, 15, 15, 15])
  expect((await intervalsOf('"health"')).slice(-1)).toEqual([30])
  // The client reads its session before each heartbeat, in real time.
  for (const seconds of (await intervalsOf('"heartbeat"')).slice(-2)) {
    expect(seconds).toBeGreaterThanOrEqual(25)
    expect(seconds).toBeLessThan(30)
  }
})

test('a native app keeps the screen on and its orientation until the page is left', async ({ page }) => {
  const calls: string[] = []
  await page.exposeFunction('onNativeCall', (call: string) => calls.push(call))
  await page.addInitScript(() => {
    const report = (window as unknown as { onNativeCall: (call: string) => Promise<void> }).onNativeCall
    const plugins = {
      KeepAwake: { keepAwake: () => report('keepAwake'), allowSleep: () => report('allowSleep') },
      ScreenOrientation: {
        orientation: async () => ({ type: 'landscape-primary' }),
        lock: ({ orientation }: { orientation: string }) => report(`lock ${orientation}`),
        unlock: () => report('unlock'),
      },
    }
    Object.assign(window, { Capacitor: { isNativePlatform: () => true, Plugins: plugins } })
  })
  await openChannel(page, web.url)
  await expect.poll(() => calls.toSorted()).toEqual(['keepAwake', 'lock landscape-primary'])
  await page.getByRole('link', { name: 'Back', exact: true }).click()
  await expect
    .poll(() => calls.toSorted())
    .toEqual(['allowSleep', 'keepAwake', 'lock landscape-primary', 'unlock'])
})

test('an outage shows a notice and does not interrupt the picture', async ({ page }) => {
  const sockets = new Set<WebSocketRoute>()
  let isCut = false
  await page.routeWebSocket(/\/realtime\/v1\/websocket/, (socket) => {
    if (isCut) void socket.close()
    else sockets.add(socket.connectToServer())
  })
  await openChannel(page, web.url)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Sync: connected' }).click()
  const panel = page.getByRole('dialog', { name: 'Sync' })
  await expect(panel.getByText('Connected', { exact: true })).toBeVisible()
  await expect(panel.getByText('Clock offset')).toBeVisible()
  await expect(panel.getByText(/± \d+ ms/)).toBeVisible()
  await expect(panel.getByText('Drift', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')

  isCut = true
  await page.route(/\/api\//, (route) => route.abort())
  for (const socket of sockets) await socket.close()
  await expect(page.getByText('Connection lost. Playback continues.')).toBeVisible()
  const positionS = () =>
    page.evaluate(() => [...document.querySelectorAll('video')].find(({ paused }) => !paused)?.currentTime)
  const before = await positionS()
  await expect.poll(positionS).not.toBe(before)
  await expect(page.getByText('Stream server unavailable')).toBeHidden()
  isCut = false
  await page.unroute(/\/api\//)
  await expect(page.getByText('Connection lost.')).toBeHidden({ timeout: 30_000 })
})

test('offline, the page says so, guide and chat open, and the socket is back within a second', {
  tag: '@clock',
}, async ({ page, context }) => {
  const loaded = partsLoaded(page, ['live-guide', 'chat-panel'])
  await openChannel(page, web.url)
  const bar = page.getByRole('navigation', { name: 'Live TV' })
  await expectConnected(page)
  await loaded

  await context.setOffline(true)
  await expect(bar.getByText('OFFLINE', { exact: true })).toBeVisible()
  await expect(bar.getByText('LIVE', { exact: true })).toBeHidden()
  await expect(page.getByText('You are offline. Loaded videos keep playing')).toBeVisible()
  const more = page.getByRole('button', { name: 'More', exact: true })
  await expect(more).toHaveAccessibleDescription('Sync: not connected')
  await page.getByRole('button', { name: 'Chat', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Live Chat' })).toBeVisible()
  await page.getByRole('button', { name: 'TV Guide' }).click()
  await expect(page.getByRole('dialog', { name: 'TV Guide' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()

  await context.setOffline(false)
  await expect(more).toHaveAccessibleDescription('Sync: connected', { timeout: 1_000 })
  await expect(bar.getByText('LIVE', { exact: true })).toBeVisible()
})

test('a selected video plays only for this viewer, counts once, and ends at the live programme', async ({
  page,
}) => {
  await giveYoutube(page, { media: { '*': '/test-card/horizon.mp4' } })
  await signInDirectly(page, web.url, await signUp(web.url, 'chooser'))
  const { items } = await clientOf(web.url).call('GET /api/videos')
  const video = items[0]!
  const views = async () =>
    (await clientOf(web.url).call('GET /api/videos/:id', { params: { id: video.id } })).viewCount
  await page.goto(`${web.url}/search?q=${encodeURIComponent(video.title)}`)
  await page
    .getByRole('link', { name: `Play Now: ${video.title}` })
    .first()
    .click()
  await expectToast(page, 'Video Selected', `Now playing: ${video.title}`)
  await expect(title(page)).toHaveText(video.title)
  await expect(page.getByText('YOUR PICK')).toBeVisible()
  await expect(page).toHaveTitle(`${video.title} – ${video.artistName} | Looptide`)
  await expect.poll(views).toBe(video.viewCount + 1)
  await expect.poll(() => isPlaying(page)).toBe(true)

  await page.evaluate(() => {
    const [playing] = document.querySelectorAll('video')
    if (playing) playing.currentTime = playing.duration - 0.5
  })
  await expectToast(page, 'Switching to Live Stream')
  await expect(page.getByText('LIVE', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Back to live' })).toBeHidden()
  // A reload ends the chosen video: the page is live again.
  await page.reload()
  await expect(page.getByText('LIVE', { exact: true })).toBeVisible()
  expect(await views()).toBe(video.viewCount + 1)
})

test('an unplayable video shows the reason and the next programme; refused autoplay asks for a press', async ({
  page,
  browser,
}) => {
  const { programmes } = await nowOf('default')
  const errors = Object.fromEntries(programmes.map(({ video }) => [video?.youtubeId, 150]))
  await giveYoutube(page, { media: {}, errors })
  await page.goto(`${web.url}/live`)
  await expect(page.getByText('The owner does not allow this video to be shown here.')).toBeVisible()
  await expect(page.getByText(/^Next at /)).toBeVisible()

  const shy = await browser.newPage()
  await refuseAutoplay(shy)
  await shy.goto(`${web.url}/live?channel=test-card`)
  await expect(shy.getByRole('button', { name: 'Tune in' })).toBeFocused()
  await shy.keyboard.press('Enter')
  await expect.poll(() => isPlaying(shy)).toBe(true)
  await expect(shy.getByRole('button', { name: 'Tune in' })).toBeHidden()
  await shy.close()
})

test('a video that is barred in one viewer’s region is replaced for this viewer alone', async ({
  browser,
}) => {
  const token = await signIn(web.url, testAdmin.email, testAdmin.password)
  const { items } = await clientOf(web.url).call('GET /api/videos')
  const videoIds = items.filter(({ youtubeId }) => youtubeId !== null).map(({ id }) => id)
  const channel = await startChannel(web.url, token, 'Regions', videoIds)
  const [programme] = (await nowOf(channel)).programmes as [VideoProgramme]
  const { substitutes } = await clientOf(web.url).call(
    'GET /api/channels/:id/programmes/:programmeId/substitutes',
    { params: { id: channel, programmeId: programme.id } },
  )
  const [substitute] = substitutes
  const youtube = { media: { '*': '/test-card/horizon.mp4' }, repeats: true }
  const abroad = await browser.newPage({ timezoneId: 'Europe/Berlin' })
  await giveYoutube(abroad, { ...youtube, errors: { [programme.video.youtubeId ?? '']: 150 } })
  await abroad.goto(`${web.url}/live?channel=${channel}`)
  const notice = abroad.getByRole('status').filter({ hasText: 'not available in your region' })
  await expect(notice).toContainText(`“${programme.video.title}” is not available in your region.`)
  await expect(notice).toContainText(`Showing “${substitute?.title}” until `)
  await expect(title(abroad)).toHaveText(substitute?.title ?? '')
  await expect(abroad.getByText('Playing only for you')).toBeVisible()
  await expect(picture(abroad)).toHaveAttribute('data-state', 'playing')

  const neighbour = await browser.newPage({ timezoneId: 'Europe/Berlin' })
  await giveYoutube(neighbour, youtube)
  await neighbour.goto(`${web.url}/live?channel=${channel}`)
  await expect(title(neighbour)).toHaveText(programme.video.title)
  await expect(picture(neighbour)).toHaveAttribute('data-state', 'playing')
  await expect(neighbour.getByText('not available in your region')).toBeHidden()
  // Both follow the same programme at the same position, and the timeline has not moved.
  for (const viewer of [abroad, neighbour]) {
    await expect(picture(viewer)).toHaveAttribute('data-programme-id', programme.id)
    await expect
      .poll(async () => Math.abs(Number((await picture(viewer).getAttribute('data-drift-ms')) ?? Number.NaN)))
      .toBeLessThan(1000)
  }
  await expect(upNext(neighbour).getByRole('listitem')).toHaveCount(2)
  const comingFor = (viewer: Page) => upNext(viewer).getByRole('listitem').allTextContents()
  await expect
    .poll(async () => (await comingFor(abroad)).join() === (await comingFor(neighbour)).join())
    .toBe(true)
  expect((await nowOf(channel)).programmes[0]).toEqual(programme)
  const countries = async () => {
    const { items: problems } = await clientOf(web.url, token).call('GET /api/channels/playback-problems')
    return problems.find(({ video }) => video.id === programme.videoId)?.countries
  }
  await expect.poll(countries).toEqual([{ country: 'DE', viewers: 1, errorCodes: [150] }])
  await neighbour.close()
  await abroad.close()
  await clientOf(web.url, token).call('DELETE /api/channels/:id', { params: { id: channel } })
})

/**
 * Resolves to the text of the channel's banner when it shows one of these titles and the progress, even for a single frame:
 * it leaves after four seconds.
 */
const bannerShows = (page: Page, titles: string[]): Promise<string> =>
  page.evaluate(
    (titles) =>
      new Promise((resolve) => {
        const observer = new MutationObserver(() => {
          const banner = document.querySelector('[role="status"][aria-label="Channel"]')
          const text = banner?.textContent ?? ''
          if (!titles.some((title) => text.includes(title))) return
          if (!banner?.querySelector('[data-progress]')?.checkVisibility()) return
          observer.disconnect()
          resolve(text)
        })
        observer.observe(document.body, { subtree: true, childList: true, characterData: true })
      }),
    titles,
  )

test.describe('on a television, with keys only', () => {
  test.use({ viewport: { width: 1920, height: 1080 } })

  test('Left and Right step through the controls, which fade with the focus; Up and Down change the channel', async ({
    page,
  }) => {
    await signInDirectly(page, web.url, await signUp(web.url, 'remote'))
    await openChannel(page, web.url)
    const rest = page.getByRole('button', { name: /^(Show|Hide) controls$/ })
    const button = (name: RegExp | string) => page.getByRole('button', { name, exact: true })
    const volume = page.getByRole('slider', { name: 'Volume' })
    const guide = button('TV Guide')
    await expect(rest).toBeFocused()
    const mute = button('Mute')
    const more = button('More')
    const bottom = [button(/^Channels/), mute, volume, more]
    const back = page.getByRole('link', { name: 'Back', exact: true })
    const top = [back, button('Search'), guide, button('Chat'), button('Full')]
    // One stop, in which Up and Down choose.
    const love = reaction(page, /^Love/)
    await expect(love).toBeEnabled()
    for (const control of [...bottom, love, ...top, rest]) await step(page, 'ArrowRight', control)
    await go(page, 'ArrowRight', love)
    await page.keyboard.press('ArrowUp')
    const celebration = reaction(page, /^Celebration/)
    await expect(celebration).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(celebration).toHaveAccessibleName('Celebration 1')
    await page.keyboard.press('ArrowDown')
    await expect(love).toBeFocused()
    await expect(page).toHaveURL(/channel=test-card/)
    await step(page, 'ArrowLeft', more)

    // The volume takes Left and Right only between OK and OK, or Back.
    await step(page, 'ArrowLeft', volume)
    await step(page, 'ArrowLeft', mute)
    await step(page, 'ArrowRight', volume)
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => soundOf(page)).toEqual({ muted: false, volume: 0.65 })
    await expect(volume).toBeFocused()
    await page.keyboard.press('Backspace')
    await step(page, 'ArrowLeft', mute)
    await expect.poll(() => soundOf(page)).toEqual({ muted: false, volume: 0.65 })

    // In the menu Up and Down move, and Back closes; outside they change the channel.
    await go(page, 'ArrowRight', more)
    await page.keyboard.press('Enter')
    const item = (name: string | RegExp) => page.getByRole('menuitem', { name, exact: true })
    const sync = item(/^Sync: connected ?Connection: (Good|Fair|Poor)$/)
    await expect(sync).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(item('Why is this on?')).toBeFocused()
    await page.keyboard.press('Enter')
    const why = page.getByRole('dialog', { name: 'Why is this on?' })
    await expect(why).toContainText(/On since \d.+, until \d/)
    await page.keyboard.press('Backspace')
    await expect(more).toBeFocused()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.keyboard.press('Enter')
    await expect(sync).toBeFocused()
    for (const next of ['Why is this on?', 'Share']) {
      await page.keyboard.press('ArrowDown')
      await expect(item(next)).toBeFocused()
    }
    await page.keyboard.press('Enter')
    const share = page.getByRole('dialog', { name: 'Share' })
    for (const [what, copied] of [
      ['link to this channel', /\/live\?channel=test-card$/],
      ['link to this programme', /\/history\?channel=test-card&at=\d+$/],
      ['embed code', /^<iframe src="[^"]+\/embed\/test-card" title="Test Card · /],
    ] as const) {
      await share.getByRole('button', { name: `Copy ${what}` }).press('Enter')
      await expectToast(page, 'Copied', `The ${what} is on the clipboard.`)
      expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(copied)
    }
    await page.keyboard.press('Backspace')
    await expect(share).toBeHidden()
    await expect(more).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menu')).toBeVisible()
    await page.keyboard.press('Backspace')
    await expect(page.getByRole('menu')).toBeHidden()
    await expect(page).toHaveURL(/channel=test-card/)

    await go(page, 'ArrowRight', guide)
    await expect.poll(() => controlsOpacity(page)).toBe(0)
    const banner = page.getByRole('status', { name: 'Channel' })
    const { programmes } = await nowOf('default')
    const titles = programmes.flatMap(({ video }) => video?.title ?? [])
    const shown = bannerShows(page, titles)
    await page.keyboard.press('ArrowUp')
    expect(await shown).toMatch(/^1Looptide TV.*Now .+ – .+Next \d.+ – /)
    await expect(page).toHaveURL(/channel=default/)
    for (const key of ['ArrowDown', 'ArrowUp', 'ArrowDown']) await page.keyboard.press(key)
    await expect(banner).toHaveText(/^2Test Card/)
    await expect(page).toHaveURL(/channel=test-card/)
    expect(await controlsOpacity(page), 'only the banner is shown').toBe(0)

    // The first key only shows the controls, with the focus where it was.
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => controlsOpacity(page)).toBe(1)
    await expect(guide).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: 'TV Guide' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(guide).toBeFocused()
    await expect(banner).toBeEmpty()
    await page.evaluate(() =>
      window.dispatchEvent(new KeyboardEvent('keydown', { key: 'ChannelUp', cancelable: true })),
    )
    await expect(page).toHaveURL(/channel=default/)
    await page.keyboard.press('Backspace')
    await expect(page).toHaveURL(`${web.url}/`)
  })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('the chat is below the picture; in landscape it is beside it, and only the picture is shown until it is touched', async ({
    page,
  }) => {
    await openChannel(page, web.url)
    const topOf = async (part: Locator) => (await part.boundingBox())?.y ?? Number.NaN
    const below = async () =>
      (await topOf(chat(page))) > (await topOf(upNext(page))) &&
      (await topOf(upNext(page))) > (await topOf(picture(page)))
    await expect.poll(below).toBe(true)
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
      .toBeLessThanOrEqual(390)
    await page.getByRole('button', { name: 'Close chat' }).tap()

    // A small television, and a phone.
    for (const size of [
      { width: 960, height: 540 },
      { width: 844, height: 390 },
    ]) {
      await page.setViewportSize(size)
      await expect.poll(() => picture(page).boundingBox()).toMatchObject(size)
    }
    await expect.poll(() => controlsOpacity(page)).toBe(0)
    const full = (await page.getByRole('button', { name: 'Full', exact: true }).boundingBox())!
    await page.touchscreen.tap(full.x + full.width / 2, full.y + full.height / 2)
    await expect.poll(() => controlsOpacity(page)).toBe(1)
    expect(await page.evaluate(() => document.fullscreenElement)).toBeNull()
    // The controls may have faded again: then a tap only shows them.
    const chatButton = page.getByRole('button', { name: 'Chat', exact: true })
    await expect(async () => {
      if (!(await chat(page).isVisible())) await chatButton.tap()
      await expect(chat(page)).toBeVisible({ timeout: 2_000 })
    }).toPass()
    for (const name of ['Search', 'TV Guide', 'Chat', 'Full']) {
      await page.getByRole('button', { name, exact: true }).tap({ trial: true })
    }
    const guide = page.getByRole('dialog', { name: 'TV Guide' })
    await expect(async () => {
      if (!(await guide.isVisible())) await page.getByRole('button', { name: 'TV Guide' }).tap()
      await expect(guide).toBeVisible({ timeout: 2_000 })
    }).toPass()
  })
})
