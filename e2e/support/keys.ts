/// <reference lib="dom" />

import { expect, type Locator, type Page } from '@playwright/test'

export type Arrow = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight'

const hasFocus = (to: Locator): Promise<boolean> =>
  to.evaluateAll((found) => found.some((one) => one === document.activeElement))

/** The id of the focused element, which it keeps while the page is rendered again around it. */
const focusId = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const focused = document.activeElement
    if (!(focused instanceof HTMLElement)) return ''
    focused.dataset.walk ??= String(Math.random())
    return focused.dataset.walk
  })

/** A description of the focused element for error messages. */
const focusName = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const focused = document.activeElement
    return (focused?.getAttribute('aria-label') ?? focused?.textContent ?? '').slice(0, 30)
  })

/** Whether the focused element is invisible: a control over the picture that has faded. */
const isFaded = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.activeElement?.checkVisibility({ checkOpacity: true }) === false)

/**
 * Presses an arrow key until the element has the focus, at most as often as a viewer would. On faded controls the first
 * press only shows them.
 */
export async function go(page: Page, arrow: Arrow, to: Locator, most = 8): Promise<void> {
  for (let presses = 0; presses < most && !(await hasFocus(to)); presses += 1) {
    const before = await focusId(page)
    if (await isFaded(page)) {
      await page.keyboard.press(arrow)
      await expect.poll(() => isFaded(page)).toBe(false)
    }
    await page.keyboard.press(arrow)
    await expect.poll(() => focusId(page)).not.toBe(before)
  }
  await expect(to).toBeFocused()
}

/** Presses an arrow key once, from which the element gets the focus. On faded controls another press shows them first. */
export const step = (page: Page, arrow: Arrow, to: Locator): Promise<void> => go(page, arrow, to, 1)

/** A place where the focus has been on a walk. */
interface Place {
  /** The arrows that lead towards the goal, and the others; the most direct ones first. */
  towards: Arrow[]
  away: Arrow[]
  /** Where the arrows tried so far have led, by the id of the place. */
  ways: Map<Arrow, string>
}

/** The arrows from what has the focus, by whether they lead towards something. */
const arrowsTo = (to: Locator): Promise<Pick<Place, 'towards' | 'away'>> =>
  to.evaluate((target) => {
    const from = (document.activeElement ?? document.body).getBoundingClientRect()
    const goal = target.getBoundingClientRect()
    // Negative if they are beside or below each other.
    const columnGap = Math.max(goal.left - from.right, from.left - goal.right)
    const rowGap = Math.max(goal.top - from.bottom, from.top - goal.bottom)
    const isBelow = goal.top + goal.bottom > from.top + from.bottom
    const isRight = goal.left + goal.right > from.left + from.right
    const vertical: [Arrow, Arrow] = isBelow ? ['ArrowDown', 'ArrowUp'] : ['ArrowUp', 'ArrowDown']
    const sideways: [Arrow, Arrow] = isRight ? ['ArrowRight', 'ArrowLeft'] : ['ArrowLeft', 'ArrowRight']
    const [first, second] = columnGap > rowGap ? [sideways, vertical] : [vertical, sideways]
    return { towards: [first[0], second[0]], away: [second[1], first[1]] }
  })

/** Time after which an arrow key that moved nothing counts as without effect, in ms. */
const IDLE_MS = 1000

/** Presses an arrow key and waits until the focus has moved or the time has passed. Returns where it is then. */
async function pressArrow(page: Page, arrow: Arrow, before: string): Promise<string> {
  await page.keyboard.press(arrow)
  await expect
    .poll(() => focusId(page), { timeout: IDLE_MS, intervals: [10, 20, 40] })
    .not.toBe(before)
    .catch(() => undefined)
  return focusId(page)
}

/** Whether the element has the focus and keeps it: on a busy machine an earlier arrow may take effect late. */
async function keepsFocus(page: Page, to: Locator): Promise<boolean> {
  if (!(await hasFocus(to))) return false
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
  return hasFocus(to)
}

/** The first arrow on the shortest known way to an untried arrow; undefined if all were tried. */
function arrowToUntried(
  places: ReadonlyMap<string, Place>,
  start: string,
  kind: 'towards' | 'away',
): Arrow | undefined {
  const known = new Set([start])
  const queue: { id: string; first?: Arrow }[] = [{ id: start }]
  for (const { id, first } of queue) {
    const place = places.get(id)
    if (!place) continue
    const untried = place[kind].find((arrow) => !place.ways.has(arrow))
    if (untried) return first ?? untried
    for (const [arrow, next] of place.ways) {
      if (known.has(next)) continue
      known.add(next)
      queue.push({ id: next, first: first ?? arrow })
    }
  }
  return undefined
}

/** Ends a walk on a page that changes all the time. */
const MAX_PRESSES = 200

/**
 * Goes to an element by arrows alone, as a viewer does who sees where it is and remembers where the arrows have led: from
 * the nearest place with an untried arrow towards the element, else with any untried arrow. Fails once all were tried.
 */
export async function walkTo(page: Page, to: Locator): Promise<void> {
  await expect(to).toBeVisible()
  const places = new Map<string, Place>()
  const trail: string[] = []
  while (trail.length < MAX_PRESSES) {
    if (await keepsFocus(page, to)) return
    const id = await focusId(page)
    await expect(to).toBeVisible()
    const ways = places.get(id)?.ways ?? new Map<Arrow, string>()
    places.set(id, { ...(await arrowsTo(to)), ways })
    const arrow = arrowToUntried(places, id, 'towards') ?? arrowToUntried(places, id, 'away')
    if (!arrow) break
    trail.push(`${await focusName(page)} ${arrow}`)
    ways.set(arrow, await pressArrow(page, arrow, id))
  }
  await expect(to, trail.join(', ')).toBeFocused()
}
