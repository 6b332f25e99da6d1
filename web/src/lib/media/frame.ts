import type { PlayerErrorKind } from './player-error-kind.ts'
import type { PlayerRange } from './player-range.ts'

export type FrameFault = PlayerErrorKind

/** An event of an embedded video. `loaded` occurs once, before all others except `failed`. */
export type FrameEvent =
  | { type: 'loaded' }
  | { type: 'playing' }
  | { type: 'paused' }
  | { type: 'ended' }
  /** The browser wants a press first. */
  | { type: 'blocked' }
  | { type: 'failed'; fault: FrameFault }

export type FrameListener = (event: FrameEvent) => void

/** An embedded video with controls of its own. After `destroy` it plays and reports nothing. */
export interface Frame {
  play: () => void
  pause: () => void
  /** From the start of its range. */
  replay: () => void
  seek: (positionS: number) => void
  /** Seconds of the media; 0 before the video has loaded. */
  positionS: () => number
  destroy: () => void
}

/** A frame that can play further videos, which keeps its user activation. */
export type SharedFrame = Frame & {
  /** Plays this video from the start of its range. */
  show: (youtubeId: string, range: PlayerRange) => void
}

/** Whether fullscreen shows the page around the frame, or only the frame. */
export type FullscreenOwner = 'page' | 'frame'

export interface FrameOptions {
  /** Default: the page's. */
  fullscreen?: FullscreenOwner
  /** Where the first video begins if that is in its range, in seconds of the media. */
  resumeS?: number | undefined
}
