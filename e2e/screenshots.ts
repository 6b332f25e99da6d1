/**
 * Pictures of the pages for the documentation: `pnpm screenshots` writes `docs/screenshots/<page>-<width>.webp` and
 * their table of contents, `pnpm screenshots guide home` takes these pages only. Starts a station of its own with a
 * fake YouTube, and fills it with an evening. Wants the web app built.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { startTestStation, testAdmin } from '@looptide/test-station/station'
import { ALLOW_AUTOPLAY, launchChromium } from '@looptide/testkit/browser'
import { startFakeYoutube } from '@looptide/testkit/fake-youtube/server'
import type { Browser, BrowserContext } from '@playwright/test'
import { ADMIN_SCENES } from './screenshots/admin-scenes.ts'
import { contentsOf, WIDTHS } from './screenshots/contents.ts'
import { addGoneVideo, beginEvening, GONE_VIDEO } from './screenshots/evening.ts'
import { redecorate } from './screenshots/redecorate.ts'
import type { Scene, StationData, Walk } from './screenshots/scene.ts'
import { drawPictures, takePicture } from './screenshots/take-picture.ts'
import {
  MEMBER_SCENES,
  THEMED_MEMBER_SCENES,
  THEMED_VISITOR_SCENES,
  VISITOR_SCENES,
} from './screenshots/viewer-scenes.ts'
import { signInByForm } from './support/web-pages.ts'

const FOLDER = fileURLToPath(new URL('../docs/screenshots/', import.meta.url))
const HEIGHTS: Record<(typeof WIDTHS)[number], number> = { 390: 844, 1440: 900, 1920: 1080 }
const WALKS: readonly Walk[] = [
  { as: 'visitor', scenes: VISITOR_SCENES },
  { as: 'member', scenes: MEMBER_SCENES },
  { as: 'admin', scenes: ADMIN_SCENES, before: (_, { url }) => addGoneVideo(url) },
  { as: 'visitor', scenes: THEMED_VISITOR_SCENES, before: redecorate },
  { as: 'member', scenes: THEMED_MEMBER_SCENES },
]
const SCENES = WALKS.flatMap(({ scenes }) => scenes)

interface Credentials {
  email: string
  password: string
}

async function enter(
  browser: Browser,
  url: string,
  person: Credentials | undefined,
): Promise<BrowserContext> {
  const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en-GB' })
  await drawPictures(context)
  if (person) {
    const page = await context.newPage()
    await signInByForm(page, url, person)
    await page.close()
  }
  return context
}

/** One scene at every width, each in a page of its own. Answers the bytes of its pictures. */
async function shoot(context: BrowserContext, scene: Scene, data: StationData): Promise<number> {
  let bytes = 0
  for (const width of WIDTHS) {
    const page = await context.newPage()
    try {
      await page.setViewportSize({ width, height: HEIGHTS[width] })
      await scene.open(page, data)
      bytes += await takePicture(page, `${FOLDER}/${scene.name}-${width}.webp`)
    } catch (reason) {
      throw new Error(`${scene.name} at ${width}`, { cause: reason })
    } finally {
      await context.setOffline(false)
      await page.close()
    }
  }
  return bytes
}

const wanted = new Set(process.argv.slice(2))
const unknown = [...wanted].filter((name) => !SCENES.some((scene) => scene.name === name))
if (unknown.length > 0) throw new Error(`There is no page ${unknown.join(', ')}.`)
await mkdir(FOLDER, { recursive: true })
const youtube = await startFakeYoutube({
  videos: { [GONE_VIDEO]: { state: 'removed' } },
  iframe: { media: { '*': '/test-card/colour-bars.mp4' }, repeats: true },
})
const station = await startTestStation({
  fakeYoutube: youtube.url,
  env: {
    FIRESTICK_APK_URL: 'https://example.org/looptide.apk',
    FIRESTICK_GUIDE_URL: 'https://example.org/guide',
  },
})
const browser = await launchChromium({ args: [ALLOW_AUTOPLAY] })
try {
  const { data, member } = await beginEvening(station.url)
  const people = { visitor: undefined, member, admin: testAdmin }
  let bytes = 0
  for (const { as, scenes, before } of WALKS) {
    const taken = scenes.filter(({ name }) => wanted.size === 0 || wanted.has(name))
    if (taken.length === 0) continue
    const context = await enter(browser, station.url, people[as])
    await before?.(context, data)
    for (const scene of taken) {
      const size = await shoot(context, scene, data)
      process.stdout.write(`${scene.name}: ${Math.round(size / 1000)} kB\n`)
      bytes += size
    }
    await context.close()
  }
  process.stdout.write(`${Math.round(bytes / 1000)} kB in all\n`)
  await writeFile(`${FOLDER}/README.md`, contentsOf(SCENES))
} finally {
  await browser.close()
  await station.stop()
  await youtube.stop()
}
