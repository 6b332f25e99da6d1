import { DEFAULT_THEME, THEME_FONTS, type ThemeBody } from '@looptide/contracts/http/admin'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changedFields, isThemeDraft, mergeTheme, themeConflict } from './theme-version.ts'

const colour = fc.constantFrom('#000000', '#ffffff', '#2563eb')
const themes: fc.Arbitrary<ThemeBody> = fc.record({
  primaryColor: colour,
  secondaryColor: colour,
  accentColor: colour,
  backgroundColor: colour,
  textColor: colour,
  fontFamily: fc.constantFrom(...THEME_FONTS),
  fontSize: fc.integer({ min: 12, max: 14 }),
  borderRadius: fc.integer({ min: 0, max: 2 }),
  logoUrl: fc.constantFrom(null, 'https://pictures.test/logo.png'),
  heroBackgroundUrl: fc.constant(null),
})

test('without a change of theirs the merge is mine, and without one of mine it is theirs', () => {
  fc.assert(
    fc.property(themes, themes, (base, other) => {
      expect(mergeTheme(base, other, base)).toEqual(other)
      expect(mergeTheme(base, base, other)).toEqual(other)
    }),
  )
})

test('each setting of a merge is mine where I changed it, else theirs', () => {
  fc.assert(
    fc.property(themes, themes, themes, (base, mine, theirs) => {
      const merged = mergeTheme(base, mine, theirs)
      const own = changedFields(base, mine)
      for (const field of Object.keys(base) as (keyof ThemeBody)[]) {
        expect(merged[field]).toBe(own.includes(field) ? mine[field] : theirs[field])
      }
    }),
  )
})

test('another version of the same theme is no conflict, another theme is', () => {
  const base = { theme: DEFAULT_THEME, etag: '"1"' }
  const draft = { theme: { ...DEFAULT_THEME, fontSize: 20 }, base }
  expect(themeConflict(draft, base)).toBeUndefined()
  expect(themeConflict(draft, { theme: DEFAULT_THEME, etag: '"2"' })).toBeUndefined()
  const theirs = { theme: { ...DEFAULT_THEME, textColor: '#000000' }, etag: '"2"' }
  expect(themeConflict(draft, theirs)).toBe(theirs)
  expect(themeConflict(undefined, theirs)).toBeUndefined()
})

test('what an earlier release stored is no draft', () => {
  expect(isThemeDraft({ theme: DEFAULT_THEME, base: { theme: DEFAULT_THEME, etag: '"1"' } })).toBe(true)
  for (const value of [null, {}, { theme: DEFAULT_THEME, base: null }, { theme: {}, base: {} }]) {
    expect(isThemeDraft(value)).toBe(false)
  }
})
