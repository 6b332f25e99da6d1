import { DEFAULT_BRAND } from '@looptide/contracts/brand'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeHtml, headTags, shorten } from './head-tags.ts'
import type { PageFacts } from './page-facts.ts'

const site = { brand: DEFAULT_BRAND, siteUrl: 'https://tv.example.test' }
const facts: PageFacts = { title: 'Title', description: 'Words', path: '/live', type: 'website' }

/** What a reader of the HTML makes of an escaped text. */
const readHtml = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** Any text, with more than its share of what HTML minds. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('<', '>', '"', "'", '&', '</title>', '<script>', '-->'),
    ),
  )
  .map((parts) => parts.join(''))

describe('text in a page’s head', () => {
  it('stays text, whatever it is', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const escaped = escapeHtml(text)
        expect(escaped).not.toMatch(/[<>"'\p{Cc}]/u)
        expect(escaped).not.toMatch(/&(?!amp;|lt;|gt;|quot;|#39;)/)
      }),
    )
  })

  it('reads as it was, but for its white space', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const plain = text
          .toWellFormed()
          .replace(/[\p{Cc}\s]+/gu, ' ')
          .trim()
        expect(readHtml(escapeHtml(text))).toBe(plain)
      }),
    )
  })

  it('is cut between characters', () => {
    expect(shorten('abc', 3)).toBe('abc')
    expect(shorten('ab🎵🎵d', 4)).toBe('ab🎵…')
  })
})

describe('a page’s head', () => {
  it('makes no element or attribute of what a video is called', () => {
    const shape = (html: string) => html.replace(/(content|href)="[^"]*"/g, '$1').replace(/>[^<]*</g, '><')
    const plain = shape(headTags(facts, site))
    fc.assert(
      fc.property(anyText, anyText, (title, description) => {
        expect(shape(headTags({ ...facts, title, description }, site))).toBe(plain)
      }),
    )
  })

  it('names the page by one absolute address', () => {
    const html = headTags({ ...facts, path: '/live?channel=a&b' }, site)
    expect(html).toContain('<link rel="canonical" href="https://tv.example.test/live?channel=a&amp;b">')
    expect(html).toContain('<meta property="og:url" content="https://tv.example.test/live?channel=a&amp;b">')
    expect(html).not.toContain('noindex')
  })

  it('shows the video’s picture, or the station’s', () => {
    const image = (image?: string) =>
      /og:image" content="([^"]*)"/.exec(headTags({ ...facts, image }, site))?.[1]
    expect(image('https://i.ytimg.com/vi/x/hqdefault.jpg')).toBe('https://i.ytimg.com/vi/x/hqdefault.jpg')
    expect(image('/test-card/a.jpg')).toBe('https://tv.example.test/test-card/a.jpg')
    expect(image('javascript:alert(1)')).toBe('https://tv.example.test/share.jpg')
    expect(image()).toBe('https://tv.example.test/share.jpg')
  })
})
