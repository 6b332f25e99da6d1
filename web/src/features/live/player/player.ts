import type { PlayerCapabilities } from '@looptide/playhead/drift-controller'

/** What plays a programme: a plain media file or list (mp4, webm, m3u8), or a YouTube video. */
export type MediaSource = { kind: 'html5'; url: string } | { kind: 'youtube'; youtubeId: string }
export type PlayerKind = MediaSource['kind']

/**
 * Why something does not play.
 * - invalid-source: the id or address itself is faulty (YouTube 2)
 * - unplayable: the media is there but cannot be played (YouTube 5, MediaError 3 and 4)
 * - not-found: removed or private (YouTube 100)
 * - not-embeddable: its owner does not allow it here (YouTube 101, 150)
 * - not-identified: YouTube was not told which site embeds it (153): our own fault, not the video's
 * - unreachable: the player's script or the media's server does not answer
 */
export type PlayerErrorKind =
  | 'invalid-source'
  | 'unplayable'
  | 'not-found'
  | 'not-embeddable'
  | 'not-identified'
  | 'unreachable'

export type PlayerEvent =
  /** `startErrorMs`: how far off the first moving picture was, where the player knows (late: negative). */
  | { type: 'playing'; startErrorMs?: number | undefined }
  | { type: 'waiting' }
  /** The browser wants a press first. `audible`: muted it might have been allowed. */
  | { type: 'blocked'; audible: boolean }
  | { type: 'ended' }
  | { type: 'duration'; durationMs: number }
  | { type: 'error'; kind: PlayerErrorKind; code: number }

/** A trustworthy position: true at `atMs` (performance.now()). */
export type PlayerReading = {
  positionMs: number
  atMs: number
  uncertaintyMs: number
  bufferedAheadMs: number | null
}

/**
 * One way of playing media. A player reports only about the source loaded last; its position is read, never
 * pushed. All positions are ms of media time.
 */
export type Player = {
  readonly kind: PlayerKind
  /** What the sync loop may ask of it; may become richer once the player has shown what it takes. */
  capabilities: () => PlayerCapabilities
  /**
   * Shows `source` and plays it from `positionMs` as soon as it can. `atLocalMs` is the instant (performance.now())
   * at which it should be there; without it no instant is better than another.
   */
  load: (source: MediaSource, positionMs: number, atLocalMs?: number) => void
  /** Gets `source` ready for a load soon, unseen and unheard. */
  prepare: (source: MediaSource) => void
  /** Plays on, e.g. from a viewer's press after 'blocked'. */
  play: () => void
  /** Silent and out of sight until the next load. */
  stop: () => void
  seek: (positionMs: number) => void
  setRate: (rate: number) => void
  /** Volume from 0 to 1. */
  setSound: (sound: { volume: number; muted: boolean }) => void
  /** Null while it cannot be measured: loading, seeking, buffering, an advert, blocked, over. */
  read: () => PlayerReading | null
  destroy: () => void
}

export type PlayerListener = (event: PlayerEvent) => void
/** Makes a player that draws into `host`. */
export type PlayerFactory = (host: HTMLElement, listener: PlayerListener) => Player

/** What a programme's video says of its media, as in contracts' ProgrammeVideo. */
export type PlayableVideo = { youtubeId: string | null; mediaUrl: string | null }

/** The source that plays a video; undefined when it names none. */
export function sourceOf(video: PlayableVideo): MediaSource | undefined {
  if (video.mediaUrl) return { kind: 'html5', url: video.mediaUrl }
  return video.youtubeId ? { kind: 'youtube', youtubeId: video.youtubeId } : undefined
}
