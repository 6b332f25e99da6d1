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

/** What axe has to say of the page as it stands, in three themes: rule, and where. */
export async function complaints(page: Page): Promise<string[]> {
  await settled(page)
  const found = told(await new AxeBuilder({ page }).analyze())
  const worn = await page.evaluate(() => document.documentElement.getAttribute('style') ?? '')
  for (const [name, theme] of Object.entries(OTHER_THEMES)) {
    await page.evaluate((variables) => {
      for (const [key, value] of Object.entries(variables)) {
        document.documentElement.style.setProperty(key, value)
      }
    }, themeVariables(theme))
    await settled(page)
    const contrast = new AxeBuilder({ page }).withRules(['color-contrast'])
    found.push(...told(await contrast.analyze()).map((text) => `${name}: ${text}`))
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

const told = ({ violations }: Awaited<ReturnType<AxeBuilder['analyze']>>): string[] =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
