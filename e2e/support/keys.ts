/// <reference lib="dom" />

import { expect, type Locator, type Page } from '@playwright/test'

export type Arrow = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight'

const hasFocus = (to: Locator): Promise<boolean> =>
  to.evaluateAll((found) => found.some((one) => one === document.activeElement))

/** Something that changes whenever the focus moves on. */
const focusMark = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const focused = document.activeElement
    const { left, top } = focused?.getBoundingClientRect() ?? { left: 0, top: 0 }
    return `${focused?.outerHTML.slice(0, 300)} ${left + scrollX} ${top + scrollY}`
  })

/** Presses an arrow until the wanted thing has the focus, as often as a viewer would put up with. */
export async function go(page: Page, arrow: Arrow, to: Locator, most = 8): Promise<void> {
  for (let presses = 0; presses < most && !(await hasFocus(to)); presses += 1) {
    const before = await focusMark(page)
    await page.keyboard.press(arrow)
    await expect.poll(() => focusMark(page)).not.toBe(before)
  }
  await expect(to).toBeFocused()
}

/** An arrow that led nowhere within this time leads nowhere. */
const IDLE_MS = 500

/** Whether an arrow moves the focus. */
async function moves(page: Page, arrow: Arrow): Promise<boolean> {
  const before = await focusMark(page)
  await page.keyboard.press(arrow)
  return expect
    .poll(() => focusMark(page), { timeout: IDLE_MS, intervals: [10, 20, 40] })
    .not.toBe(before)
    .then(
      () => true,
      () => false,
    )
}

/** The arrows that lead from what has the focus to something, the likelier one first. */
const arrowsTo = (to: Locator): Promise<Arrow[]> =>
  to.evaluate((target) => {
    const from = (document.activeElement ?? document.body).getBoundingClientRect()
    const goal = target.getBoundingClientRect()
    const isBeside = goal.top < from.bottom && goal.bottom > from.top
    const down = goal.top + goal.bottom > from.top + from.bottom ? 'ArrowDown' : 'ArrowUp'
    const right = goal.left + goal.right > from.left + from.right ? 'ArrowRight' : 'ArrowLeft'
    return isBeside ? [right, down] : [down, right]
  })

/** Goes to something by arrows alone, as somebody does who sees where it is. */
export async function walkTo(page: Page, to: Locator, most = 30): Promise<void> {
  await expect(to).toBeVisible()
  for (let steps = 0; steps < most && !(await hasFocus(to)); steps += 1) {
    const [first, second] = await arrowsTo(to)
    if (!first || !second) break
    if (!(await moves(page, first))) await moves(page, second)
  }
  await expect(to).toBeFocused()
}
