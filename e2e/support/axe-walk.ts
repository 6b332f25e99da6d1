/// <reference lib="dom" />

import { expect, type Locator, type Page } from '@playwright/test'
import { sidewaysScroll, violations, violationsInThemes } from './accessibility.ts'

const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

/** A control to press, by role and name. */
type Control = readonly [role: 'button' | 'tab' | 'checkbox' | 'menuitem' | 'link', name: string | RegExp]

/** A state of a page: the controls that lead to it, one after the other. One that opens a dialog is closed again. */
export interface State {
  press: readonly Control[]
  opens?: 'dialog' | 'menu'
}

/** A page, the element that shows that it is complete, and its states in the order of the check. */
export interface Stop {
  path: string
  shows: (page: Page) => Locator
  /** Whether the page acts on its address when the app starts: then it is loaded, not only opened. */
  isStart?: boolean
  /** Selector of what is checked, if the rest of the page is as at an earlier stop. */
  part?: string
  states?: readonly State[]
}

export const dialog = (...names: (string | RegExp)[]): State => ({
  press: names.map((name) => ['button', name] as const),
  opens: 'dialog',
})
export const tab = (name: string): State => ({ press: [['tab', name]] })
export const menu = (name: string | RegExp): State => ({ press: [['button', name]], opens: 'menu' })
export const heading = (page: Page): Locator => page.getByRole('heading', { level: 1 }).first()

/**
 * Goes to every page and state and returns axe's violations there, in a wide window and on a phone, where no page may scroll
 * sideways; pages are looked at in three themes. A page or state that cannot be reached counts as a violation.
 */
export async function walk(page: Page, url: string, stops: readonly Stop[]): Promise<string[]> {
  const found: string[] = []
  const note = async (where: string, look: () => Promise<string[]>) => {
    const texts = await look().catch((error: Error) => [error.message.split('\n', 3).join(' ')])
    found.push(...texts.map((text) => `${where}: ${text}`))
  }
  await page.goto(url + ELSEWHERE)
  for (const { path, shows, isStart = false, part, states = [] } of stops) {
    await page.setViewportSize(WIDE)
    await note(path, async () => {
      if (isStart) await page.goto(url + path)
      else await open(page, path)
      await expect(shows(page)).toBeVisible()
      await expect(page.getByText('Loading...')).toHaveCount(0)
      return [...(await violationsInThemes(page, part)), ...(await onPhone(page, part))]
    })
    for (const state of states) {
      const where = `${path} ${state.press.map(([, name]) => name).join(' > ')}`
      await note(where, () => lookAtState(page, state, part))
    }
  }
  return found
}

/** A path without a page. */
const ELSEWHERE = '/nowhere/at/all'

/**
 * Opens a page without a load of the app and of axe, which takes as long as the checks. It goes by the not-found page, so that
 * nothing of the page before is taken for the new one.
 */
async function open(page: Page, path: string): Promise<void> {
  const lost = page.getByText('Oops! Page not found')
  const go = (path: string) =>
    page.evaluate((path) => {
      history.pushState(null, '', path)
      dispatchEvent(new PopStateEvent('popstate'))
    }, path)
  await go(ELSEWHERE)
  await expect(lost).toBeVisible()
  await go(path)
  await expect(lost).toHaveCount(0)
}

async function lookAtState(page: Page, { press, opens }: State, part?: string): Promise<string[]> {
  for (const [role, name] of press) {
    const control = page.getByRole(role, { name, exact: typeof name === 'string' })
    await control.first().click({ timeout: 60_000 })
  }
  if (opens) await expect(page.getByRole(opens).last()).toBeVisible()
  await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0)
  const checked = opens === 'dialog' ? '[role="dialog"]' : part
  const found = [...(await violations(page, checked)), ...(await onPhone(page, checked))]
  if (opens) {
    await page.keyboard.press('Escape')
    await expect(page.getByRole(opens)).toHaveCount(0)
  }
  return found
}

/** Checks the page at phone width without a reload. */
async function onPhone(page: Page, part?: string): Promise<string[]> {
  await page.setViewportSize(PHONE)
  const found = [...(await violations(page, part)), ...(await sidewaysScroll(page))]
  await page.setViewportSize(WIDE)
  return found.map((text) => `on a phone, ${text}`)
}
