import { expect, it } from 'vitest'
import { type Card, isDrawable } from './card.ts'
import { lettersOf } from './card-fonts.ts'
import { openFonts } from './shape-text.ts'

const card = (title: string): Card => ({
  ...{ label: 'Live TV', isLive: true, title, detail: 'Artist', stationName: 'Station' },
})

it.each([
  'Ærøskøbing – “Šćžł” … 3 €',
  'Đường đến ngày vinh quang',
  'Песня',
  'Ελληνικά',
  'أغنية',
  'می‌خواهم',
  'שיר',
  'เพลงที่รัก',
  'हिन्दी गीत',
  '夜に駆ける ♪',
  '봄날',
  '简体中文',
  'Party 🎉 👨‍👩‍👧 👍🏽 🇩🇪 ❤️',
])('can be drawn with the title %s', async (title) => {
  expect(isDrawable(card(title))).toBe(true)
  const fonts = await openFonts(title)
  const has = (letter: string) => fonts.some(({ letters }) => letters.has(letter.codePointAt(0) ?? 0))
  expect(lettersOf(title).filter((letter) => !has(letter))).toEqual([])
})

it('cannot be drawn with letters that the fonts lack, nor with control characters', () => {
  expect(
    ['ᚠᚢᚦ', '𓀀', '\u0000', '\u202e', '\ue000', '\ud800'].filter((title) => isDrawable(card(title))),
  ).toEqual([])
})
