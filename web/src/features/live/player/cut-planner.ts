import type { LiveProgramme } from './live-state.ts'
import { sourceOf } from './player.ts'
import type { Seats } from './seats.ts'
import { StartLead } from './start-lead.ts'
import type { TimelineWindow } from './timeline-window.ts'

const PREPARE_BEFORE_MS = 20_000

/** When to load what: a video is loaded as much before its instant as its player needs to begin. */
export class CutPlanner {
  readonly lead = new StartLead()
  private readonly timeline: TimelineWindow
  private readonly seats: Seats
  private preparedFor: string | undefined

  constructor(timeline: TimelineWindow, seats: Seats) {
    this.timeline = timeline
    this.seats = seats
  }

  /** How long before its instant (ms) a programme's video is to be loaded. */
  leadOf({ video }: LiveProgramme): number {
    const kind = sourceOf(video)?.kind
    return kind ? this.lead.of(kind, this.seats.isWarm(kind)) : 0
  }

  /** What should be loaded now: what is on, or already the next one if its player needs that long to begin. */
  due(nowMs: number, loadedId: string | undefined): LiveProgramme | undefined {
    const next = this.timeline.next(nowMs)
    const early = next && (next.id === loadedId || nowMs >= next.startsAtMs - this.leadOf(next))
    return early ? next : this.timeline.at(nowMs)
  }

  /** How long until the next programme is to be loaded (ms); undefined when it is, or there is none. */
  untilCut(nowMs: number, loadedId: string | undefined): number | undefined {
    const next = this.timeline.next(nowMs)
    if (!next || next.id === loadedId) return undefined
    return next.startsAtMs - this.leadOf(next) - nowMs
  }

  /** Gets the next programme's video ready in its seat once its time is near. */
  prepare(nowMs: number, loadedId: string | undefined): void {
    const next = this.timeline.next(nowMs)
    if (!next || next.startsAtMs - nowMs > PREPARE_BEFORE_MS) return
    if (this.preparedFor === next.id || next.id === loadedId) return
    const source = sourceOf(next.video)
    this.preparedFor = next.id
    if (source) this.seats.backstage(source.kind)?.player.prepare(source)
  }

  /** The players are gone, and with them what was ready. */
  forget(): void {
    this.preparedFor = undefined
  }
}
