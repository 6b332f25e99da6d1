/// <reference lib="dom" />

import { expect, type Locator, type Page } from '@playwright/test'
import { dragBetween, type Point } from './drag.ts'

/** Maximum presses of Tab. No page has as many controls, so an unreachable control fails the test. */
const MAX_TABS = 200

/**
 * Counts the actions of a user: a click, a drag, a key press that operates a control, filling one field. Moving the pointer
 * or the focus does not count.
 */
export class Actions {
  readonly #page: Page
  count = 0

  constructor(page: Page) {
    this.#page = page
  }

  async click(target: Locator): Promise<void> {
    await target.click()
    this.count += 1
  }

  async fill(field: Locator, text: string): Promise<void> {
    await field.fill(text)
    this.count += 1
  }

  async choose(field: Locator, label: string): Promise<void> {
    await field.selectOption({ label })
    this.count += 1
  }

  async drag(from: Point, to: Point): Promise<void> {
    await dragBetween(this.#page, from, to)
    this.count += 1
  }

  /** Reaches a control by Tab alone and presses a key. */
  async press(target: Locator, key: string): Promise<void> {
    await this.#reach(target)
    await this.#page.keyboard.press(key)
    this.count += 1
  }

  /** Reaches a field by Tab alone and types a text, which replaces the present one. */
  async type(field: Locator, text: string): Promise<void> {
    await this.#reach(field)
    const hasText = await field.evaluate((element) => element.matches('[type="number"], input:not([type])'))
    if (hasText) await this.#page.keyboard.press('ControlOrMeta+a')
    await this.#page.keyboard.type(text)
    this.count += 1
  }

  async #reach(target: Locator): Promise<void> {
    await expect(target).toBeVisible()
    // A dialog takes the focus a moment after it is shown.
    const isFocusInside = () =>
      this.#page.evaluate(() => {
        const dialog = [...document.querySelectorAll('[role="dialog"]')].at(-1)
        return dialog?.contains(document.activeElement) ?? true
      })
    await expect.poll(isFocusInside).toBe(true)
    for (let tabs = 0; tabs < MAX_TABS; tabs += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return
      await this.#page.keyboard.press('Tab')
    }
    await expect(target).toBeFocused()
  }
}
