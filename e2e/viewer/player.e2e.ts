/// <reference lib="dom" />

import { expect, type Page } from '@playwright/test'
import type { LiveSession } from '../../web/src/features/live/player/live-session.ts'
import type { LiveProgramme } from '../../web/src/features/live/player/live-state.ts'
import { type PlayerPage, startPlayerPage } from '../support/player-page.ts'
import { keepPictures, test } from '../support/web-station.ts'

interface Calls {
  needed: number
  unplayable: { id: string; kind: string; code: number }[]
  unreachable: string[]
  durations: { id: string; durationMs: number }[]
}

declare global {
  interface Window {
    session: LiveSession
    calls: Calls
  }
}

let site: PlayerPage
test.beforeAll(async () => {
  site = await startPlayerPage()
})
test.afterAll(() => site.close())
test.afterEach(keepPictures)

interface Slot {
  media?: string
  youtubeId?: string
  lengthMs: number
  /** Start position in the media. */
  startAtMs?: number
}

/** Consecutive programmes; the first one started `sinceMs` ms ago. */
function timeline(sinceMs: number, slots: Slot[]): LiveProgramme[] {
  let atMs = Date.now() - sinceMs
  return slots.map(({ media, youtubeId, lengthMs, startAtMs = 0 }, seq) => {
    const startsAtMs = atMs
    atMs += lengthMs
    const mediaUrl = media ? (media.includes('/') ? media : `/test-card/${media}.mp4`) : null
    const trim = { startAtMs, mediaDurationMs: startAtMs + lengthMs }
    const video = {
      title: `Title ${seq}`,
      artistName: 'Artist',
      youtubeId: youtubeId ?? null,
      mediaUrl,
      ...trim,
    }
    return { id: `p${seq}`, seq, videoId: `v${seq}`, startsAtMs, endsAtMs: atMs, video }
  })
}

/** Ends a programme in a second, as a change of the timeline does: what follows starts then. Returns the new timeline. */
async function endSoon(page: Page, programmes: LiveProgramme[], index: number): Promise<LiveProgramme[]> {
  const earlierMs = programmes[index]!.endsAtMs - (Date.now() + 1000)
  const changed = programmes.map((one, place) => ({
    ...one,
    startsAtMs: one.startsAtMs - (place > index ? earlierMs : 0),
    endsAtMs: one.endsAtMs - (place >= index ? earlierMs : 0),
  }))
  await page.evaluate((programmes) => window.session.setTimeline(programmes), changed)
  return changed
}

const picture = (page: Page) => page.locator('#picture')
const calls = async (page: Page) => {
  await page.waitForFunction(() => 'calls' in window)
  return page.evaluate(() => window.calls)
}

async function expectState(page: Page, state: string, timeout = 30_000): Promise<void> {
  await expect(picture(page)).toHaveAttribute('data-state', state, { timeout })
}

interface Steady {
  limitMs: number
  /** Duration for which the drift must be within the limit. */
  windowMs: number
  timeoutMs: number
}

/**
 * Measures the drift from the playhead, independently of the player, until its 95th percentile of the last `windowMs` is
 * within the limit. Returns the last percentile.
 */
function steadyDrift(page: Page, steady: Steady): Promise<number> {
  return page.evaluate(async ({ limitMs, windowMs, timeoutMs }) => {
    /** The window is whole with a first sample at most this much after its start, in ms. */
    const EDGE_MS = 500
    const startMs = performance.now()
    let drifts: { atMs: number; sizeMs: number }[] = []
    for (;;) {
      const atMs = performance.now()
      const video = [...document.querySelectorAll('video')].find(
        (video) => !video.paused && getComputedStyle(video).opacity !== '0',
      )
      const { programme } = window.session.state.get()
      const nowMs = performance.timeOrigin + performance.now()
      if (video && programme?.video && !video.seeking) {
        const driftMs = video.currentTime * 1000 - (nowMs - programme.startsAtMs) - programme.video.startAtMs
        drifts.push({ atMs, sizeMs: Math.abs(driftMs) })
      }
      drifts = drifts.filter((drift) => drift.atMs > atMs - windowMs)
      const sizes = drifts.map(({ sizeMs }) => sizeMs).sort((a, b) => a - b)
      const p95 = sizes[Math.floor(sizes.length * 0.95)] ?? Number.POSITIVE_INFINITY
      const isWhole = drifts[0] !== undefined && drifts[0].atMs < atMs - windowMs + EDGE_MS
      if (atMs - startMs >= timeoutMs) return isWhole ? p95 : Number.POSITIVE_INFINITY
      if (isWhole && p95 <= limitMs) return p95
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }, steady)
}

/** Waits until the drift was within `limitMs` (p95) for a continuous `windowMs`. */
async function settles(page: Page, limitMs: number, windowMs = 3_000, timeoutMs = 15_000): Promise<void> {
  expect(await steadyDrift(page, { limitMs, windowMs, timeoutMs })).toBeLessThanOrEqual(limitMs)
}

test.describe('HTML5', () => {
  test('follows the playhead through a cut', { tag: '@clock' }, async ({ page }) => {
    site.setTimeline(
      timeline(39_000, [
        { media: 'colour-bars', lengthMs: 48_000 },
        { media: 'circle', lengthMs: 52_000 },
      ]),
    )
    await page.goto(site.url)
    await expectState(page, 'playing')
    await expect(picture(page)).toHaveAttribute('data-programme-id', 'p0')
    await settles(page, 50)

    await expect(picture(page)).toHaveAttribute('data-programme-id', 'p1', { timeout: 20_000 })
    await expectState(page, 'playing', 2_000)
    await settles(page, 50)
    expect(await page.evaluate(() => document.querySelectorAll('video').length)).toBe(2)
    expect(await calls(page)).toMatchObject({ unplayable: [], unreachable: [], durations: [] })
  })

  test('plays trimmed videos from their start, also after a cut', { tag: '@clock' }, async ({ page }) => {
    site.setTimeline(
      timeline(9_000, [
        { media: 'colour-bars', lengthMs: 18_000, startAtMs: 30_000 },
        { media: 'circle', lengthMs: 22_000, startAtMs: 30_000 },
      ]),
    )
    await page.goto(site.url)
    await settles(page, 50)
    await expect(picture(page)).toHaveAttribute('data-programme-id', 'p1', { timeout: 20_000 })
    await expectState(page, 'playing', 2_000)
    await settles(page, 50)
    expect(await calls(page)).toMatchObject({ unplayable: [], durations: [] })
  })

  test('recovers after a seek and after a stall', { tag: '@clock' }, async ({ page }) => {
    site.setTimeline(timeline(5_000, [{ media: 'rings', lengthMs: 50_000 }]))
    await page.goto(site.url)
    await settles(page, 50)
    for (const disturb of [
      (video: HTMLVideoElement) => {
        video.currentTime -= 2
      },
      (video: HTMLVideoElement) => {
        video.pause()
        setTimeout(() => void video.play(), 350)
      },
    ]) {
      await page.evaluate((code) => {
        const shown = [...document.querySelectorAll('video')].find(({ paused }) => !paused)
        new Function('video', `(${code})(video)`)(shown)
      }, disturb.toString())
      await settles(page, 50)
    }
  })

  test('plays HLS with hls.js where the browser does not support it', { tag: '@clock' }, async ({ page }) => {
    site.setTimeline(timeline(2_000, [{ media: '/hls/clip.m3u8', lengthMs: 20_000 }]))
    await page.goto(site.url)
    await expectState(page, 'playing')
    await settles(page, 50)
  })

  test('shows a live stream by the time of its pictures, the same for everyone', {
    tag: '@clock',
  }, async ({ page, browser }) => {
    const [programme] = timeline(60_000, [{ media: '/hls/live.m3u8', lengthMs: 600_000 }])
    site.setTimeline([{ ...programme, isLive: true } as LiveProgramme])
    const other = await browser.newPage()
    await page.goto(site.url)
    await other.goto(site.url)
    for (const viewer of [page, other]) {
      await expectState(viewer, 'playing', 30_000)
      // The stream is 20 s behind the clock, by the programme date-time.
      const drift = () =>
        viewer.evaluate(() => Math.abs(window.session.telemetry.get()?.driftMs ?? Number.POSITIVE_INFINITY))
      await expect.poll(drift, { timeout: 20_000 }).toBeLessThanOrEqual(100)
      expect(await calls(viewer)).toMatchObject({ unplayable: [], unreachable: [], durations: [] })
    }
    await other.close()
  })

  test('a missing file is reported after one retry; the next programme plays', async ({ page }) => {
    const programmes = timeline(0, [
      { media: '/test-card/none.mp4', lengthMs: 240_000 },
      { media: 'rings', lengthMs: 50_000 },
    ])
    site.setTimeline(programmes)
    await page.goto(site.url)
    await expect
      .poll(async () => (await calls(page)).unplayable)
      .toEqual([{ id: 'p0', kind: 'unplayable', code: 4 }])
    await expectState(page, 'loading-next')
    await endSoon(page, programmes, 0)
    await expectState(page, 'playing')
    await expect(picture(page)).toHaveAttribute('data-programme-id', 'p1')
  })

  test('a server that does not respond is not reported as the video’s fault', async ({ page }) => {
    site.setTimeline(timeline(0, [{ media: 'http://127.0.0.1:9/clip.mp4', lengthMs: 60_000 }]))
    await page.goto(site.url)
    await expectState(page, 'unreachable')
    await expect.poll(() => calls(page)).toMatchObject({ unplayable: [], unreachable: ['html5'] })
  })

  // Chromium sometimes allows sound. These simulate browsers that never do without a user gesture.
  for (const [refusal, simulate] of [
    [
      'refused',
      () => {
        const { play } = HTMLMediaElement.prototype
        HTMLMediaElement.prototype.play = function () {
          const isRefused = !this.muted && !('isPressed' in window)
          return isRefused
            ? Promise.reject(new DOMException('no press yet', 'NotAllowedError'))
            : play.call(this)
        }
      },
    ],
    [
      'paused as soon as it is heard',
      () => {
        const volume = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'volume')
        Object.defineProperty(HTMLMediaElement.prototype, 'volume', {
          ...volume,
          set(this: HTMLMediaElement, to: number) {
            volume?.set?.call(this, to)
            if (to > 0 && !this.muted && !('isPressed' in window)) this.pause()
          },
        })
      },
    ],
  ] as const) {
    test(`sound that is ${refusal} leaves the video muted, with a button for sound`, async ({ page }) => {
      site.setTimeline(timeline(5_000, [{ media: 'rings', lengthMs: 50_000 }]))
      await page.addInitScript(() => {
        addEventListener('pointerdown', () => Object.assign(window, { isPressed: true }))
      })
      await page.addInitScript(simulate)
      await page.goto(`${site.url}?sound`)
      await expectState(page, 'playing')
      const heard = () =>
        page.evaluate(() => [...document.querySelectorAll('video')].some((v) => !v.paused && !v.muted))
      await expect.poll(() => page.evaluate(() => window.session.state.get().soundBlocked)).toBe(true)
      expect(await heard()).toBe(false)
      const plays = () => page.evaluate(() => [...document.querySelectorAll('video')].some((v) => !v.paused))
      await expect.poll(plays).toBe(true)
      await page.click('#tune-in')
      await expect.poll(heard).toBe(true)
      await expect
        .poll(() => page.evaluate(() => window.session.state.get()))
        .toMatchObject({ volume: 0.7, muted: false })
    })
  }
})

test.describe('YouTube', () => {
  const media = { '*': '/test-card/horizon.mp4', second: '/test-card/rings.mp4' }
  const slow = { media, seekLatencyMs: 300, seekJitterMs: 200 }
  const seeks = (page: Page) => page.evaluate(() => window.fakeYouTube?.seeks ?? 0)

  test('with fine rates it comes within 100 ms', { tag: '@clock' }, async ({ page }) => {
    site.setYouTube({ ...slow, rates: 'fine' })
    site.setTimeline(timeline(5_000, [{ youtubeId: 'first', lengthMs: 44_000 }]))
    await page.goto(site.url)
    await expectState(page, 'playing')
    await settles(page, 100, 5_000, 35_000)
  })

  test('cuts from HTML5 to YouTube and on to the next without a second player', async ({ page }) => {
    site.setYouTube(slow)
    const programmes = timeline(5_000, [
      { media: 'rings', lengthMs: 46_000 },
      { youtubeId: 'first', lengthMs: 46_000 },
      { youtubeId: 'second', lengthMs: 46_000 },
    ])
    site.setTimeline(programmes)
    await page.goto(site.url)
    await expectState(page, 'playing')
    await expect(picture(page)).toHaveAttribute('data-player', 'html5')
    const second = await endSoon(page, programmes, 0)
    await expect(picture(page)).toHaveAttribute('data-player', 'youtube')
    await expectState(page, 'playing')
    // The duration differs from the clip's, which is reported.
    await expect.poll(async () => (await calls(page)).durations.map(({ id }) => id)).toContain('p1')
    await endSoon(page, second, 1)
    await expect(picture(page)).toHaveAttribute('data-programme-id', 'p2')
    await expectState(page, 'playing')
    const playing = () =>
      page.evaluate(() => [...document.querySelectorAll('video')].filter((v) => !v.paused).length)
    await expect.poll(playing).toBe(1)
  })

  test('an advert is waited for, then corrected with one seek', { tag: '@clock' }, async ({ page }) => {
    site.setYouTube({ ...slow, advertMs: 4_000, advertState: 'playing' })
    site.setTimeline(timeline(2_000, [{ youtubeId: 'first', lengthMs: 44_000 }]))
    await page.goto(site.url)
    await settles(page, 300, 4_000, 40_000)
    expect(await seeks(page)).toBeLessThanOrEqual(2)
  })

  for (const [code, kind] of [
    [2, 'invalid-source'],
    [5, 'unplayable'],
    [100, 'not-found'],
    [101, 'not-embeddable'],
    [150, 'not-embeddable'],
  ] as const) {
    test(`error ${code} is reported and the next programme plays`, async ({ page }) => {
      site.setYouTube({ ...slow, errors: { bad: code } })
      const programmes = timeline(0, [
        { youtubeId: 'bad', lengthMs: 240_000 },
        { youtubeId: 'first', lengthMs: 40_000 },
      ])
      site.setTimeline(programmes)
      await page.goto(site.url)
      await expect.poll(async () => (await calls(page)).unplayable).toEqual([{ id: 'p0', kind, code }])
      await endSoon(page, programmes, 0)
      await expect(picture(page)).toHaveAttribute('data-programme-id', 'p1')
      await expectState(page, 'playing')
    })
  }

  test('error 153 is shown to the viewer, not reported', async ({ page }) => {
    site.setYouTube({ ...slow, errors: { bad: 153 } })
    site.setTimeline(timeline(0, [{ youtubeId: 'bad', lengthMs: 60_000 }]))
    await page.goto(site.url)
    await expectState(page, 'unreachable')
    expect((await calls(page)).unplayable).toEqual([])
  })

  test('an API that cannot be loaded is unreachable', async ({ page }) => {
    site.setYouTube(undefined)
    site.setTimeline(timeline(0, [{ youtubeId: 'first', lengthMs: 60_000 }]))
    await page.goto(site.url)
    await expectState(page, 'unreachable')
    await expect.poll(() => calls(page)).toMatchObject({ unplayable: [], unreachable: ['youtube'] })
  })
})
