import { DEFAULT_BRAND } from '@looptide/contracts/brand'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { oembedOf, oembedSize, oembedTarget } from './oembed.ts'

const SITE = 'https://tv.example'

describe('the target of an address', () => {
  it.each([
    ['https://tv.example/live', { channelId: 'default', view: 'player', look: '' }],
    ['https://tv.example/live?channel=rock', { channelId: 'rock', view: 'player', look: '' }],
    ['https://tv.example/live?channel=rock&theme=light', { channelId: 'rock', view: 'player', look: '' }],
    ['https://tv.example/embed/rock', { channelId: 'rock', view: 'player', look: '' }],
    [
      'https://tv.example/embed/rock?theme=light&accent=%23F80&muted&x="',
      { channelId: 'rock', view: 'player', look: '?theme=light&accent=F80&muted=1' },
    ],
    ['https://tv.example/embed/rock/now', { channelId: 'rock', view: 'now', look: '' }],
    ['https://tv.example/embed/rock/chat', { channelId: 'rock', view: 'chat', look: '' }],
  ])('%s', (address, target) => expect(oembedTarget(address, SITE)).toEqual(target))

  it.each([
    'https://tv.example/',
    'https://tv.example/admin',
    'https://tv.example/embed/rock/other',
    'https://tv.example/embed/%E0%A4%A',
    'http://tv.example/live',
    'https://tv.example.evil.test/live',
    'https://evil.test/?https://tv.example/live',
    'https://tv.example@evil.test/live',
    'javascript:alert(1)',
    '',
  ])('none for %s', (address) => expect(oembedTarget(address, SITE)).toBeUndefined())
})

describe('the size', () => {
  it('is the usual one, or what fits', () => {
    expect(oembedSize('player', {})).toEqual({ view: 'player', width: 640, height: 424 })
    expect(oembedSize('player', { maxwidth: 320 })).toEqual({ view: 'player', width: 320, height: 264 })
    expect(oembedSize('player', { maxheight: 300 })).toEqual({ view: 'player', width: 640, height: 300 })
    expect(oembedSize('now', {})).toEqual({ view: 'now', width: 480, height: 112 })
  })

  it('is that of the strip where YouTube permits no player', () => {
    expect(oembedSize('player', { maxheight: 263 })).toEqual({ view: 'now', width: 480, height: 112 })
    expect(oembedSize('player', { maxwidth: 199 })).toBeUndefined()
    expect(oembedSize('now', { maxheight: 111 })).toBeUndefined()
    expect(oembedSize('chat', { maxheight: 150 })).toBeUndefined()
  })

  it('is never larger than asked for, and no player is smaller than 200 × 200', () => {
    const side = fc.integer({ min: 1, max: 2000 })
    fc.assert(
      fc.property(fc.constantFrom('player', 'now', 'chat'), side, side, (view, maxwidth, maxheight) => {
        const size = oembedSize(view, { maxwidth, maxheight })
        if (size === undefined) return
        expect(size.width).toBeLessThanOrEqual(maxwidth)
        expect(size.height).toBeLessThanOrEqual(maxheight)
        if (size.view === 'player') expect(Math.min(size.width, size.height - 64)).toBeGreaterThanOrEqual(200)
      }),
    )
  })
})

it('puts no name of a channel into HTML as markup', () => {
  const name = `"><script>alert(1)</script>' onload='x`
  const size = { view: 'player', look: '?theme=light&muted=1', width: 640, height: 424 } as const
  const { html, title } = oembedOf({ id: 'a"b', name }, size, { brand: DEFAULT_BRAND, siteUrl: SITE })
  expect(title).toContain(name)
  expect(html).toContain('src="https://tv.example/embed/a%22b?theme=light&amp;muted=1"')
  expect(html).toContain(`title="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;' onload='x · `)
  expect(html).toMatch(/^<iframe [^<>]+><\/iframe>$/)
  expect(html).toContain(' referrerpolicy="strict-origin-when-cross-origin"')
})
