import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { isolatedNames } from './isolated-names.tsx'

it.each([
  ['Deactivate Pop?', 'Deactivate Pop?'],
  ['שלום: 3 dates added', '<bdi>שלום</bdi>: 3 dates added'],
  ['“نجوم الليل” on ערוץ 2', '“<bdi>نجوم الليل</bdi>” on <bdi>ערוץ</bdi> 2'],
])('isolates words that are written from right to left: %s', (sentence, html) => {
  expect(renderToStaticMarkup(isolatedNames(sentence))).toBe(html)
})
