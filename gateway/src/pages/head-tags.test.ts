import { DEFAULT_BRAND } from '@looptide/contracts/brand'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeHtml, headTags, shorten } from './head-tags.ts'
import type { PageMetadata } from './page-metadata.ts'

const site = { brand: DEFAULT_BRAND, siteUrl: 'https://tv.example.test' }
const metadata: PageMetadata = { title: 'Title', description: 'Description', path: '/live', type: 'website' }

/** Decodes the HTML entities of an escaped text. */
const decodeHtml = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** Any text, with many characters that are special in HTML. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('<', '>', '"', "'", '&', '</title>', '<script>', '-->'),
    ),
  )
  .map((parts) => parts.join(''))

describe('escaped text', () => {
  it('contains no markup and no other entities', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const escaped = escapeHtml(text)
        expect(escaped).not.toMatch(/[<>"'\p{Cc}]/u)
        expect(escaped).not.toMatch(/&(?!amp;|lt;|gt;|quot;|#39;)/)
      }),
    )
  })

  it('decodes to the original text with collapsed white space', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const plain = text
          .toWellFormed()
          .replace(/[\p{Cc}\s]+/gu, ' ')
          .trim()
        expect(decodeHtml(escapeHtml(text))).toBe(plain)
      }),
    )
  })

  it('is shortened between code points', () => {
    expect(shorten('abc', 3)).toBe('abc')
    expect(shorten('ab🎵🎵d', 4)).toBe('ab🎵…')
  })
})

describe('a page’s head', () => {
  it('gets no element or attribute from a video title', () => {
    const shape = (html: string) => html.replace(/(content|href)="[^"]*"/g, '$1').replace(/>[^<]*</g, '><')
    const plain = shape(headTags(metadata, site))
    fc.assert(
      fc.property(anyText, anyText, (title, description) => {
        expect(shape(headTags({ ...metadata, title, description }, site))).toBe(plain)
      }),
    )
  })

  it('has one absolute canonical URL', () => {
    const html = headTags({ ...metadata, path: '/live?channel=a&b' }, site)
    expect(html).toContain('<link rel="canonical" href="https://tv.example.test/live?channel=a&amp;b">')
    expect(html).toContain('<meta property="og:url" content="https://tv.example.test/live?channel=a&amp;b">')
    expect(html).not.toContain('noindex')
  })

  it('has the picture of the video, or that of the station', () => {
    const image = (image?: string) =>
      /og:image" content="([^"]*)"/.exec(headTags({ ...metadata, image }, site))?.[1]
    expect(image('https://i.ytimg.com/vi/x/hqdefault.jpg')).toBe('https://i.ytimg.com/vi/x/hqdefault.jpg')
    expect(image('/test-card/a.jpg')).toBe('https://tv.example.test/test-card/a.jpg')
    expect(image('javascript:alert(1)')).toBe('https://tv.example.test/share.jpg')
    expect(image()).toBe('https://tv.example.test/share.jpg')
  })
})
