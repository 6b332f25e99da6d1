import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { textParts } from './text-parts.ts'

const linksOf = (message: string): string[] =>
  textParts(message).flatMap((part) => (part.kind === 'link' ? [part.text] : []))

describe('a message', () => {
  it('is preserved exactly, and its links are http or https only, for any text', () => {
    const piece = fc.oneof(
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
      fc.constantFrom(
        'javascript:alert(1)',
        'data:text/html,x',
        'https://',
        'HTTP://A.b',
        '<b>',
        '(',
        ')',
        '"',
        '. ',
      ),
      fc.constantFrom('https://a@b.example', 'https://x.example:99999/', '\u202E', '\n', '👩‍🎤'),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const message = pieces.join('')
        const parts = textParts(message)
        expect(parts.map(({ text }) => text).join('')).toBe(message)
        for (const part of parts) {
          expect(part.text).not.toBe('')
          if (part.kind === 'text') continue
          const url = new URL(part.href)
          expect(['http:', 'https:']).toContain(url.protocol)
          expect(part.href).not.toMatch(/[\s<>"]/)
          expect([url.username, url.password, part.host]).toEqual(['', '', url.host])
          expect(part.host).toMatch(/^[\x21-\x7e]+$/)
        }
      }),
    )
  })

  it('contains links between words', () => {
    fc.assert(
      fc.property(fc.webUrl({ size: 'small' }), (address) => {
        fc.pre(/[a-z0-9/]$/i.test(address) && !/[{}|\\^`'"<>]/.test(address))
        expect(linksOf(`look: ${address} is it`)).toEqual([address])
      }),
    )
  })

  it.each([
    ['See https://looptide.tv/live.', 'https://looptide.tv/live'],
    [
      '(https://en.wikipedia.org/wiki/Tide_(disambiguation))',
      'https://en.wikipedia.org/wiki/Tide_(disambiguation)',
    ],
    ['“https://a.example/x”, she said', 'https://a.example/x'],
    ['https://a.example/?q=1&r=2#top!', 'https://a.example/?q=1&r=2#top'],
    ['HTTPS://A.EXAMPLE', 'HTTPS://A.EXAMPLE'],
    ['one\nhttp://a.example\ntwo', 'http://a.example'],
    ['[https://a.example/b]', 'https://a.example/b'],
  ])('%s', (message, link) => {
    expect(linksOf(message)).toEqual([link])
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'www.example.com',
    'ftp://a.example',
    'xhttps://a.example',
    'view-source:https://',
    'https://looptide.tv@evil.example',
    'https://user:word@evil.example',
    'https://',
    'https://..',
    'git+https://a.example',
  ])('%s is no link', (message) => {
    expect(linksOf(message)).toEqual([])
  })

  it('shows the ASCII host of a link in look-alike letters', () => {
    const [link] = textParts('https://lооptide.tv/')
    expect(link).toMatchObject({ kind: 'link', host: expect.stringMatching(/^xn--[a-z0-9-]+\.tv$/) })
  })
})
