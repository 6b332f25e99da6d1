import fc from 'fast-check'
import { expect, it } from 'vitest'
import { EMBED_ORIGIN } from './embeds.ts'

const pattern = new RegExp(EMBED_ORIGIN)

it('accepts what browsers call an origin', () => {
  const urls = [
    'https://blog.example',
    'http://127.0.0.1:8000',
    'https://[::1]:8443',
    'https://müller.example',
  ]
  for (const url of urls) expect(new URL(url).origin).toMatch(pattern)
})

it('accepts nothing that would end a directive', () => {
  const parts = fc.constantFrom(
    'https://',
    'a',
    '.',
    ':80',
    ';',
    ',',
    ' ',
    '*',
    "'",
    '\n',
    '/',
    '@',
    '[::1]',
    'é',
  )
  fc.assert(
    fc.property(
      fc.array(parts).map((some) => some.join('')),
      (text) => {
        if (pattern.test(text)) expect(text).toMatch(/^https?:\/\/[a-z0-9.:[\]-]+$/)
      },
    ),
  )
  for (const text of ['https://a.example; script-src *', 'https://a;b', 'https://a,b', 'https://a\n', '*'])
    expect(text).not.toMatch(pattern)
})
