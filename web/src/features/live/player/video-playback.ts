import type { PlayerErrorKind } from '../../../lib/media/player-error-kind.ts'
import type { CutPlanner } from './cut-planner.ts'
import { FaultHandler, type Loaded } from './fault-handler.ts'
import type { LiveSessionOptions } from './live-session-options.ts'
import type { LivePhase, LiveState, LiveTelemetry, LiveVideoProgramme } from './live-state.ts'
import { mediaPositionMs } from './live-state.ts'
import { sourceOf } from './player.ts'
import type { PlayerSlots } from './player-slots.ts'
import { isReplaceable, nextSubstitute, playedProgramme, substituteEndsAtMs } from './substitution.ts'
import { takeStep } from './sync-loop.ts'
import type { TimelineWindow } from './timeline-window.ts'

/** The parts of a session that its playback uses. */
interface Parts {
  options: LiveSessionOptions
  slots: PlayerSlots
  cuts: CutPlanner
  timeline: TimelineWindow
  isMuted: () => boolean
  /** Changes what the session shows. */
  update: (change: Partial<LiveState>) => void
  setTelemetry: (telemetry: LiveTelemetry | undefined) => void
}

/**
 * Plays the video of the current programme: loads it at the playhead, keeps it there, and plays a substitute if it is not
 * available in the viewer's region.
 */
export class VideoPlayback {
  readonly #parts: Parts
  readonly #faults: FaultHandler
  #loaded: Loaded | undefined

  constructor(parts: Parts) {
    this.#parts = parts
    this.#faults = new FaultHandler(parts.options, (loaded) => {
      if (this.#loaded === loaded) this.#load(parts.options.serverNowMs())
    })
  }

  /** Loads the video of a programme that begins; `phase` is shown until it plays. */
  begin(programme: LiveVideoProgramme, nowMs: number, phase: LivePhase): void {
    const { slots, update } = this.#parts
    const source = sourceOf(programme.video, programme.isLive)
    update({ phase, error: undefined, buffering: false, playerKind: source?.kind })
    const warm = source ? slots.isWarm(source.kind) : false
    this.#loaded = { programme, source, warm, startLearned: false, retries: 0, unreachableReported: false }
    this.#load(nowMs)
  }

  /** Replaces the loaded programme by a newer state of it, such as a later end. */
  replaceProgramme(programme: LiveVideoProgramme): void {
    if (this.#loaded) this.#loaded.programme = programme
  }

  /** Forgets the loaded video. The players are left as they are. */
  unload(): void {
    this.#loaded = undefined
    this.#parts.setTelemetry(undefined)
  }

  /** Cancels a scheduled retry. */
  clearRetry(): void {
    this.#faults.clear()
  }

  /** Takes a step of the drift controller, or ends a substitute that is shorter than the programme. */
  sync(programme: LiveVideoProgramme, nowMs: number): void {
    const { slots, timeline, isMuted, setTelemetry } = this.#parts
    const slot = slots.current
    if (!slot || !this.#loaded?.source) return
    const { substitute } = this.#loaded
    if (substitute && nowMs >= substituteEndsAtMs(programme, substitute)) {
      this.endSubstitute()
      return
    }
    const { telemetry, startDriftMs } = takeStep(slot.loop, playedProgramme(programme, this.#loaded), {
      nowMs,
      muted: isMuted(),
      window: timeline.extent(nowMs),
    })
    if (startDriftMs !== undefined) this.#learnStart(startDriftMs)
    setTelemetry(telemetry)
  }

  /** Records the start error (ms) that the player itself has measured; undefined if it does not measure it. */
  onPlaying(startErrorMs: number | undefined): void {
    if (startErrorMs !== undefined) this.#learnStart(startErrorMs)
  }

  /** Reports the measured duration of the media (ms) if another one is known. */
  checkDuration(durationMs: number): void {
    this.#faults.checkDuration(this.#loaded, durationMs)
  }

  /** Handles an error of the player. False if no programme's video is loaded. */
  onError(fault: PlayerErrorKind, code: number): boolean {
    const loaded = this.#loaded
    if (!loaded) return false
    const { phase, isOver } = this.#faults.handle(loaded, fault, code)
    if (isOver) this.#parts.slots.stopAll()
    if (isOver && isReplaceable(loaded, fault)) void this.#replace(loaded)
    else this.#parts.update({ phase, error: fault })
    return true
  }

  /** Shows for the rest of the programme why its own video does not play. */
  endSubstitute(): void {
    if (this.#loaded) this.#loaded.source = undefined
    this.#parts.slots.stopAll()
    this.#parts.update({ phase: 'loading-next', error: 'not-embeddable', substitute: undefined })
  }

  #load(nowMs: number): void {
    if (!this.#loaded) return
    const { source, warm } = this.#loaded
    const programme = playedProgramme(this.#loaded.programme, this.#loaded)
    const slot = source && this.#parts.slots.show(source.kind)
    if (!source || !slot) {
      this.onError('invalid-source', 0)
      return
    }
    slot.loop.begin()
    slot.used = true
    const leadMs = this.#parts.cuts.lead.of(source.kind, warm)
    slot.player.load(source, mediaPositionMs(programme, nowMs + leadMs), performance.now() + leadMs)
  }

  /** Records the first measured start error of a programme: the player's own, if it measures it. */
  #learnStart(startErrorMs: number): void {
    const { source, warm = false, startLearned = true } = this.#loaded ?? {}
    if (!this.#loaded || !source || !warm || startLearned) return
    this.#loaded.startLearned = true
    this.#parts.cuts.lead.learn(source.kind, startErrorMs)
  }

  /** Plays the next substitute of a programme whose video is not available in this viewer's region. */
  async #replace(loaded: Loaded): Promise<void> {
    const { options, slots, update } = this.#parts
    update({ phase: 'loading-next', error: undefined, substitute: undefined })
    const { findSubstitutes, serverNowMs } = options
    const substitute = await nextSubstitute(loaded, findSubstitutes, serverNowMs)
    if (this.#loaded !== loaded) return
    const source = substitute && sourceOf(substitute)
    if (!source) {
      this.endSubstitute()
      return
    }
    loaded.substitute = substitute
    loaded.source = source
    loaded.warm = slots.isWarm(source.kind)
    loaded.retries = 0
    update({ substitute, playerKind: source.kind })
    this.#load(serverNowMs())
  }
}
