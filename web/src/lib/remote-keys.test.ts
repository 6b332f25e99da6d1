import { describe, expect, it } from 'vitest'
import { type FocusKind, remoteActionFor } from './remote-keys.ts'

const everywhere: FocusKind[] = ['text', 'lines', 'range', 'toggle', 'button', 'link', 'other']
const kindOf = (key: string, focus: FocusKind) => remoteActionFor(key, focus)?.kind

describe('remoteActionFor', () => {
  it('moves the focus by arrows, except where they move a caret or a slider', () => {
    for (const focus of ['button', 'link', 'toggle', 'other'] as const) {
      expect(remoteActionFor('ArrowLeft', focus)).toEqual({ kind: 'move', key: 'ArrowLeft' })
    }
    for (const focus of ['text', 'range'] as const) {
      expect(kindOf('ArrowLeft', focus)).toBeUndefined()
      expect(kindOf('ArrowDown', focus)).toBe('move')
    }
    expect(kindOf('ArrowDown', 'lines')).toBeUndefined()
  })

  it('goes back by Escape and the remote’s own key anywhere, by Backspace only where nobody types', () => {
    for (const focus of everywhere) {
      expect(kindOf('Escape', focus)).toBe('back')
      expect(kindOf('GoBack', focus)).toBe('back')
      const isTyping = focus === 'text' || focus === 'lines'
      expect(kindOf('Backspace', focus)).toBe(isTyping ? undefined : 'back')
      expect(kindOf('Home', focus)).toBe(isTyping || focus === 'range' ? undefined : 'home')
    }
  })

  it('activates what the browser would not', () => {
    expect(kindOf(' ', 'link')).toBe('activate')
    expect(kindOf('Enter', 'toggle')).toBe('activate')
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

  it('leaves every other key alone', () => {
    for (const key of ['a', 'Tab', 'F5', 'Shift', 'AudioVolumeUp']) {
      for (const focus of everywhere) expect(remoteActionFor(key, focus)).toBeUndefined()
    }
  })
})
