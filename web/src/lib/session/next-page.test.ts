import fc from 'fast-check'
import { expect, it } from 'vitest'
import { paths } from '../paths.ts'
import { nextPageOf, ownPage } from './next-page.ts'

const ORIGIN = 'https://tv.example.test'
const next = (address: string) => nextPageOf(new URLSearchParams({ next: address }), ORIGIN)

it('returns the page of this app that the sign-in started from', () => {
  for (const page of ['/live', '/live?channel=test-card', '/members#sessions']) {
    expect(nextPageOf(new URL(paths.signIn(page), ORIGIN).search, ORIGIN)).toBe(page)
  }
  expect(nextPageOf('', ORIGIN)).toBeUndefined()
})

it('ignores URLs of other sites', () => {
  for (const address of [
    'https://evil.test/',
    '//evil.test/',
    '/\\evil.test/',
    '\\\\evil.test',
    'javascript:alert(1)',
    'https://tv.example.test@evil.test/',
    'https://tv.example.test//evil.test',
    '/..//evil.test',
  ]) {
    expect(next(address), address).toBeUndefined()
  }
})

it('never returns a URL of another site', () => {
  const piece = fc.constantFrom(
    '/',
    '\\',
    '//',
    '..',
    'https:',
    'evil.test',
    '@',
    ':',
    '\t',
    '?',
    '#',
    'a',
    '%2f',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const page = ownPage(pieces.join(''), ORIGIN)
      if (page !== undefined) expect(new URL(page, ORIGIN).origin).toBe(ORIGIN)
    }),
    { numRuns: 2000 },
  )
})
