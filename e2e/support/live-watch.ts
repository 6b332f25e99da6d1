/// <reference lib="dom" />

import { type FakeIframeApiOptions, iframeApiScript } from '@looptide/testkit/fake-youtube/iframe-api'
import { expect, type Page } from '@playwright/test'

/** Nothing listens on port 9: YouTube is out of reach, as behind many a firewall. */
export const DEAD_YOUTUBE = 'http://127.0.0.1:9'

/** Whether a picture runs on the page. */
export const isPlaying = (page: Page): Promise<boolean> =>
  page.evaluate(() =>
    [...document.querySelectorAll('video')].some((video) => !video.paused && video.currentTime > 0),
  )

/** The running picture's sound; undefined while none runs. */
export const soundOf = (page: Page): Promise<{ muted: boolean; volume: number } | undefined> =>
  page.evaluate(() => {
    const video = [...document.querySelectorAll('video')].find(({ paused }) => !paused)
    return video && { muted: video.muted, volume: video.volume }
  })

/** Opens a channel and waits until its picture runs. */
export async function openChannel(page: Page, stationUrl: string, channelId = 'test-card'): Promise<void> {
  await page.goto(`${stationUrl}/live?channel=${channelId}`)
  await expect.poll(() => isPlaying(page), { timeout: 20_000 }).toBe(true)
}

/** Lets this page reach a YouTube that behaves like this, although the station's own is dead. */
export async function giveYoutube(page: Page, options: FakeIframeApiOptions): Promise<void> {
  await page.route(`${DEAD_YOUTUBE}/iframe_api`, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: iframeApiScript(options) }),
  )
}

/** Resolves when the page has shown `text`, however briefly: asked of the page itself, before it comes. */
export function appears(page: Page, text: string): Promise<void> {
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

/** How much of the controls over the picture is to be seen: 1 all, 0 nothing. */
export const controlsOpacity = (page: Page): Promise<number> =>
  page.getByRole('navigation', { name: 'Live TV' }).evaluate((bar) => Number(getComputedStyle(bar).opacity))

/** Answers how often this page has been given a wake lock for the screen; before it is opened. */
export async function countWakeLocks(page: Page): Promise<() => Promise<number>> {
  let count = 0
  await page.exposeFunction('onWakeLock', () => {
    count += 1
  })
  await page.addInitScript(() => {
    const { wakeLock } = navigator
    const request = wakeLock.request.bind(wakeLock)
    wakeLock.request = async (type) => {
      const granted = await request(type)
      ;(window as unknown as { onWakeLock: () => void }).onWakeLock()
      return granted
    }
  })
  return async () => count
}

/**
 * Nothing plays on this page before a key is pressed; before it is opened. No flag makes Chromium refuse a silent
 * picture, as some televisions and savers of data do.
 */
export async function refuseAutoplay(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const { play } = HTMLMediaElement.prototype
    let isPressed = false
    const onPress = () => {
      isPressed = true
    }
    addEventListener('keydown', onPress, { capture: true })
    HTMLMediaElement.prototype.play = function () {
      const refused = new DOMException('A press is needed.', 'NotAllowedError')
      return isPressed ? play.call(this) : Promise.reject(refused)
    }
  })
}
