/// <reference lib="dom" />

import { expect, type Locator, type Page } from '@playwright/test'

export type Arrow = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight'

const hasFocus = (to: Locator): Promise<boolean> =>
  to.evaluateAll((found) => found.some((one) => one === document.activeElement))

/** A value that changes whenever the focus moves. */
const focusMark = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const focused = document.activeElement
    const { left, top } = focused?.getBoundingClientRect() ?? { left: 0, top: 0 }
    // An id may have been given to it only now.
    const looks = focused?.outerHTML.replace(/ id="[^"]*"/, '').slice(0, 300)
    return `${looks} ${left + scrollX} ${top + scrollY}`
  })

/** A description of the focused element for error messages. */
const focusName = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const focused = document.activeElement
    return (focused?.getAttribute('aria-label') ?? focused?.textContent ?? '').slice(0, 30)
  })

/** Presses an arrow key until the element has the focus, at most as often as a viewer would. */
export async function go(page: Page, arrow: Arrow, to: Locator, most = 8): Promise<void> {
  for (let presses = 0; presses < most && !(await hasFocus(to)); presses += 1) {
    const before = await focusMark(page)
    await page.keyboard.press(arrow)
    await expect.poll(() => focusMark(page)).not.toBe(before)
  }
  await expect(to).toBeFocused()
}

/** Time after which an arrow key that moved nothing counts as without effect, in ms. */
const IDLE_MS = 1000

/** Presses an arrow key and waits until the focus has moved or the time has passed. */
async function pressArrow(page: Page, arrow: Arrow, before: string): Promise<void> {
  await page.keyboard.press(arrow)
  await expect
    .poll(() => focusMark(page), { timeout: IDLE_MS, intervals: [10, 20, 40] })
    .not.toBe(before)
    .catch(() => undefined)
}

/** Whether the element has the focus and keeps it: on a busy machine an earlier arrow may take effect late. */
async function keepsFocus(page: Page, to: Locator): Promise<boolean> {
  if (!(await hasFocus(to))) return false
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
  return hasFocus(to)
}

/** The arrows from what has the focus, those that lead towards something first. */
const arrowsTo = (to: Locator): Promise<Arrow[]> =>
  to.evaluate((target) => {
    const from = (document.activeElement ?? document.body).getBoundingClientRect()
    const goal = target.getBoundingClientRect()
    const isBeside = goal.top < from.bottom && goal.bottom > from.top
    const isBelow = goal.top + goal.bottom > from.top + from.bottom
    const isRight = goal.left + goal.right > from.left + from.right
    const vertical: Arrow[] = isBelow ? ['ArrowDown', 'ArrowUp'] : ['ArrowUp', 'ArrowDown']
    const sideways: Arrow[] = isRight ? ['ArrowRight', 'ArrowLeft'] : ['ArrowLeft', 'ArrowRight']
    const [first, second] = isBeside ? [sideways, vertical] : [vertical, sideways]
    return [first[0], second[0], second[1], first[1]].filter((arrow) => arrow !== undefined)
  })

/**
 * Goes to an element by arrows alone, as a viewer does who sees where it is: towards it first, and from each place in the
 * direction that was tried least.
 */
export async function walkTo(page: Page, to: Locator, most = 40): Promise<void> {
  await expect(to).toBeVisible()
  const tries = new Map<string, number>()
  const trail: string[] = []
  for (let steps = 0; steps < most; steps += 1) {
    if (await keepsFocus(page, to)) return
    const mark = await focusMark(page)
    await expect(to).toBeVisible()
    const triesOf = (arrow: Arrow) => tries.get(arrow + mark) ?? 0
    const [arrow] = (await arrowsTo(to)).toSorted((a, b) => triesOf(a) - triesOf(b))
    if (!arrow) break
    tries.set(arrow + mark, triesOf(arrow) + 1)
    trail.push(`${await focusName(page)} ${arrow}`)
    await pressArrow(page, arrow, mark)
  }
  await expect(to, trail.join(', ')).toBeFocused()
}
