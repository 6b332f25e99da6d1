import { expect, it } from 'vitest'
import { directionOf, openFonts, type ShapedText, shapeText } from './shape-text.ts'

async function shaped(text: string, weight: 400 | 700 = 400): Promise<ShapedText> {
  return shapeText(text, directionOf(text), weight, await openFonts(text))
}
/** The outlines of the glyphs of a text from left to right, without their places. */
const glyphsOf = async (text: string): Promise<string[]> =>
  [...(await shaped(text)).outlines.matchAll(/ d="([^"]*)"/g)].map(([, outline = '']) => outline)

it('joins Arabic letters and stacks Devanagari ones', async () => {
  const [alone, joined] = await Promise.all([shaped('ب'), shaped('ببب')])
  expect(joined.width).toBeLessThan(alone.width * 2)
  expect(await glyphsOf('क्ष')).toHaveLength(1)
})

it.each([
  ['right-to-left text with brackets', 'ש (L) 3', '3 (L) ש'],
  ['brackets around words of both directions', 'ש L [D]', 'L [D] ש'],
  ['a right-to-left word in brackets', 'L (ש) D', 'L (ש) D'],
])('orders %s as browsers do', async (_what, text, fromLeftToRight) => {
  expect(await glyphsOf(text)).toEqual(await glyphsOf(`\u200e${fromLeftToRight}`))
})

it('draws a heavier weight', async () => {
  const [regular, bold] = await Promise.all([shaped('日本'), shaped('日本', 700)])
  expect(bold.outlines).not.toBe(regular.outlines)
})

it('draws an emoji of several as one, or as its first', async () => {
  expect(await glyphsOf('👍🏽')).toHaveLength(1)
  expect(await glyphsOf('🇩🇪')).toHaveLength(1)
})

it('refuses a letter that no font has', async () => {
  await expect(shaped('ᚠ')).rejects.toThrow('no font has ᚠ')
})
