/// <reference lib="dom" />

import { writeFile } from 'node:fs/promises'
import { type BrowserContext, expect, type Page } from '@playwright/test'
import { drawnPicture } from './drawn-picture.ts'

/** Maximum size of a screenshot, in bytes. */
const MOST_BYTES = 60_000
/** WebP qualities, tried in this order until the screenshot is small enough. */
const QUALITIES = [72, 60, 48, 36, 24, 12]
const YOUTUBES_PICTURES = 'https://i.ytimg.com/**'

/** Pages of this context get drawn pictures where YouTube's would be. */
export async function drawPictures(context: BrowserContext): Promise<void> {
  await context.route(YOUTUBES_PICTURES, (route) => {
    const [, id = ''] = /\/vi\/([^/]+)\//.exec(route.request().url()) ?? []
    return route.fulfill({ contentType: 'image/svg+xml', body: drawnPicture(id) })
  })
}

/** Draws a picture over the playing video, because YouTube's player is unreachable. */
export async function drawRunningPicture(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const video of document.querySelectorAll<HTMLElement>('video')) {
      const name = encodeURIComponent(document.title.slice(0, 11))
      // Moves the video's frames out of view and shows the background.
      Object.assign(video.style, {
        objectPosition: '-200vw 0',
        background: `url("https://i.ytimg.com/vi/${name}/maxresdefault.jpg") center / contain no-repeat #000`,
      })
    }
  })
}

/** Waits until animations have ended and visible images are loaded. Images further down load when they are scrolled into view. */
async function settle(page: Page): Promise<void> {
  // A skeleton marks content that is still loading.
  await expect(page.locator('.animate-breathe.bg-raised:visible')).toHaveCount(0)
  await page.evaluate(async () => {
    await document.fonts.ready
    const passing = document
      .getAnimations()
      .filter((animation) => animation.effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
    await Promise.allSettled(passing.map((animation) => animation.finished))
  })
  await page.waitForFunction(() =>
    [...document.images]
      .filter((image) => {
        const { top, bottom, left, right } = image.getBoundingClientRect()
        return bottom > 0 && right > 0 && top < innerHeight && left < innerWidth
      })
      .every(({ complete }) => complete),
  )
}

/** Writes a screenshot of the window as WebP. Returns its size in bytes. */
export async function takePicture(page: Page, path: string): Promise<number> {
  await settle(page)
  const devtools = await page.context().newCDPSession(page)
  try {
    for (const quality of QUALITIES) {
      const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality })
      const picture = Buffer.from(data, 'base64')
      if (picture.length > MOST_BYTES && quality !== QUALITIES.at(-1)) continue
      await writeFile(path, picture)
      return picture.length
    }
    return 0
  } finally {
    await devtools.detach()
  }
}
