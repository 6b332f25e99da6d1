import { describe, expect, it } from 'vitest'
import { type CaretEdges, type FocusKind, REMOTE_KEYS, remoteActionFor } from './remote-keys.ts'

const everywhere: FocusKind[] = [
  'text',
  'textarea',
  'range',
  'number',
  'picker',
  'datetime',
  'toggle',
  'button',
  'link',
  'other',
]
const AT_START: CaretEdges = { isAtStart: true, isAtEnd: false }
const AT_END: CaretEdges = { isAtStart: false, isAtEnd: true }
const kindOf = (key: string, focus: FocusKind) => remoteActionFor(key, focus)?.kind

describe('remoteActionFor', () => {
  it('moves the focus with arrows, except where they move a caret or a slider', () => {
    for (const focus of ['button', 'link', 'toggle', 'other'] as const) {
      expect(remoteActionFor('ArrowLeft', focus)).toEqual({ kind: 'move', key: 'ArrowLeft' })
    }
    for (const focus of ['text', 'range', 'number', 'picker'] as const) {
      expect(kindOf('ArrowLeft', focus)).toBeUndefined()
      expect(kindOf('ArrowDown', focus)).toBe('move')
    }
    expect(kindOf('ArrowDown', 'textarea')).toBeUndefined()
  })

  it('lets arrows change a date or a select unless it was reached with arrows', () => {
    for (const key of ['ArrowUp', 'ArrowDown']) {
      expect(kindOf(key, 'datetime')).toBeUndefined()
      expect(remoteActionFor(key, 'datetime', { isAtStart: true, isAtEnd: true })?.kind).toBe('move')
    }
    for (const key of ['ArrowLeft', 'ArrowRight']) {
      expect(remoteActionFor(key, 'datetime', { isAtStart: true, isAtEnd: true })).toBeUndefined()
      expect(remoteActionFor(key, 'picker', { isAtStart: true, isAtEnd: true })?.kind).toBe('move')
    }
  })

  it('leaves a slider that was reached with arrows', () => {
    for (const key of ['ArrowLeft', 'ArrowRight']) {
      expect(remoteActionFor(key, 'range', { isAtStart: true, isAtEnd: true })?.kind).toBe('move')
    }
  })

  it('leaves a text or a slider with an arrow at its edge', () => {
    for (const focus of ['text', 'textarea', 'range'] as const) {
      expect(remoteActionFor('ArrowLeft', focus, AT_START)?.kind).toBe('move')
      expect(remoteActionFor('ArrowRight', focus, AT_END)?.kind).toBe('move')
      expect(remoteActionFor('ArrowLeft', focus, AT_END)).toBeUndefined()
      expect(remoteActionFor('ArrowRight', focus, AT_START)).toBeUndefined()
    }
    expect(remoteActionFor('ArrowUp', 'textarea', AT_START)?.kind).toBe('move')
    expect(remoteActionFor('ArrowDown', 'textarea', AT_START)).toBeUndefined()
    expect(remoteActionFor('ArrowDown', 'textarea', AT_END)?.kind).toBe('move')
  })

  it('goes back with Escape and the remote’s back key anywhere, with Backspace only outside text fields', () => {
    for (const focus of everywhere) {
      expect(kindOf('Escape', focus)).toBe('back')
      expect(kindOf('GoBack', focus)).toBe('back')
      const isTyping = focus === 'text' || focus === 'textarea'
      expect(kindOf('Backspace', focus)).toBe(isTyping ? undefined : 'back')
      expect(kindOf('Home', focus)).toBe(
        isTyping || ['range', 'number', 'picker', 'datetime'].includes(focus) ? undefined : 'home',
      )
    }
  })

  it('activates elements that the browser does not activate', () => {
    expect(kindOf(' ', 'link')).toBe('activate')
    expect(kindOf('Enter', 'toggle')).toBe('activate')
    expect(kindOf('Enter', 'picker')).toBe('activate')
    expect(kindOf('Enter', 'datetime')).toBe('activate')
    for (const key of ['Enter', ' ']) {
      expect(kindOf(key, 'range')).toBe('activate')
      expect(kindOf(key, 'number')).toBeUndefined()
    }
    expect(kindOf('Enter', 'link')).toBeUndefined()
    expect(kindOf('Enter', 'button')).toBeUndefined()
    expect(kindOf(' ', 'text')).toBeUndefined()
  })

  it('only logs play, pause, next and previous', () => {
    for (const key of ['MediaPlayPause', 'MediaTrackNext', 'MediaTrackPrevious']) {
      expect(remoteActionFor(key, 'other')).toEqual({ kind: 'log', key })
    }
    expect(kindOf('MediaStop', 'other')).toBe('home')
  })

  it('maps the guide, channel and volume keys', () => {
    for (const key of ['ContextMenu', 'Menu', 'Guide']) expect(kindOf(key, 'other')).toBe('guide')
    expect(remoteActionFor('ChannelUp', 'other')).toEqual({ kind: 'channel', step: 1 })
    expect(remoteActionFor('AudioVolumeDown', 'text')).toEqual({ kind: 'volume', step: -1 })
    expect(kindOf('AudioVolumeMute', 'other')).toBe('mute')
  })

  it('maps keys of televisions that report only a number', () => {
    const kindOfCode = (keyCode: number, key = 'Unidentified') =>
      remoteActionFor({ key, keyCode }, 'button')?.kind
    expect([461, 10_009].map((code) => kindOfCode(code))).toEqual(['back', 'back'])
    expect(remoteActionFor({ key: 'XF86Back', keyCode: 10_009 }, 'button')?.kind).toBe('back')
    expect(remoteActionFor({ key: 'Unidentified', keyCode: 427 }, 'other')).toEqual({
      kind: 'channel',
      step: 1,
    })
    expect(remoteActionFor({ key: '', keyCode: 428 }, 'other')).toEqual({ kind: 'channel', step: -1 })
    expect(kindOfCode(458)).toBe('guide')
    expect(kindOfCode(413)).toBe('home')
    expect(kindOfCode(10_252)).toBe('log')
    expect(kindOfCode(449)).toBe('mute')
    expect(kindOfCode(1)).toBeUndefined()
  })

  it('prefers the name of a key to its number', () => {
    expect(remoteActionFor({ key: 'Pause', keyCode: 19 }, 'other')).toBeUndefined()
    expect(remoteActionFor({ key: 'a', keyCode: 461 }, 'other')).toBeUndefined()
  })

  it('handles every key that is listed for people', () => {
    const names = new Map(
      Object.entries({ '←': 'ArrowLeft', '↑': 'ArrowUp', '→': 'ArrowRight', '↓': 'ArrowDown' }),
    )
    for (const key of REMOTE_KEYS.flatMap(({ keys }) => keys.split(' '))) {
      const actions = everywhere.map((focus) => remoteActionFor(names.get(key) ?? key, focus))
      expect(
        actions.some((action) => action !== undefined),
        key,
      ).toBe(true)
    }
  })

  it('ignores every other key', () => {
    for (const key of ['a', 'Tab', 'F5', 'Shift', 'Pause']) {
      for (const focus of everywhere) expect(remoteActionFor(key, focus)).toBeUndefined()
    }
  })
})
