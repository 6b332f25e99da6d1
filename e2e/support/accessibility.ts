/// <reference lib="dom" />

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { DEFAULT_THEME, THEME_PRESETS, type ThemeBody } from '@looptide/contracts/http/themes'
import { expect, type Page } from '@playwright/test'
import type axe from 'axe-core'
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

/** Returns a text if the page scrolls sideways and does not adapt to the size of its window. */
export async function sidewaysScroll(page: Page): Promise<string[]> {
  const excessPx = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  await expect
    .poll(excessPx)
    .toBeLessThanOrEqual(0)
    .catch(() => undefined)
  const px = await excessPx()
  return px > 0 ? [`scrolls sideways by ${px} px`] : []
}

/** As {@link violations}, in three themes. */
export async function violationsInThemes(page: Page, part?: string): Promise<string[]> {
  const found = await violations(page, part)
  // A theme would fade every element at once, which takes the processor longer than the check.
  const before = await page.evaluateHandle(() => {
    const still = new CSSStyleSheet()
    still.replaceSync('*, ::before, ::after { transition: none !important }')
    document.adoptedStyleSheets.push(still)
    return { still, style: document.documentElement.style.cssText }
  })
  for (const [name, theme] of Object.entries(OTHER_THEMES)) {
    await page.evaluate((variables) => {
      for (const [key, value] of Object.entries(variables)) {
        document.documentElement.style.setProperty(key, value)
      }
    }, themeVariables(theme))
    const contrast = await violations(page, part, ['color-contrast'])
    found.push(...contrast.map((text) => `${name}: ${text}`))
  }
  await before.evaluate(({ still, style }) => {
    document.documentElement.style.cssText = style
    // The colours of before are computed while nothing fades.
    document.documentElement.getBoundingClientRect()
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== still)
  })
  await before.dispose()
  return found
}

/** Maximum duration of a fade, in ms. Longer animations, such as the progress of a programme, change no colour. */
const LONGEST_FADE_MS = 3000

/** Takes fades to their end, and waits for the frame that shows it: they change colours. */
function endFades(page: Page): Promise<void> {
  return page.evaluate(async (longestMs) => {
    for (const animation of document.getAnimations()) {
      if (Number(animation.effect?.getComputedTiming().endTime) <= longestMs) animation.finish()
    }
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  }, LONGEST_FADE_MS)
}

/** The short form of axe's source: half the text to send to each document and to parse. */
const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/**
 * Runs axe in the page. It is loaded once per document, because parsing it takes longer than most checks. Frames of other
 * origins are not checked. Of what axe fetches beforehand, only media have a rule that is on; style sheets have none.
 */
async function runAxe(page: Page, part?: string, rules?: string[]): Promise<string[]> {
  await endFades(page)
  const run = () =>
    page.evaluate(
      async ([part, rules]) => {
        const { axe: loaded } = window as { axe?: typeof axe }
        return loaded?.run(part ?? document, {
          iframes: false,
          resultTypes: ['violations'],
          preload: { assets: ['media'] },
          ...(rules ? { runOnly: rules } : {}),
        })
      },
      [part, rules] as const,
    )
  let results = await run()
  if (results === undefined) {
    await page.evaluate(source)
    results = await run()
  }
  if (results === undefined) throw new Error('axe could not be loaded')
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => `${id}: ${target.join(' ')}`),
  )
}
