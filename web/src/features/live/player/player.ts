import type { PlayerCapabilities } from '@looptide/playhead/player-capabilities'
import type { PlayerErrorKind } from '../../../lib/media/player-error-kind.ts'

/**
 * The source of a programme: a media file or playlist (mp4, webm, m3u8), or a YouTube video. The positions of a live
 * stream (`isLive`) are the dates and times of its pictures (epoch ms).
 */
export type MediaSource =
  | { kind: 'html5'; url: string; isLive?: true | undefined }
  | { kind: 'youtube'; youtubeId: string }
export type PlayerKind = MediaSource['kind']

export type PlayerEvent =
  /** `startErrorMs`: the offset of the first moving picture, if the player measures it (late: negative). */
  | { type: 'playing'; startErrorMs?: number | undefined }
  | { type: 'waiting' }
  /** The browser requires a user gesture. `audible`: playing muted might be allowed. */
  | { type: 'blocked'; audible: boolean }
  | { type: 'ended' }
  | { type: 'duration'; durationMs: number }
  | { type: 'error'; kind: PlayerErrorKind; code: number }

/** A measured position at `atMs` (performance.now()). */
export interface PlayerReading {
  positionMs: number
  atMs: number
  uncertaintyMs: number
  bufferedAheadMs: number | null
}

/**
 * A media player. It reports events only of the source loaded last; its position is read, not pushed. All positions are
 * ms of media time.
 */
export interface Player {
  readonly kind: PlayerKind
  /** The corrections that the sync loop may use; may grow once the player has been tested. */
  capabilities: () => PlayerCapabilities
  /**
   * Shows `source` and plays it from `positionMs` as soon as possible. `atLocalMs` is the instant (performance.now()) at
   * which it should be at that position.
   */
  load: (source: MediaSource, positionMs: number, atLocalMs?: number) => void
  /** Preloads `source` at `positionMs`, hidden and muted. */
  prepare: (source: MediaSource, positionMs: number) => void
  /** Resumes, e.g. after a user gesture after `blocked`. */
  play: () => void
  /** Stops and hides until the next load. */
  stop: () => void
  /** Like `stop`, but keeps what is prepared. */
  rest: () => void
  seek: (positionMs: number) => void
  setRate: (rate: number) => void
  /** Volume from 0 to 1. */
  setSound: (sound: { volume: number; muted: boolean }) => void
  /** The position; null while it cannot be measured: loading, seeking, buffering, an advert, blocked, ended. */
  read: () => PlayerReading | null
  destroy: () => void
}

export type PlayerListener = (event: PlayerEvent) => void
/** Creates a player inside `host`. */
export type PlayerFactory = (host: HTMLElement, listener: PlayerListener) => Player

/** The media fields of the contract's `ProgrammeVideo`. */
export interface PlayableVideo {
  youtubeId: string | null
  mediaUrl: string | null
}

/** The source of a video; undefined if it has none, and for a card. */
export function sourceOf(video: PlayableVideo | null, isLive?: true): MediaSource | undefined {
  if (video === null) return undefined
  if (video.mediaUrl) return { kind: 'html5', url: video.mediaUrl, ...(isLive && { isLive }) }
  return video.youtubeId ? { kind: 'youtube', youtubeId: video.youtubeId } : undefined
}
