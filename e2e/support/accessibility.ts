/// <reference lib="dom" />

import { DEFAULT_THEME, THEME_PRESETS, type ThemeBody } from '@looptide/contracts/http/themes'
import type { Page } from '@playwright/test'
import axe from 'axe-core'
import { themeVariables } from '../../web/src/lib/theme/theme-variables.ts'

const LIGHT: ThemeBody = {
  ...DEFAULT_THEME,
  primaryColor: '#0e7490',
  backgroundColor: '#f8fafc',
  textColor: '#0f172a',
}
const NEON = THEME_PRESETS.find(({ name }) => name === 'Cyber Neon')?.theme ?? DEFAULT_THEME

/** Themes that are checked besides the current one. A theme changes colours only, so only the contrast is checked again. */
const OTHER_THEMES = { light: LIGHT, 'Cyber Neon': NEON }

/**
 * Returns axe's violations on the page: rule and selector. `part` limits the check to one element, `rules` to some rules.
 * A violation is reported if two checks find it: a toast that fades during the first is gone at the second.
 */
export async function violations(page: Page, part?: string, rules?: string[]): Promise<string[]> {
  const first = await runAxe(page, part, rules)
  if (first.length === 0) return []
  const second = new Set(await runAxe(page, part, rules))
  return first.filter((text) => second.has(text))
}

/** Returns a text if the page scrolls sideways. */
export async function sidewaysScroll(page: Page): Promise<string[]> {
  const px = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  return px > 0 ? [`scrolls sideways by ${px} px`] : []
}

/** As {@link violations}, in three themes. */
export async function violationsInThemes(page: Page, part?: string): Promise<string[]> {
  const found = await violations(page, part)
  const style = await page.evaluate(() => document.documentElement.getAttribute('style') ?? '')
  for (const [name, theme] of Object.entries(OTHER_THEMES)) {
    await page.evaluate((variables) => {
      for (const [key, value] of Object.entries(variables)) {
        document.documentElement.style.setProperty(key, value)
      }
    }, themeVariables(theme))
    const contrast = await violations(page, part, ['color-contrast'])
    found.push(...contrast.map((text) => `${name}: ${text}`))
  }
  await page.evaluate((before) => {
    document.documentElement.style.cssText = before
  }, style)
  return found
}

/** Maximum duration of a fade, in ms. Longer animations, such as the progress of a programme, change no colour. */
const LONGEST_FADE_MS = 3000

/** Waits until fades have ended: they change colours. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async (longestMs) => {
    const passing = document
      .getAnimations()
      .filter((animation) => Number(animation.effect?.getComputedTiming().endTime) <= longestMs)
    const faded = Promise.allSettled(passing.map((animation) => animation.finished))
    // An animation of an element that is not rendered may never start. All others end within this time.
    await Promise.race([faded, new Promise((resolve) => setTimeout(resolve, longestMs))])
  }, LONGEST_FADE_MS)
}

/**
 * Runs axe in the page. It is loaded once per document, because parsing it takes longer than most checks. Frames of other
 * origins are not checked.
 */
async function runAxe(page: Page, part?: string, rules?: string[]): Promise<string[]> {
  await settled(page)
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const results = await page.evaluate(
    ([part, rules]) =>
      (window as unknown as { axe: typeof axe }).axe.run(part ?? document, {
        iframes: false,
        resultTypes: ['violations'],
        ...(rules ? { runOnly: rules } : {}),
      }),
    [part, rules] as const,
  )
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => `${id}: ${target.join(' ')}`),
  )
}
