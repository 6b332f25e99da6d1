import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lookQuery, readLook } from './embed-look.ts'

const DEFAULT = { theme: 'dark', accent: undefined, isMuted: false, hasControls: true }

describe('the query of an embed', () => {
  it('chooses theme, accent, sound and controls', () => {
    expect(readLook('?theme=light&accent=ff8800&muted=1&controls=0')).toEqual({
      theme: 'light',
      accent: '#ff8800',
      isMuted: true,
      hasControls: false,
    })
    expect(readLook('?accent=%23f80&muted')).toEqual({ ...DEFAULT, accent: '#f80', isMuted: true })
  })

  it('is ignored where it is not understood', () => {
    for (const query of [
      '',
      '?theme=blue',
      '?accent=red',
      '?accent=ff880',
      '?muted=0',
      '?muted=no',
      '?controls=1',
    ])
      expect(readLook(query)).toEqual(DEFAULT)
    expect(readLook('?accent=fff;background:url(//evil.test)')).toEqual(DEFAULT)
  })

  it('never lets another text into the style', () => {
    fc.assert(
      fc.property(fc.string(), (accent) => {
        const read = readLook(`?${new URLSearchParams({ accent })}`)
        expect(read.accent ?? '#000').toMatch(/^#[0-9a-fA-F]{3,6}$/)
      }),
    )
  })

  it('is written as it is read, with nothing that was not understood', () => {
    for (const query of ['', '?theme=light&accent=ff8800&muted=1', '?accent=f80', '?controls=0'])
      expect(lookQuery(readLook(query))).toBe(query)
    expect(lookQuery(readLook('?theme=light&accent=red&muted&from=blog'))).toBe('?theme=light&muted=1')
  })
})
