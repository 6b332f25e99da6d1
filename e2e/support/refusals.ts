/// <reference lib="dom" />

import type { Page } from '@playwright/test'

/** Collects violations of the content security policy on this and all later pages: directive and URL. */
export async function watchRefusals(page: Page): Promise<string[]> {
  const refusals: string[] = []
  await page.exposeFunction('tellRefusal', (text: string) => refusals.push(text))
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
      const { tellRefusal } = window as unknown as { tellRefusal: (text: string) => void }
      tellRefusal(`${effectiveDirective} ${blockedURI}`)
    })
  })
  return refusals
}
