import type { Programme as Placed } from '@looptide/playhead/programme'
import type { PlayableVideo, PlayerErrorKind, PlayerKind } from './player.ts'

/** What the player needs of a programme; contracts' Programme fits. */
export type LiveProgramme = Placed & { video: PlayableVideo & { title: string; artistName: string } }
export type LiveVideo = LiveProgramme['video']

/**
 * - connecting: nothing has played yet
 * - playing: the picture runs (`buffering` tells a stall)
 * - loading-next: 'Loading next video...'
 * - blocked: the browser wants a press: 'Tune in'
 * - unreachable: the player's or media's server does not answer
 * - off-air: the timeline has nothing for now
 */
export type LivePhase = 'connecting' | 'playing' | 'loading-next' | 'blocked' | 'unreachable' | 'off-air'

/** What is shown; replaced, never changed, and only when something in it changes. */
export type LiveState = {
  phase: LivePhase
  programme: LiveProgramme | undefined
  /** A video chosen by this viewer alone, played instead of the channel. */
  selected: LiveVideo | undefined
  /** The next two programmes. */
  upNext: readonly LiveProgramme[]
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

/** Figures of the sync loop, renewed four times a second. Times in ms. */
export type LiveTelemetry = {
  programmeId: string
  /** Player minus playhead; null while the player cannot be measured. */
  driftMs: number | null
  positionMs: number | null
  /** Server epoch ms at which positionMs was true. */
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

export const DEFAULT_VOLUME = 0.7

export const INITIAL_STATE: LiveState = {
  phase: 'connecting',
  programme: undefined,
  selected: undefined,
  upNext: [],
  buffering: false,
  playerKind: undefined,
  error: undefined,
  volume: DEFAULT_VOLUME,
  muted: true,
  soundBlocked: false,
}

/** A value that others read and subscribe to, in the shape that React's useSyncExternalStore wants. */
export type Store<T> = { get: () => T; subscribe: (listener: () => void) => () => void }

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

/** Whether two states show the same; lists are the same when their elements are. */
export function sameState(a: LiveState, b: LiveState): boolean {
  return (Object.keys(b) as (keyof LiveState)[]).every((key) => {
    const [before, after] = [a[key], b[key]]
    if (!Array.isArray(before) || !Array.isArray(after)) return Object.is(before, after)
    return before.length === after.length && before.every((item, index) => Object.is(item, after[index]))
  })
}
