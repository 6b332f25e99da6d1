import { afterEach, beforeEach, expect, it, vi } from 'vitest'

beforeEach(() => vi.resetModules())
// Test files share modules: the next one must not get the locale of these browsers.
afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

const localeFor = async (languages: string[]) => {
  vi.stubGlobal('navigator', { languages })
  return (await import('./date-locale.ts')).dateLocale
}

it('is the first variant of English among the viewer’s languages', async () => {
  expect(await localeFor(['de-AT', 'en-AU', 'en-US'])).toBe('en-AU')
})

it('is British English for a viewer without English, so that no date mixes languages', async () => {
  expect(await localeFor(['de-DE', 'enm'])).toBe('en-GB')
  const date = new Date(2026, 10, 22).toLocaleDateString(await localeFor(['fr-FR']), { dateStyle: 'long' })
  expect(date).toBe('22 November 2026')
})

it('is none that a formatter refuses', async () => {
  expect(await localeFor(['en-US@posix', 'en_US', 'en-GB-oxendict'])).toBe('en-GB-oxendict')
})
