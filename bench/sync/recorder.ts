/// <reference lib="dom" />
import type {} from '@looptide/testkit/fake-youtube/iframe-api'
import type { Page } from '@playwright/test'

/** A page's report at one instant. */
export interface Sight {
  programmeId: string
  /** Epoch ms on the machine's clock, which is also the station's. */
  wallMs: number
  /** Position of the picture then, ms into the programme. */
  positionMs: number
  seeks: number
  rateChanges: number
}

/** Reports of a page, and statistics of its frames. */
export interface Recording {
  sights: Sight[]
  framesShown: number
  framesDropped: number
}

declare global {
  interface Window {
    benchSights?: Sight[]
  }
}

const EVERY_MS = 250

/**
 * Makes a page record its reports four times a second by itself: polling twenty pages from outside would take the
 * time that is measured. Call it before the page navigates.
 */
export async function addRecorder(page: Page): Promise<void> {
  await page.addInitScript((everyMs) => {
    const sights: Sight[] = []
    window.benchSights = sights
    const note = () => {
      const picture = document.querySelector<HTMLElement>('[data-programme-id]')?.dataset
      if (picture?.state !== 'playing' || !picture.programmeId || !picture.positionMs || !picture.wallMs)
        return
      // The real position of a fake YouTube's picture, without the rounding and delays of its API.
      const trueMs = picture.player === 'youtube' ? window.fakeYouTube?.positionMs() : undefined
      if (picture.player === 'youtube' && trueMs === undefined) return
      const sight = {
        programmeId: picture.programmeId,
        wallMs: trueMs === undefined ? Number(picture.wallMs) : performance.timeOrigin + performance.now(),
        positionMs: trueMs ?? Number(picture.positionMs),
        seeks: Number(picture.seeks),
        rateChanges: Number(picture.rateChanges),
      }
      if (sights.at(-1)?.wallMs !== sight.wallMs) sights.push(sight)
    }
    setInterval(note, everyMs)
  }, EVERY_MS)
}

/** Discards the reports so far. */
export async function startRecording(page: Page): Promise<void> {
  await page.evaluate(() => window.benchSights?.splice(0))
}

export function readRecording(page: Page): Promise<Recording> {
  return page.evaluate(() => {
    const frames = [...document.querySelectorAll('video')].map((video) => video.getVideoPlaybackQuality())
    return {
      sights: window.benchSights ?? [],
      framesShown: frames.reduce((sum, { totalVideoFrames }) => sum + totalVideoFrames, 0),
      framesDropped: frames.reduce((sum, { droppedVideoFrames }) => sum + droppedVideoFrames, 0),
    }
  })
}
