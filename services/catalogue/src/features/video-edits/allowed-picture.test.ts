import fc from 'fast-check'
import { expect, it } from 'vitest'
import { allowedPicture } from './allowed-picture.ts'

const ORIGINS = ['https://pictures.example', 'https://cdn.example:8443/']

it.each([
  ['https://i.ytimg.com/vi/dQw4w9WgXcQ/hqdefault.jpg', 'https://i.ytimg.com/vi/dQw4w9WgXcQ/hqdefault.jpg'],
  ['https://pictures.example/a.jpg?w=2', 'https://pictures.example/a.jpg?w=2'],
  ['HTTPS://Pictures.Example/a.jpg', 'https://pictures.example/a.jpg'],
  ['https://cdn.example:8443/a.jpg', 'https://cdn.example:8443/a.jpg'],
  ['/assets/a.png', '/assets/a.png'],
])('%s is allowed', (text, normalised) => {
  expect(allowedPicture(text, ORIGINS)).toBe(normalised)
})

it.each([
  'https://elsewhere.example/a.jpg',
  'http://pictures.example/a.jpg',
  'https://pictures.example:444/a.jpg',
  'https://pictures.example.evil.example/a.jpg',
  'https://pictures.example@evil.example/a.jpg',
  'https://user:pass@pictures.example/a.jpg',
  '//evil.example/a.jpg',
  '/\\evil.example/a.jpg',
  '/\t/evil.example/a.jpg',
  'javascript:alert(1)',
  'data:image/png;base64,AAAA',
  'a.jpg',
  ' ',
  '/.//pictures.example/a.jpg',
  '/./\\evil.example/a.jpg',
  '/x/..//evil.example/a.jpg',
])('%j is not allowed', (text) => {
  expect(allowedPicture(text, ORIGINS)).toBeNull()
})

it('allows only URLs of the configured origins, of YouTube’s thumbnails, and of the station', () => {
  const parts = fc.constantFrom(
    'https://',
    '/',
    '\\',
    '@',
    '.',
    'i.ytimg.com',
    'pictures.example',
    'x',
    '\t',
    ':',
    '#',
  )
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 8 }), (text) => {
      const allowed = allowedPicture(text.join(''), ORIGINS)
      if (allowed === null) return
      const { origin } = new URL(allowed, 'https://tv.example')
      expect(['https://tv.example', 'https://i.ytimg.com', 'https://pictures.example']).toContain(origin)
    }),
    { numRuns: 2000, examples: [[['/', '.', '/', '\\']]] },
  )
})
