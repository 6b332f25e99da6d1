import { DEFAULT_THEME, THEME_PRESETS, type ThemeBody } from '@looptide/contracts/http/themes'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contrast, inkOn, mix } from './colours.ts'
import { themeVariables } from './theme-variables.ts'

const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

/** WCAG 2.2 AA for all that is drawn in a theme. */
function expectReadable(theme: ThemeBody): void {
  const variables = themeVariables(theme)
  const value = (name: string) => variables[`--theme-${name}`] ?? ''
  for (const background of ['background', 'deep', 'panel', 'raised'].map(value)) {
    for (const text of ['text', 'muted', 'link'].map(value)) {
      expect(contrast(text, background)).toBeGreaterThanOrEqual(4.5)
    }
    for (const shape of ['focus', 'edge'].map(value)) {
      expect(contrast(shape, background)).toBeGreaterThanOrEqual(3)
    }
  }
  for (const background of ['background', 'deep', 'panel'].map(value)) {
    expect(contrast(value('primary-edge'), background)).toBeGreaterThanOrEqual(3)
  }
  for (const background of ['#000000', '#14171b', '#20242a']) {
    expect(contrast(value('dark-link'), background)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(value('dark-primary-edge'), background)).toBeGreaterThanOrEqual(3)
    expect(contrast(value('dark-focus'), background)).toBeGreaterThanOrEqual(3)
  }
  for (const fill of ['primary', 'secondary', 'accent']) {
    expect(contrast(value(fill), value(`on-${fill}`))).toBeGreaterThanOrEqual(4.5)
  }
}

describe('themeVariables', () => {
  it('keeps every text readable on every surface, whatever colours an admin picks', () => {
    fc.assert(
      fc.property(colour, colour, colour, colour, colour, (...colours) => {
        const [backgroundColor, textColor, primaryColor, secondaryColor, accentColor] = colours
        expectReadable({
          ...DEFAULT_THEME,
          backgroundColor,
          textColor,
          primaryColor,
          accentColor,
          secondaryColor,
        })
      }),
      { numRuns: 500 },
    )
  })

  it.each(THEME_PRESETS.map(({ name, theme }) => [name, theme] as const))(
    'keeps the preset %s readable',
    (_name, theme) => expectReadable(theme),
  )

  it('puts a picture of any address into CSS as an address and nothing else', () => {
    const heroBackgroundUrl = 'https://pictures.test/a".png"); x: "b\\c d'
    expect(themeVariables({ ...DEFAULT_THEME, heroBackgroundUrl })).toMatchObject({
      '--theme-hero-background': 'url("https://pictures.test/a%22.png%22);%20x:%20%22b%5Cc%20d")',
    })
  })

  it('leaves the colours of the default theme as they are', () => {
    expect(themeVariables(DEFAULT_THEME)).toMatchObject({
      '--theme-background': '#1f2937',
      '--theme-primary': '#2563eb',
      '--theme-text': '#ffffff',
      '--theme-focus': '#f59e0b',
      '--theme-radius': '8px',
      '--theme-scale': '1',
    })
  })
})

describe('colours', () => {
  it('knows the contrast of black and white', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
    expect(contrast('#777777', '#777777')).toBe(1)
  })

  it('mixes from end to end', () => {
    expect(mix('#000000', '#ffffff', 0)).toBe('#000000')
    expect(mix('#000000', '#ffffff', 1)).toBe('#ffffff')
    expect(mix('#102030', '#304050', 0.5)).toBe('#203040')
  })

  it('always finds an ink of at least 4.5 for one background', () => {
    fc.assert(fc.property(colour, (background) => contrast(inkOn(background), background) >= 4.5))
  })
})
