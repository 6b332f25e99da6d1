import { describe, expect, it } from 'vitest'
import type { FrameEvent } from '../../lib/media/frame.ts'
import { BEFORE_LOADING, nextFrameState } from './frame-state.ts'

const after = (...events: (FrameEvent | { type: 'retry' })[]) => events.reduce(nextFrameState, BEFORE_LOADING)

describe('the state of an embedded video', () => {
  it('is loading until the frame is there', () => {
    expect(after()).toMatchObject({ status: 'loading', hasLoaded: false })
    expect(after({ type: 'loaded' })).toMatchObject({ status: 'showing', hasLoaded: true })
  })

  it('follows playing, pausing and the end', () => {
    expect(after({ type: 'loaded' }, { type: 'playing' })).toMatchObject({ isPlaying: true })
    expect(after({ type: 'loaded' }, { type: 'playing' }, { type: 'paused' })).toMatchObject({
      status: 'showing',
      isPlaying: false,
    })
    expect(after({ type: 'loaded' }, { type: 'ended' }, { type: 'paused' })).toMatchObject({
      status: 'ended',
    })
  })

  it('keeps why it failed until it plays after all', () => {
    const failed = after({ type: 'loaded' }, { type: 'failed', fault: 'not-embeddable' }, { type: 'paused' })
    expect(failed).toMatchObject({ status: 'failed', fault: 'not-embeddable', isPlaying: false })
    expect(nextFrameState(failed, { type: 'playing' })).toMatchObject({ status: 'showing', fault: undefined })
  })

  it('does not load for the first time twice, so that a view is counted once', () => {
    const again = after({ type: 'loaded' }, { type: 'failed', fault: 'unreachable' }, { type: 'retry' })
    expect(again).toEqual({ ...BEFORE_LOADING, hasLoaded: true })
    expect(after({ type: 'failed', fault: 'unreachable' }, { type: 'retry' }).hasLoaded).toBe(false)
  })
})
