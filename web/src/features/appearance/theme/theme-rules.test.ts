import { DEFAULT_THEME } from '@looptide/contracts/http/themes'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitInto } from '../../admin/theme-picture.ts'
import { contrastNotes, parseColor } from './theme-rules.ts'

describe('a typed color', () => {
  it.each([
    ['#2563EB', '#2563eb'],
    [' 2563eb ', '#2563eb'],
    ['#fa0', '#ffaa00'],
    ['red', undefined],
    ['#12345', undefined],
    ['#123456; background: red', undefined],
    ['', undefined],
  ])('%j is %j', (typed, color) => {
    expect(parseColor(typed)).toBe(color)
  })
})

describe('the note on contrast', () => {
  it('insufficient contrast is never called easy to read', () => {
    const [text] = contrastNotes(DEFAULT_THEME)
    expect(text?.text).toMatch(/easy to read/)
    const [grey] = contrastNotes({ ...DEFAULT_THEME, textColor: '#777777', backgroundColor: '#ffffff' })
    expect(grey).toMatchObject({ text: expect.stringMatching(/4\.4:1, too low/), isWarning: true })
  })

  it('white buttons and focus rings on a white page cause warnings', () => {
    const white = { ...DEFAULT_THEME, textColor: '#000000', backgroundColor: '#ffffff' }
    const warnings = contrastNotes({ ...white, primaryColor: '#ffffff', accentColor: '#ffffff' })
      .filter(({ isWarning }) => isWarning)
      .map(({ text }) => text)
    expect(warnings).toEqual([
      expect.stringMatching(/^Buttons on background: 1:1/),
      expect.stringMatching(/^Focus rings on background: 1:1/),
    ])
  })
})

describe('fitInto', () => {
  it('an image is scaled to fit the square and never enlarged', () => {
    const side = fc.integer({ min: 1, max: 20_000 })
    fc.assert(
      fc.property(side, side, (width, height) => {
        const fitted = fitInto(width, height, 640)
        expect(Math.max(fitted.width, fitted.height)).toBeLessThanOrEqual(640)
        expect(fitted.width).toBeLessThanOrEqual(width)
        expect(fitted.height).toBeLessThanOrEqual(height)
        expect(Math.min(fitted.width, fitted.height)).toBeGreaterThanOrEqual(1)
      }),
    )
    expect(fitInto(1280, 640, 640)).toEqual({ width: 640, height: 320 })
  })
})
