/// <reference lib="dom" />

import { expect, type Locator, type Page } from '@playwright/test'

export interface Point {
  x: number
  y: number
}

/** The center of an element, after scrolling it into view, once what loads around it no longer moves it. */
async function centerOf(target: Locator): Promise<Point> {
  await target.scrollIntoViewIfNeeded()
  let box = await target.boundingBox()
  await expect
    .poll(async () => {
      const before = box
      box = await target.boundingBox()
      return before !== null && box !== null && before.x === box.x && before.y === box.y
    })
    .toBe(true)
  if (!box) throw new Error('the element to drag is not visible')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Drags an element by its center with the mouse, by the given distance in px. */
export async function dragBy(page: Page, target: Locator, x: number, y: number): Promise<void> {
  const from = await centerOf(target)
  await dragBetween(page, from, { x: from.x + x, y: from.y + y })
}

/** Drags with the mouse from one point of the window to another. */
export async function dragBetween(page: Page, from: Point, to: Point): Promise<void> {
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2)
  await page.mouse.move(to.x, to.y)
  await page.mouse.up()
}

/** As {@link dragBy}, but the last move and the drop come in one task, before the page can render between them. */
export async function dropAtOnce(page: Page, target: Locator, x: number, y: number): Promise<void> {
  const from = await centerOf(target)
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  const to = { clientX: from.x + x, clientY: from.y + y }
  await target.evaluate((element, to) => {
    // Chromium's id of the mouse.
    const at = { ...to, pointerId: 1, bubbles: true }
    for (const type of ['pointermove', 'pointerup']) element.dispatchEvent(new PointerEvent(type, at))
  }, to)
  await page.mouse.up()
}

/** Drags by touch from one point of the window to another, after the delay that lifts an entry. */
export async function longPressDrag(page: Page, from: Point, to: Point): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: Point[]) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints })
  await touch('touchStart', from)
  await expect(page.locator('[data-dragging]')).toBeAttached()
  await touch('touchMove', { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 })
  await touch('touchMove', to)
  await touch('touchEnd')
}

/** Waits for a screen-reader announcement of a drag-and-drop list. */
const expectAnnouncement = (page: Page, text: string) =>
  expect(page.getByText(text, { exact: false }).first()).toBeAttached()

/**
 * Drags a list entry by its handle with the mouse, by `y` px, until the list announces that it is at `place` (from 1).
 * Verifies that less than 5 px do not start a drag, and the z-index of the dragged row (docs/product/admin.md §9).
 */
export async function dragToPlace(page: Page, handle: Locator, y: number, place: number): Promise<void> {
  const from = await centerOf(handle)
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x, from.y + 4)
  await expect(page.getByText('You have lifted an item')).toHaveCount(0)
  await page.mouse.move(from.x, from.y + 6)
  await expectAnnouncement(page, 'You have lifted an item')
  await expect(page.locator('[style*="z-index: 5000"]')).toHaveCount(1)
  await page.mouse.move(from.x, from.y + y, { steps: 4 })
  await expectAnnouncement(page, `to position ${place}`)
  await page.mouse.up()
}

/** As {@link dragToPlace}, but by touch. Returns how long the touch was held before the entry was lifted, in ms. */
export async function dragToPlaceByTouch(
  page: Page,
  handle: Locator,
  y: number,
  place: number,
): Promise<number> {
  const from = await centerOf(handle)
  const cdp = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: Point[]) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints })
  const lift = await page.evaluateHandle(() => ({
    // In an object, because `evaluateHandle` would await a plain promise.
    heldMs: new Promise<number>((resolve) => {
      let downAtMs = Number.NaN
      const onDown = ({ timeStamp }: TouchEvent) => {
        downAtMs = timeStamp
      }
      addEventListener('touchstart', onDown, { capture: true, once: true })
      const observer = new MutationObserver(() => {
        if (!document.body.textContent.includes('You have lifted an item')) return
        observer.disconnect()
        resolve(performance.now() - downAtMs)
      })
      observer.observe(document.body, { subtree: true, childList: true, characterData: true })
    }),
  }))
  await touch('touchStart', from)
  const heldMs = await lift.evaluate((waiting) => waiting.heldMs)
  for (const fraction of [0.25, 0.5, 0.75, 1])
    await touch('touchMove', { x: from.x, y: from.y + y * fraction })
  await expectAnnouncement(page, `to position ${place}`)
  await touch('touchEnd')
  return heldMs
}

/** Resolves when a drop animation starts: to its duration in seconds and the z-index of the row. */
export function dropAnimation(page: Page): Promise<{ seconds: number; zIndex: string }> {
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        const observer = new MutationObserver((changes) => {
          for (const { target } of changes) {
            if (!(target instanceof HTMLElement)) continue
            const { transition, zIndex } = target.style
            const seconds = /transform ([\d.]+)s/.exec(transition)?.[1]
            if (seconds === undefined) continue
            observer.disconnect()
            resolve({ seconds: Number(seconds), zIndex })
          }
        })
        observer.observe(document.body, { subtree: true, attributeFilter: ['style'] })
      }),
  )
}
