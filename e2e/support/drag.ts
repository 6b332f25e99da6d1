/// <reference lib="dom" />

import { expect, type Locator, type Page } from '@playwright/test'

type Point = { x: number; y: number }

/** The middle of something, after it was brought into sight. */
async function middleOf(target: Locator): Promise<Point> {
  await target.scrollIntoViewIfNeeded()
  const box = await target.boundingBox()
  if (!box) throw new Error('There is nothing to drag.')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** With the mouse, from the middle of one thing by so many pixels. */
export async function dragBy(page: Page, target: Locator, x: number, y: number): Promise<void> {
  const from = await middleOf(target)
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + x / 2, from.y + y / 2)
  await page.mouse.move(from.x + x, from.y + y)
  await page.mouse.up()
}

/** What a list that is put in order by dragging tells those who do not see it. */
const isTold = (page: Page, text: string) =>
  expect(page.getByText(text, { exact: false }).first()).toBeAttached()

/**
 * Drags an entry of a list by its handle with the mouse, by so many pixels, until the list says that it is at
 * `place` (from 1). Fewer than 5 px lift nothing (docs/product/admin.md §9).
 */
export async function dragToPlace(page: Page, handle: Locator, y: number, place: number): Promise<void> {
  const from = await middleOf(handle)
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x, from.y + 4)
  await expect(page.getByText('You have lifted an item')).toHaveCount(0)
  await page.mouse.move(from.x, from.y + 6)
  await isTold(page, 'You have lifted an item')
  await page.mouse.move(from.x, from.y + y, { steps: 4 })
  await isTold(page, `to position ${place}`)
  await page.mouse.up()
}

/** As {@link dragToPlace}, with a finger; answers how long it had to stay down before the entry was lifted (ms). */
export async function dragToPlaceByTouch(
  page: Page,
  handle: Locator,
  y: number,
  place: number,
): Promise<number> {
  const from = await middleOf(handle)
  const cdp = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: Point[]) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints })
  const lift = await page.evaluateHandle(() => ({
    // In an object: a promise itself would be waited for.
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
  for (const share of [0.25, 0.5, 0.75, 1]) await touch('touchMove', { x: from.x, y: from.y + y * share })
  await isTold(page, `to position ${place}`)
  await touch('touchEnd')
  return heldMs
}

/** Resolves to how long the dropped entry flies to its place (s), as soon as it begins to. */
export function flightOfDrop(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const observer = new MutationObserver((changes) => {
          for (const { target } of changes) {
            const text = target instanceof HTMLElement ? target.style.transition : ''
            const seconds = /transform ([\d.]+)s/.exec(text)?.[1]
            if (seconds === undefined) continue
            observer.disconnect()
            resolve(Number(seconds))
          }
        })
        observer.observe(document.body, { subtree: true, attributeFilter: ['style'] })
      }),
  )
}
