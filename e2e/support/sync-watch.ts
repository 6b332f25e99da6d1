/// <reference lib="dom" />
import type { Page } from '@playwright/test'

/** The player state that a window shows, with the true position of the fake YouTube player if there is one. */
interface Sight {
  programmeId: string
  /** Position minus the machine's clock, in ms. Constant during playback. */
  lineMs: number
  /** The drift that the player reports, in ms. */
  driftMs: number
  seeks: number
  rateChanges: number
}

export interface Look {
  atMs: number
  sights: readonly (Sight | undefined)[]
}

const STAGE = '[data-programme-id]'

/** The player state that a window shows now; undefined while it is loading. */
async function look(page: Page): Promise<Sight | undefined> {
  const read = page.evaluate((selector) => {
    const { programmeId, positionMs, wallMs, driftMs, seeks, rateChanges, state } =
      document.querySelector<HTMLElement>(selector)?.dataset ?? {}
    if (!programmeId || !positionMs || !wallMs || state !== 'playing') return undefined
    const trueMs = window.fakeYouTube?.positionMs()
    const lineMs =
      trueMs === undefined
        ? Number(positionMs) - Number(wallMs)
        : trueMs - (performance.timeOrigin + performance.now())
    return {
      programmeId,
      lineMs,
      driftMs: Number(driftMs),
      seeks: Number(seeks),
      rateChanges: Number(rateChanges),
    }
  }, STAGE)
  return read.catch(() => undefined)
}

/**
 * Samples the windows four times a second, for at most `forMs`. Calls `act` every second with the number of the second, until
 * it returns true.
 */
export async function watch(
  windows: readonly Page[],
  forMs: number,
  act: (second: number) => Promise<boolean>,
): Promise<Look[]> {
  const looks: Look[] = []
  const startMs = performance.now()
  let second = -1
  for (;;) {
    const atMs = performance.now() - startMs
    if (atMs >= forMs) return looks
    if (Math.floor(atMs / 1000) > second) {
      second = Math.floor(atMs / 1000)
      if (await act(second)) return looks
    }
    looks.push({ atMs, sights: await Promise.all(windows.map(look)) })
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

/** A sample of two windows in the same programme, and the difference of their positions. */
export interface Gap {
  atMs: number
  gapMs: number
  programmeId: string
}

/** The position differences of all pairs of windows in the same programme. */
export function gapsBetween(looks: readonly Look[], [one, other]: readonly [number, number]): Gap[] {
  return looks.flatMap(({ atMs, sights }) => {
    const [a, b] = [sights[one], sights[other]]
    if (!a || !b || a.programmeId !== b.programmeId) return []
    return [{ atMs, gapMs: Math.abs(a.lineMs - b.lineMs), programmeId: a.programmeId }]
  })
}

/** Quantile of the absolute values. */
export function quantile(values: readonly number[], share: number): number {
  const sizes = values.map(Math.abs).sort((a, b) => a - b)
  return Math.round(sizes[Math.floor((sizes.length - 1) * share)] ?? Number.NaN)
}

/** Moves a window's playback position by `byMs`, as a seek would. */
export async function jump(page: Page, byMs: number): Promise<void> {
  await page.evaluate((byMs) => {
    for (const video of document.querySelectorAll('video')) {
      if (!video.paused) video.currentTime += byMs / 1000
    }
  }, byMs)
}

/** Pauses a window's playback for `forMs`, as an empty buffer would. */
export async function stall(page: Page, forMs: number): Promise<void> {
  await page.evaluate((forMs) => {
    for (const video of document.querySelectorAll('video')) {
      if (video.paused) continue
      video.pause()
      setTimeout(() => void video.play(), forMs)
    }
  }, forMs)
}

/** Blocks a window's main thread for `forMs`, as a busy machine would. */
export async function freeze(page: Page, forMs: number): Promise<void> {
  // Not awaited: the other windows are sampled meanwhile.
  void page
    .evaluate((forMs) => {
      const untilMs = performance.now() + forMs
      while (performance.now() < untilMs);
    }, forMs)
    .catch(() => {})
}
