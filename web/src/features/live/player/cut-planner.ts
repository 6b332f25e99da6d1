import { type LiveProgramme, mediaPositionMs } from './live-state.ts'
import { type PlayerKind, sourceOf } from './player.ts'
import type { PlayerSlots } from './player-slots.ts'
import type { TimelineWindow } from './timeline-window.ts'

const PREPARE_BEFORE_MS = 20_000

/** Decides when to load which video: as long before its start as its player needs to begin. */
export class CutPlanner {
  readonly lead = new StartLead()
  readonly #timeline: TimelineWindow
  readonly #slots: PlayerSlots
  #preparedFor: string | undefined

  constructor(timeline: TimelineWindow, slots: PlayerSlots) {
    this.#timeline = timeline
    this.#slots = slots
  }

  /** How long before its start (ms) a programme's video is loaded. */
  leadOf({ video }: LiveProgramme): number {
    const kind = sourceOf(video)?.kind
    return kind ? this.lead.of(kind, this.#slots.isWarm(kind)) : 0
  }

  /** The programme to load now: the current one, or the next one if its player needs that long to begin. */
  due(nowMs: number, loadedId: string | undefined): LiveProgramme | undefined {
    const next = this.#timeline.next(nowMs)
    const early = next && (next.id === loadedId || nowMs >= next.startsAtMs - this.leadOf(next))
    return early ? next : this.#timeline.at(nowMs)
  }

  /**
   * Time until the next programme must be loaded (ms); if it is already loaded, until the end of the card before it.
   * Undefined if there is none.
   */
  untilCut(nowMs: number, loadedId: string | undefined): number | undefined {
    const next = this.#timeline.next(nowMs)
    if (!next) return undefined
    if (next.id === loadedId) return this.#timeline.cardAt(nowMs) && next.startsAtMs - nowMs
    return next.startsAtMs - this.leadOf(next) - nowMs
  }

  /** Preloads the next video 20 s before its start. */
  prepare(nowMs: number, loadedId: string | undefined): void {
    const [next] = this.#timeline.nextVideos(nowMs, 1)
    if (!next || next.startsAtMs - nowMs > PREPARE_BEFORE_MS) return
    if (this.#preparedFor === next.id || next.id === loadedId) return
    const source = sourceOf(next.video, next.isLive)
    this.#preparedFor = next.id
    if (source) {
      this.#slots.prepareSlot(source.kind)?.player.prepare(source, mediaPositionMs(next, next.startsAtMs))
    }
  }

  /** Forgets the prepared video, when the players are destroyed. */
  forget(): void {
    this.#preparedFor = undefined
  }
}

/** Initial estimates (ms) from load to a moving picture, for a player that has played before and for a new one. */
const GUESS: Record<PlayerKind, { warm: number; cold: number }> = {
  html5: { warm: 40, cold: 150 },
  youtube: { warm: 700, cold: 1_500 },
}
const MAX_LEAD_MS = 1_500
const GAIN = 0.4
const STALL_MS = 3_000

/** How long before its start a video is loaded, so that its first frame is on time. Learned from measured starts. */
class StartLead {
  readonly #warm = new Map<PlayerKind, number>()

  of(kind: PlayerKind, isWarm: boolean): number {
    return isWarm ? (this.#warm.get(kind) ?? GUESS[kind].warm) : GUESS[kind].cold
  }

  /** Records a warm start that was off by `driftMs` (late: negative). More than 3 s is a stall and ignored. */
  learn(kind: PlayerKind, driftMs: number): void {
    if (Math.abs(driftMs) > STALL_MS) return
    const next = this.of(kind, true) - GAIN * driftMs
    this.#warm.set(kind, Math.min(Math.max(next, 0), MAX_LEAD_MS))
  }
}
