/// <reference lib="dom" />

import AxeBuilder from '@axe-core/playwright'
import { DEFAULT_THEME, THEME_PRESETS, type ThemeBody } from '@looptide/contracts/http/admin'
import type { Page } from '@playwright/test'
import { themeVariables } from '../../web/src/features/theme/theme-variables.ts'

const LIGHT: ThemeBody = {
  ...DEFAULT_THEME,
  primaryColor: '#0e7490',
  backgroundColor: '#f8fafc',
  textColor: '#0f172a',
}
const NEON = THEME_PRESETS.find(({ name }) => name === 'Cyber Neon')?.theme ?? DEFAULT_THEME

/** Beside the one that is on: a light theme and a glaring one. A theme changes colours, so only those are looked at again. */
const OTHER_THEMES = { light: LIGHT, 'Cyber Neon': NEON }

/**
 * What axe has to say of the page as it stands, in three themes: rule, and where. `part` is a selector: only what is
 * inside is looked at, which is quicker.
 */
export async function complaints(page: Page, part?: string): Promise<string[]> {
  const axe = () => (part ? new AxeBuilder({ page }).include(part) : new AxeBuilder({ page }))
  const found = await look(page, axe)
  const worn = await page.evaluate(() => document.documentElement.getAttribute('style') ?? '')
  for (const [name, theme] of Object.entries(OTHER_THEMES)) {
    await page.evaluate((variables) => {
      for (const [key, value] of Object.entries(variables)) {
        document.documentElement.style.setProperty(key, value)
      }
    }, themeVariables(theme))
    const worse = await look(page, () => axe().withRules(['color-contrast']))
    found.push(...worse.map((text) => `${name}: ${text}`))
  }
  await page.evaluate((style) => {
    document.documentElement.style.cssText = style
  }, worn)
  return found
}

/** What is still fading in is not yet what people see. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const passing = document
      .getAnimations()
      .filter((animation) => animation.effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
    await Promise.allSettled(passing.map((animation) => animation.finished))
  })
}

/** What is found twice: a message that began to fade under the first look is gone, or whole, at the second. */
async function look(page: Page, axe: () => AxeBuilder): Promise<string[]> {
  await settled(page)
  const first = told(await axe().analyze())
  if (first.length === 0) return []
  await settled(page)
  const second = new Set(told(await axe().analyze()))
  return first.filter((text) => second.has(text))
}

const told = ({ violations }: Awaited<ReturnType<AxeBuilder['analyze']>>): string[] =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
