/// <reference lib="dom" />

import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** What axe has to say of the page as it stands: rule, and where. */
export async function complaints(page: Page): Promise<string[]> {
  // What is still fading in is not yet what people see.
  await page.evaluate(async () => {
    const passing = document
      .getAnimations()
      .filter((animation) => animation.effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
    await Promise.allSettled(passing.map((animation) => animation.finished))
  })
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}
