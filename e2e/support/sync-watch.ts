/// <reference lib="dom" />
import type { Page } from '@playwright/test'

/** Where a window's picture is: `lineMs` is its position minus the machine's clock, constant while it plays on. */
export type Sight = { programmeId: string; lineMs: number }

/** A moment at which both windows were seen in the same programme, and how far apart they were. */
export type Gap = { atMs: number; gapMs: number; programmeId: string }

const STAGE = '[data-programme-id]'

/** What a window's stage says now; undefined while it cannot tell, or is being loaded. */
export async function look(page: Page): Promise<Sight | undefined> {
  const read = page.evaluate((selector) => {
    const { programmeId, positionMs, wallMs, state } =
      document.querySelector<HTMLElement>(selector)?.dataset ?? {}
    if (!programmeId || !positionMs || !wallMs || state !== 'playing') return undefined
    return { programmeId, lineMs: Number(positionMs) - Number(wallMs) }
  }, STAGE)
  return read.catch(() => undefined)
}

/** Looks at both windows four times a second for `forMs`, and at each second of it calls `act` with the second. */
export async function watchGaps(
  windows: readonly [Page, Page],
  forMs: number,
  act: (second: number) => Promise<void>,
): Promise<Gap[]> {
  const gaps: Gap[] = []
  const startMs = performance.now()
  let second = -1
  for (;;) {
    const atMs = performance.now() - startMs
    if (atMs >= forMs) return gaps
    if (Math.floor(atMs / 1000) > second) {
      second = Math.floor(atMs / 1000)
      await act(second)
    }
    const [one, other] = await Promise.all(windows.map(look))
    if (one && other && one.programmeId === other.programmeId) {
      gaps.push({ atMs, gapMs: Math.abs(one.lineMs - other.lineMs), programmeId: one.programmeId })
    }
    await windows[0].waitForTimeout(250)
  }
}

/** Throws the picture of a window `byMs` off, as a viewer's or a browser's jump would. */
export async function jump(page: Page, byMs: number): Promise<void> {
  await page.evaluate((byMs) => {
    for (const video of document.querySelectorAll('video')) {
      if (!video.paused) video.currentTime += byMs / 1000
    }
  }, byMs)
}

/** Holds the picture of a window still for `forMs`, as an empty buffer would. */
export async function stall(page: Page, forMs: number): Promise<void> {
  await page.evaluate((forMs) => {
    for (const video of document.querySelectorAll('video')) {
      if (video.paused) continue
      video.pause()
      setTimeout(() => void video.play(), forMs)
    }
  }, forMs)
}
