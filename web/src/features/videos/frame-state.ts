import type { FrameEvent, FrameFault } from '../../lib/media/frame.ts'

/**
 * The state of an embedded video. loading: the frame has not loaded; blocked: the browser requires a user gesture.
 * `hasLoaded` stays true after the first load, when the view is counted.
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

/** The state after an event; `retry`: the viewer has pressed "Try again". */
export function nextFrameState(state: FrameState, event: FrameEvent | { type: 'retry' }): FrameState {
  switch (event.type) {
    case 'retry':
      return { ...BEFORE_LOADING, hasLoaded: state.hasLoaded }
    case 'loaded':
      return { status: 'showing', isPlaying: false, hasLoaded: true, fault: undefined }
    case 'playing':
      return { ...state, status: 'showing', isPlaying: true, fault: undefined }
    case 'paused':
      // A player also pauses when it fails or ends; that pause is ignored.
      return { ...state, isPlaying: false }
    case 'blocked':
      return { ...state, status: 'blocked', isPlaying: false }
    case 'ended':
      return { ...state, status: 'ended', isPlaying: false }
    case 'failed':
      return { ...state, status: 'failed', isPlaying: false, fault: event.fault }
  }
}
