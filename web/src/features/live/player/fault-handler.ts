import type { PlayerErrorKind } from '../../../lib/media/player-error-kind.ts'
import { decideFault } from './fault-policy.ts'
import type { LiveSessionOptions } from './live-session-options.ts'
import type { LivePhase, LiveVideoProgramme, Substitute } from './live-state.ts'
import type { MediaSource } from './player.ts'

/** A loaded programme and its playback history. */
export interface Loaded {
  programme: LiveVideoProgramme
  source: MediaSource | undefined
  /** Whether its player had played before, so that its start delay is representative. */
  warm: boolean
  /** Whether its start delay has been recorded. */
  startLearned: boolean
  retries: number
  unreachableReported: boolean
  /** The video that is played instead of the programme's. */
  substitute?: Substitute
  /** Substitutes that have not been tried; undefined until they have been requested. */
  substitutes?: Substitute[]
}

type Callbacks = Pick<LiveSessionOptions, 'onUnplayable' | 'onUnreachable' | 'onDuration'>

const DURATION_TOLERANCE_MS = 1_000

/** Applies the fault policy: reports faults and wrong durations, and schedules retries. */
export class FaultHandler {
  readonly #callbacks: Callbacks
  readonly #reload: (loaded: Loaded) => void
  #retryTimer: ReturnType<typeof setTimeout> | undefined

  /** `reload` loads the programme again. */
  constructor(callbacks: Callbacks, reload: (loaded: Loaded) => void) {
    this.#callbacks = callbacks
    this.#reload = reload
  }

  /** Handles a fault of the loaded programme; that of a substitute is not reported. Returns the phase to show, and whether no retry follows. */
  handle(loaded: Loaded, fault: PlayerErrorKind, code: number): { phase: LivePhase; isOver: boolean } {
    const kind = loaded.source?.kind ?? 'html5'
    const { report, unreachable, retryAfterMs } = decideFault(fault, kind, loaded.retries)
    if (retryAfterMs !== undefined) this.#schedule(loaded, retryAfterMs)
    if (report && !loaded.substitute) this.#callbacks.onUnplayable(loaded.programme, fault, code)
    if (unreachable && !loaded.unreachableReported) {
      loaded.unreachableReported = true
      this.#callbacks.onUnreachable(kind)
    }
    return { phase: unreachable ? 'unreachable' : 'loading-next', isOver: retryAfterMs === undefined }
  }

  /** Reports the measured duration of the loaded video's media if another one is known. */
  checkDuration(loaded: Loaded | undefined, durationMs: number): void {
    if (!loaded || loaded.substitute) return
    const { mediaDurationMs } = loaded.programme.video
    if (Math.abs(durationMs - mediaDurationMs) > DURATION_TOLERANCE_MS)
      this.#callbacks.onDuration(loaded.programme, durationMs)
  }

  clear(): void {
    clearTimeout(this.#retryTimer)
  }

  #schedule(loaded: Loaded, delayMs: number): void {
    loaded.retries += 1
    loaded.warm = false
    this.clear()
    this.#retryTimer = setTimeout(() => this.#reload(loaded), delayMs)
  }
}
