import { describe, expect, it } from 'vitest'
import { keyWithCtrl, matchKeys, type PageKey } from './page-keys.ts'

const key = (keys: string): PageKey => ({ keys, label: keys, run: () => undefined })
const KNOWN = [key('g l'), key('g a'), key('?'), key('l')]
const press = (name: string, atMs: number, pending?: { key: string; atMs: number }) => {
  const { match, pending: next } = matchKeys(KNOWN, { key: name, atMs }, pending)
  return { keys: match?.keys, pending: next?.key }
}

describe('matchKeys', () => {
  it('finds a single key', () => {
    expect(press('?', 0)).toEqual({ keys: '?', pending: undefined })
    expect(press('x', 0)).toEqual({ keys: undefined, pending: undefined })
  })

  it('waits for the second key of a sequence, which wins over a single key', () => {
    expect(press('g', 0)).toEqual({ keys: undefined, pending: 'g' })
    expect(press('l', 1_500, { key: 'g', atMs: 0 })).toEqual({ keys: 'g l', pending: undefined })
  })

  it('forgets the first key after a while, and after a key that does not follow it', () => {
    expect(press('l', 1_501, { key: 'g', atMs: 0 })).toEqual({ keys: 'l', pending: undefined })
    expect(press('a', 1_501, { key: 'g', atMs: 0 })).toEqual({ keys: undefined, pending: undefined })
    expect(press('x', 10, { key: 'g', atMs: 0 })).toEqual({ keys: undefined, pending: undefined })
    expect(press('g', 10, { key: 'g', atMs: 0 })).toEqual({ keys: undefined, pending: 'g' })
  })
})

describe('keyWithCtrl', () => {
  const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
  it.each([
    ['Ctrl+Z', { ...none, key: 'z', ctrlKey: true }],
    ['Ctrl+Z', { ...none, key: 'z', metaKey: true }],
    ['Ctrl+Shift+Z', { ...none, key: 'Z', ctrlKey: true, shiftKey: true }],
    [undefined, { ...none, key: 'z' }],
    // AltGr, with which some layouts type letters.
    [undefined, { ...none, key: 'z', ctrlKey: true, altKey: true }],
  ])('is %s', (name, event) => {
    expect(keyWithCtrl(event)).toBe(name)
  })
})
