import { answerFault } from './fault-policy.ts'
import type { LiveSessionOptions } from './live-session-options.ts'
import type { LivePhase, LiveProgramme } from './live-state.ts'
import type { MediaSource, PlayerErrorKind } from './player.ts'

/** A programme that has been loaded, and how it has fared. */
export type Loaded = {
  programme: LiveProgramme
  source: MediaSource | undefined
  /** Its player had played before, so its start teaches how long starts take. */
  warm: boolean
  /** What its start taught has been learned. */
  taught: boolean
  retries: number
  toldUnreachable: boolean
}

type Told = Pick<LiveSessionOptions, 'onUnplayable' | 'onUnreachable'>

/** Does what the fault policy says: tells whom it concerns, and tries again later. */
export class FaultDesk {
  private readonly told: Told
  private readonly again: (loaded: Loaded) => void
  private retry: ReturnType<typeof setTimeout> | undefined

  /** `again` loads once more what could not be played. */
  constructor(told: Told, again: (loaded: Loaded) => void) {
    this.told = told
    this.again = again
  }

  /** A fault of what is loaded. Answers what is shown meanwhile, and whether the players may rest. */
  meet(loaded: Loaded, fault: PlayerErrorKind, code: number): { phase: LivePhase; isOver: boolean } {
    const kind = loaded.source?.kind ?? 'html5'
    const { report, unreachable, retryAfterMs } = answerFault(fault, kind, loaded.retries)
    if (retryAfterMs !== undefined) this.schedule(loaded, retryAfterMs)
    if (report) this.told.onUnplayable(loaded.programme, fault, code)
    if (unreachable && !loaded.toldUnreachable) {
      loaded.toldUnreachable = true
      this.told.onUnreachable(kind)
    }
    return { phase: unreachable ? 'unreachable' : 'loading-next', isOver: retryAfterMs === undefined }
  }

  clear(): void {
    clearTimeout(this.retry)
  }

  private schedule(loaded: Loaded, delayMs: number): void {
    loaded.retries += 1
    loaded.warm = false
    this.clear()
    this.retry = setTimeout(() => this.again(loaded), delayMs)
  }
}
