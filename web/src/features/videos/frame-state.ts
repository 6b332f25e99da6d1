import type { FrameEvent, FrameFault } from '../../lib/media/frame.ts'

/**
 * Where an embedded video is. loading: its frame is not there yet; blocked: the browser wants a press first.
 * `hasLoaded` stays true from then on: it is what a view is counted by.
 */
export interface FrameState {
  status: 'loading' | 'showing' | 'blocked' | 'ended' | 'failed'
  isPlaying: boolean
  hasLoaded: boolean
  fault: FrameFault | undefined
}

export const BEFORE_LOADING: FrameState = {
  status: 'loading',
  isPlaying: false,
  hasLoaded: false,
  fault: undefined,
}

/** The state after an event; `retry`: the viewer tries again. */
export function nextFrameState(state: FrameState, event: FrameEvent | { type: 'retry' }): FrameState {
  switch (event.type) {
    case 'retry':
      return { ...BEFORE_LOADING, hasLoaded: state.hasLoaded }
    case 'loaded':
      return { status: 'showing', isPlaying: false, hasLoaded: true, fault: undefined }
    case 'playing':
      return { ...state, status: 'showing', isPlaying: true, fault: undefined }
    case 'paused':
      // A player that fails, or comes to its end, pauses as well: that is no news.
      return { ...state, isPlaying: false }
    case 'blocked':
      return { ...state, status: 'blocked', isPlaying: false }
    case 'ended':
      return { ...state, status: 'ended', isPlaying: false }
    case 'failed':
      return { ...state, status: 'failed', isPlaying: false, fault: event.fault }
  }
}
