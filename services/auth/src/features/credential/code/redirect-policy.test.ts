import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RedirectPolicy } from './redirect-policy.ts'

const SITE = 'https://tv.example.test:8443/'
const policy = new RedirectPolicy('https://tv.example.test:8443', [
  'https://app.example.test/welcome',
  'looptide://signed-in',
  'not a url',
])

describe('the target of a mailed link', () => {
  it.each([
    'https://tv.example.test:8443/live?a=b#c',
    'https://app.example.test/welcome',
    'https://app.example.test/welcome/back?x=1',
    'looptide://signed-in',
    'looptide://signed-in/now',
  ])('allows %s', (url) => {
    expect(policy.resolve(url).href).toBe(new URL(url).href)
  })

  it.each([
    'https://tv.example.test.evil.test/',
    'https://tv.example.test:8443@evil.test/',
    'https://tv.example.test:8443.evil.test/',
    'https://user:pass@tv.example.test:8443/',
    'http://tv.example.test:8443/',
    'https://tv.example.test/',
    'https://tv.example.test:9000/',
    'https://evil.test/?u=https://tv.example.test:8443/',
    'https://evil.test/https://tv.example.test:8443/',
    'https://app.example.test/',
    'https://app.example.test/welcomeparty',
    'https://app.example.test/welcome/../admin',
    'looptide://elsewhere',
    '//evil.test/',
    '/live',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://evil.test\\@tv.example.test:8443/',
    '',
    undefined,
    42,
    `https://tv.example.test:8443/${'x'.repeat(3000)}`,
  ])('replaces %s by the site', (url) => {
    expect(policy.resolve(url).href).toBe(SITE)
  })

  it('never leads to a host that is not on the list, for any input', () => {
    const piece = fc.constantFrom(
      ...[
        'https:',
        'http:',
        '//',
        '/',
        '\\',
        '@',
        ':',
        '8443',
        '.',
        'evil.test',
        'tv.example.test',
        '#',
        '?',
        '%2e',
      ],
      ...['app.example.test', 'welcome', 'looptide', '\t', '\n', ' ', '%00', 'localhost', '..'],
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const url = policy.resolve(pieces.join(''))
        const origin = `${url.protocol}//${url.host}`
        expect([
          'https://tv.example.test:8443',
          'https://app.example.test',
          'looptide://signed-in',
        ]).toContain(origin)
        expect(url.username + url.password).toBe('')
      }),
      { numRuns: 2000 },
    )
  })
})
