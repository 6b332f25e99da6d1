/// <reference lib="dom" />

import { DEFAULT_THEME, THEME_PRESETS, type ThemeBody } from '@looptide/contracts/http/admin'
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

/** Beside the one that is on: a light theme and a glaring one. A theme changes colours, so only those are looked at again. */
const OTHER_THEMES = { light: LIGHT, 'Cyber Neon': NEON }

/** What axe finds on the page in its present state and theme: rule, and where. `part` is the selector of a part. */
export const findings = (page: Page, part?: string): Promise<string[]> => look(page, part)

/** A page that scrolls sideways is a finding. */
export async function sidewaysScroll(page: Page): Promise<string[]> {
  const px = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  return px > 0 ? [`scrolls sideways by ${px} px`] : []
}

/** As {@link findings}, in three themes. */
export async function complaints(page: Page, part?: string): Promise<string[]> {
  const found = await look(page, part)
  const worn = await page.evaluate(() => document.documentElement.getAttribute('style') ?? '')
  for (const [name, theme] of Object.entries(OTHER_THEMES)) {
    await page.evaluate((variables) => {
      for (const [key, value] of Object.entries(variables)) {
        document.documentElement.style.setProperty(key, value)
      }
    }, themeVariables(theme))
    const worse = await look(page, part, ['color-contrast'])
    found.push(...worse.map((text) => `${name}: ${text}`))
  }
  await page.evaluate((style) => {
    document.documentElement.style.cssText = style
  }, worn)
  return found
}

/** Longest fade, in ms. What moves for longer, such as the progress of a programme, changes no colour. */
const LONGEST_FADE_MS = 3000

/** What is still fading in is not yet what people see. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async (longestMs) => {
    const passing = document
      .getAnimations()
      .filter((animation) => Number(animation.effect?.getComputedTiming().endTime) <= longestMs)
    const faded = Promise.allSettled(passing.map((animation) => animation.finished))
    // An animation of what is not drawn may never begin; all others are over after this time.
    await Promise.race([faded, new Promise((resolve) => setTimeout(resolve, longestMs))])
  }, LONGEST_FADE_MS)
}

/** What is found twice: a message that began to fade under the first look is gone, or whole, at the second. */
async function look(page: Page, part?: string, rules?: string[]): Promise<string[]> {
  const first = await violations(page, part, rules)
  if (first.length === 0) return []
  const second = new Set(await violations(page, part, rules))
  return first.filter((text) => second.has(text))
}

/**
 * axe runs in the page, brought in once for each document: parsing it takes longer than most of its looks. What is
 * in frames of others is not ours to judge.
 */
async function violations(page: Page, part?: string, rules?: string[]): Promise<string[]> {
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
