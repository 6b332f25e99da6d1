/// <reference lib="dom" />

import { type FakeIframeApiOptions, iframeApiScript } from '@looptide/testkit/fake-youtube/iframe-api'
import { expect, type Page } from '@playwright/test'

/** Nothing listens on port 9: YouTube is unreachable, as behind a firewall. */
export const DEAD_YOUTUBE = 'http://127.0.0.1:9'

/** Whether a video plays on the page. */
export const isPlaying = (page: Page): Promise<boolean> =>
  page.evaluate(() =>
    [...document.querySelectorAll('video')].some((video) => !video.paused && video.currentTime > 0),
  )

/** The sound of the playing video; undefined if none plays. */
export const soundOf = (page: Page): Promise<{ muted: boolean; volume: number } | undefined> =>
  page.evaluate(() => {
    const video = [...document.querySelectorAll('video')].find(({ paused }) => !paused)
    return video && { muted: video.muted, volume: video.volume }
  })

/** Opens a channel and waits until its video plays. */
export async function openChannel(page: Page, stationUrl: string, channelId = 'test-card'): Promise<void> {
  await page.goto(`${stationUrl}/live?channel=${channelId}`)
  await expect.poll(() => isPlaying(page)).toBe(true)
}

/** Waits until the live page receives its channel. */
export async function expectConnected(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'More', exact: true })).toHaveAccessibleDescription(
    'Sync: connected',
  )
}

/** Gives this page a working fake YouTube. The station's own is unreachable. */
export async function giveYoutube(page: Page, options: FakeIframeApiOptions): Promise<void> {
  await page.route(`${DEAD_YOUTUBE}/iframe_api`, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: iframeApiScript(options) }),
  )
}

/** Resolves when the page has shown `text`, even for a single frame. Call it before the text appears. */
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

/** Opacity of the controls over the video, from 0 to 1. */
export const controlsOpacity = (page: Page): Promise<number> =>
  page.getByRole('navigation', { name: 'Live TV' }).evaluate((bar) => Number(getComputedStyle(bar).opacity))

/** Counts the page's screen wake locks. Call it before the page is opened. */
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
 * Blocks playback on this page until a key is pressed. Call it before the page is opened. No flag makes Chromium refuse
 * muted autoplay, as some televisions and data savers do.
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
