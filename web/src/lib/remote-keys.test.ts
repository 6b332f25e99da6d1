import { describe, expect, it } from 'vitest'
import { type CaretEdges, type FocusKind, remoteActionFor } from './remote-keys.ts'

const everywhere: FocusKind[] = [
  'text',
  'lines',
  'range',
  'picker',
  'instant',
  'toggle',
  'button',
  'link',
  'other',
]
const AT_START: CaretEdges = { isAtStart: true, isAtEnd: false }
const AT_END: CaretEdges = { isAtStart: false, isAtEnd: true }
const kindOf = (key: string, focus: FocusKind) => remoteActionFor(key, focus)?.kind

describe('remoteActionFor', () => {
  it('moves the focus by arrows, except where they move a caret or a slider', () => {
    for (const focus of ['button', 'link', 'toggle', 'other'] as const) {
      expect(remoteActionFor('ArrowLeft', focus)).toEqual({ kind: 'move', key: 'ArrowLeft' })
    }
    for (const focus of ['text', 'range', 'picker'] as const) {
      expect(kindOf('ArrowLeft', focus)).toBeUndefined()
      expect(kindOf('ArrowDown', focus)).toBe('move')
    }
    expect(kindOf('ArrowDown', 'lines')).toBeUndefined()
  })

  it('leaves a date or a choice to the arrows that change it, unless it was come to by arrows', () => {
    for (const key of ['ArrowUp', 'ArrowDown']) {
      expect(kindOf(key, 'instant')).toBeUndefined()
      expect(remoteActionFor(key, 'instant', { isAtStart: true, isAtEnd: true })?.kind).toBe('move')
    }
    for (const key of ['ArrowLeft', 'ArrowRight']) {
      expect(remoteActionFor(key, 'instant', { isAtStart: true, isAtEnd: true })).toBeUndefined()
      expect(remoteActionFor(key, 'picker', { isAtStart: true, isAtEnd: true })?.kind).toBe('move')
    }
  })

  it('lets nobody be caught in a text or a slider: at its end an arrow leads on', () => {
    for (const focus of ['text', 'lines', 'range'] as const) {
      expect(remoteActionFor('ArrowLeft', focus, AT_START)?.kind).toBe('move')
      expect(remoteActionFor('ArrowRight', focus, AT_END)?.kind).toBe('move')
      expect(remoteActionFor('ArrowLeft', focus, AT_END)).toBeUndefined()
      expect(remoteActionFor('ArrowRight', focus, AT_START)).toBeUndefined()
    }
    expect(remoteActionFor('ArrowUp', 'lines', AT_START)?.kind).toBe('move')
    expect(remoteActionFor('ArrowDown', 'lines', AT_START)).toBeUndefined()
    expect(remoteActionFor('ArrowDown', 'lines', AT_END)?.kind).toBe('move')
  })

  it('goes back by Escape and the remote’s own key anywhere, by Backspace only where nobody types', () => {
    for (const focus of everywhere) {
      expect(kindOf('Escape', focus)).toBe('back')
      expect(kindOf('GoBack', focus)).toBe('back')
      const isTyping = focus === 'text' || focus === 'lines'
      expect(kindOf('Backspace', focus)).toBe(isTyping ? undefined : 'back')
      expect(kindOf('Home', focus)).toBe(
        isTyping || ['range', 'picker', 'instant'].includes(focus) ? undefined : 'home',
      )
    }
  })

  it('activates what the browser would not', () => {
    expect(kindOf(' ', 'link')).toBe('activate')
    expect(kindOf('Enter', 'toggle')).toBe('activate')
    expect(kindOf('Enter', 'picker')).toBe('activate')
    expect(kindOf('Enter', 'instant')).toBe('activate')
    expect(kindOf('Enter', 'link')).toBeUndefined()
    expect(kindOf('Enter', 'button')).toBeUndefined()
    expect(kindOf(' ', 'text')).toBeUndefined()
  })

  it('only notes play, pause, next and previous', () => {
    for (const key of ['MediaPlayPause', 'MediaTrackNext', 'MediaTrackPrevious']) {
      expect(remoteActionFor(key, 'other')).toEqual({ kind: 'log', key })
    }
    expect(kindOf('MediaStop', 'other')).toBe('home')
  })

  it('knows the guide, the channels and the volume', () => {
    for (const key of ['ContextMenu', 'Menu', 'Guide']) expect(kindOf(key, 'other')).toBe('guide')
    expect(remoteActionFor('ChannelUp', 'other')).toEqual({ kind: 'channel', step: 1 })
    expect(remoteActionFor('AudioVolumeDown', 'text')).toEqual({ kind: 'volume', step: -1 })
    expect(kindOf('AudioVolumeMute', 'other')).toBe('mute')
  })

  it('knows the keys of televisions that give them only a number', () => {
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

  it('believes the name of a key before its number', () => {
    expect(remoteActionFor({ key: 'Pause', keyCode: 19 }, 'other')).toBeUndefined()
    expect(remoteActionFor({ key: 'a', keyCode: 461 }, 'other')).toBeUndefined()
  })

  it('leaves every other key alone', () => {
    for (const key of ['a', 'Tab', 'F5', 'Shift', 'Pause']) {
      for (const focus of everywhere) expect(remoteActionFor(key, focus)).toBeUndefined()
    }
  })
})
