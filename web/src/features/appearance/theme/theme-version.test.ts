import { DEFAULT_THEME, THEME_FONTS, type ThemeBody } from '@looptide/contracts/http/themes'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changedFields, isThemeDraft, mergeTheme, themeConflict } from './theme-version.ts'

const color = fc.constantFrom('#000000', '#ffffff', '#2563eb')
const themes: fc.Arbitrary<ThemeBody> = fc.record({
  primaryColor: color,
  secondaryColor: color,
  accentColor: color,
  backgroundColor: color,
  textColor: color,
  fontFamily: fc.constantFrom(...THEME_FONTS),
  fontSize: fc.integer({ min: 12, max: 14 }),
  borderRadius: fc.integer({ min: 0, max: 2 }),
  logoUrl: fc.constantFrom(null, 'https://pictures.test/logo.png'),
  heroBackgroundUrl: fc.constant(null),
  cardStationName: fc.constantFrom('', 'Night TV'),
  cardNextText: fc.constantFrom('Coming up next', 'Next'),
  cardPreviousText: fc.constant('You just saw'),
  cardCountdownText: fc.constant('Starts in'),
})

test('if only one side has changes, the merge is that side', () => {
  fc.assert(
    fc.property(themes, themes, (base, other) => {
      expect(mergeTheme(base, other, base)).toEqual(other)
      expect(mergeTheme(base, base, other)).toEqual(other)
    }),
  )
})

test('a merge takes each setting from mine if I changed it, otherwise from theirs', () => {
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

test('another theme is a conflict, another version of the same theme is not', () => {
  const base = { theme: DEFAULT_THEME, etag: '"1"' }
  const draft = { theme: { ...DEFAULT_THEME, fontSize: 20 }, base }
  expect(themeConflict(draft, base)).toBeUndefined()
  expect(themeConflict(draft, { theme: DEFAULT_THEME, etag: '"2"' })).toBeUndefined()
  const theirs = { theme: { ...DEFAULT_THEME, textColor: '#000000' }, etag: '"2"' }
  expect(themeConflict(draft, theirs)).toBe(theirs)
  expect(themeConflict(undefined, theirs)).toBeUndefined()
})

test('a value stored by an incompatible release is not a draft', () => {
  expect(isThemeDraft({ theme: DEFAULT_THEME, base: { theme: DEFAULT_THEME, etag: '"1"' } })).toBe(true)
  for (const value of [null, {}, { theme: DEFAULT_THEME, base: null }, { theme: {}, base: {} }]) {
    expect(isThemeDraft(value)).toBe(false)
  }
})
