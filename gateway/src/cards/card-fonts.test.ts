import { expect, it } from 'vitest'
import { furtherFilesFor, lettersOf } from './card-fonts.ts'

const fontOf = (text: string): string | undefined =>
  furtherFilesFor(lettersOf(text))
    .map(({ path }) => /noto-[a-z-]+(?=-\d+-wght)/.exec(path)?.[0])
    .at(0)

it('prefers the font that is for most letters of a text, which decides the forms of Han characters', () => {
  expect(['東京', '龙的传人', '방탄 防彈'].map(fontOf)).toEqual([
    'noto-sans-jp',
    'noto-sans-sc',
    'noto-sans-kr',
  ])
})
