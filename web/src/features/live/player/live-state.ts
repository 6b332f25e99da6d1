import { type Programme as Placed, positionMs } from '@looptide/playhead/programme'
import type { PlayerErrorKind } from '../../../lib/media/player-error-kind.ts'
import { DEFAULT_VOLUME } from '../../../lib/media/sound-settings.ts'
import type { PlayableVideo, PlayerKind } from './player.ts'

type TitledVideo = PlayableVideo & { title: string; artistName: string }
/** The video of a programme. The programme starts at `startAtMs` of its media. */
type LiveVideo = TitledVideo & { startAtMs: number; mediaDurationMs: number }
/** A video that this viewer sees instead of a programme's. `durationMs` is the length that is played. */
export type Substitute = LiveVideo & { durationMs: number; thumbnailUrl: string | null }
/** The fields of the contract's `VideoProgramme` that the player uses. */
export type LiveVideoProgramme = Placed & { videoId: string; video: LiveVideo; isLive?: true | undefined }
/** A card between videos. The page draws it while the players rest. */
export type LiveCard = Placed & { video: null }
export type LiveProgramme = LiveVideoProgramme | LiveCard
/** A video that is played from `startAtMs` to `endAtMs` of its media; null is the end of the media. */
export type SelectedVideo = TitledVideo & { startAtMs: number; endAtMs: number | null }

/**
 * How far behind the clock a live stream is shown (ms), so that every viewer has its pictures: an encoder publishes a
 * segment only when it is complete, and players buffer a few of them.
 */
const LIVE_DELAY_MS = 20_000

/**
 * The instant (server epoch ms) at which the programme's media would have been at position 0. Positions of a live stream
 * are dates and times.
 */
export const mediaZeroAtMs = ({ startsAtMs, video, isLive }: LiveVideoProgramme): number =>
  isLive ? LIVE_DELAY_MS : startsAtMs - video.startAtMs

/** The position in the programme's media at `nowMs` (server epoch ms), in ms, from its start to its end. */
export const mediaPositionMs = (programme: LiveVideoProgramme, nowMs: number): number =>
  programme.isLive ? nowMs - LIVE_DELAY_MS : positionMs(programme, nowMs) + programme.video.startAtMs

/**
 * - connecting: nothing has played yet
 * - playing: the picture moves, or stalls while `buffering`; or a card is on
 * - loading-next: 'Loading next video...'
 * - blocked: the browser requires a user gesture: 'Tune in'
 * - unreachable: the player's or media's server does not respond
 * - off-air: nothing is scheduled now
 */
export type LivePhase = 'connecting' | 'playing' | 'loading-next' | 'blocked' | 'unreachable' | 'off-air'

/** The visible state. Immutable: replaced when a field changes. */
export interface LiveState {
  phase: LivePhase
  programme: LiveProgramme | undefined
  /** A video selected by this viewer, played instead of the channel. */
  selected: SelectedVideo | undefined
  /** What this viewer sees instead of the programme's video, which is not available in the viewer's region. */
  substitute: Substitute | undefined
  /** The next two videos. */
  upNext: readonly LiveVideoProgramme[]
  buffering: boolean
  playerKind: PlayerKind | undefined
  /** Why the current video does not play. */
  error: PlayerErrorKind | undefined
  volume: number
  /** Muted by the viewer, or because no sound is allowed. */
  muted: boolean
  /** The browser allowed playing only without sound, until a press. */
  soundBlocked: boolean
}

/** Measurements of the sync loop, updated four times a second. Times in ms. */
export interface LiveTelemetry {
  programmeId: string
  /** Player minus playhead; null while the player cannot be measured. */
  driftMs: number | null
  positionMs: number | null
  /** Server time (epoch ms) of `positionMs`. */
  measuredAtMs: number
  /** The same instant on this page's own clock (performance.now()). */
  measuredAtLocalMs: number
  rate: number
  phase: 'settling' | 'steady' | 'nudging' | 'seeking'
  seekLatencyMs: number
  seeks: number
  rateChanges: number
  bufferedAheadMs: number | null
  /** Programmes known beyond the current one, and until when (server epoch ms). */
  bufferedProgrammes: number
  windowEndsAtMs: number
}

export const INITIAL_STATE: LiveState = {
  phase: 'connecting',
  programme: undefined,
  selected: undefined,
  substitute: undefined,
  upNext: [],
  buffering: false,
  playerKind: undefined,
  error: undefined,
  volume: DEFAULT_VOLUME,
  muted: true,
  soundBlocked: false,
}

/** A readable, observable value for React's `useSyncExternalStore`. */
export interface Store<T> {
  get: () => T
  subscribe: (listener: () => void) => () => void
}

/** A value that components subscribe to. Listeners are called after each `set`, also with an equal value. */
export function createStore<T>(initial: T): Store<T> & { set: (value: T) => void } {
  let current = initial
  const listeners = new Set<() => void>()
  return {
    get: () => current,
    set: (value) => {
      current = value
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The card that is shown instead of a picture; undefined during a video, also one of the viewer's choice. */
export const shownCard = ({ programme, selected }: LiveState): LiveCard | undefined =>
  !selected && programme?.video === null ? programme : undefined

/** Whether two states are equal; lists are compared by their elements. */
export function sameState(a: LiveState, b: LiveState): boolean {
  return (Object.keys(b) as (keyof LiveState)[]).every((key) => {
    const [before, after] = [a[key], b[key]]
    if (!Array.isArray(before) || !Array.isArray(after)) return Object.is(before, after)
    return before.length === after.length && before.every((item, index) => Object.is(item, after[index]))
  })
}
