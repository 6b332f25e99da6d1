import { positionMs } from '@looptide/playhead/programme'
import { CutPlanner } from './cut-planner.ts'
import { NextAsker } from './end-timers.ts'
import { FaultDesk, type Loaded } from './fault-desk.ts'
import type { LiveSessionOptions } from './live-session-options.ts'
import {
  createStore,
  INITIAL_STATE,
  type LiveProgramme,
  type LiveState,
  type LiveTelemetry,
  type LiveVideo,
  type Store,
  sameState,
} from './live-state.ts'
import { type PlayerErrorKind, type PlayerEvent, type PlayerKind, sourceOf } from './player.ts'
import { Seats } from './seats.ts'
import { SessionSound } from './session-sound.ts'
import { takeStep } from './sync-figures.ts'
import { Ticker } from './ticker.ts'
import { TimelineWindow } from './timeline-window.ts'

const TICK_MS = 250
const DURATION_SLACK_MS = 1_000

/**
 * One viewer in front of one channel: plays what the timeline says is on, cut by cut, from the window of programmes
 * it holds. It needs no network of its own; whoever owns it brings new windows and the time.
 */
export class LiveSession {
  private readonly options: LiveSessionOptions
  private readonly shown = createStore<LiveState>(INITIAL_STATE)
  private readonly figures = createStore<LiveTelemetry | undefined>(undefined)
  private readonly seats: Seats
  private readonly timeline = new TimelineWindow()
  private readonly cuts: CutPlanner
  private readonly asker: NextAsker
  private readonly sound: SessionSound
  private readonly faults: FaultDesk
  private loaded: Loaded | undefined
  private everPlayed = false
  private readonly ticker = new Ticker(TICK_MS, () => this.tick())

  constructor(options: LiveSessionOptions) {
    this.options = options
    this.seats = new Seats(options.players, (event) => this.onEvent(event))
    this.cuts = new CutPlanner(this.timeline, this.seats)
    this.asker = new NextAsker(() => this.askIfLow())
    this.faults = new FaultDesk(options, (loaded) => {
      if (this.loaded === loaded) this.load(options.serverNowMs())
    })
    this.sound = new SessionSound(this.shown.get, (change) => {
      this.show(change)
      this.seats.setSound(this.sound.now)
    })
    this.sound.allow(false)
  }

  get state(): Store<LiveState> {
    return this.shown
  }

  get telemetry(): Store<LiveTelemetry | undefined> {
    return this.figures
  }

  /** Begins to draw into `host` and to follow the timeline. */
  start(host: HTMLElement): void {
    this.stop()
    this.seats.open(host)
    this.ticker.start()
    this.tick()
  }

  /** Leaves nothing behind in the host; start() may follow. */
  stop(): void {
    this.ticker.stop()
    this.clearTimers()
    this.seats.close()
    this.loaded = undefined
    this.cuts.forget()
    this.everPlayed = false
    this.figures.set(undefined)
    this.show({ phase: 'connecting', buffering: false, error: undefined, playerKind: undefined })
  }

  /** The programmes from the one on the air on; undefined while none have been received (e.g. another channel). */
  setTimeline(programmes: readonly LiveProgramme[] | undefined): void {
    this.timeline.replace(programmes)
    this.tick()
  }

  /** Signed-out viewers hear nothing. */
  setAudioAllowed(allowed: boolean): void {
    this.sound.allow(allowed)
  }

  /** From 0 to 1. 0 mutes, above 0 unmutes (docs/product/viewer.md §4). */
  setVolume(volume: number): void {
    this.sound.setVolume(volume)
  }

  setMuted(muted: boolean): void {
    this.sound.setMuted(muted)
  }

  /** The viewer's press after 'blocked', or for sound. */
  tuneIn(): void {
    this.sound.setBlocked(false)
    this.seats.current?.player.play()
  }

  /** Tries what could not be reached or played once more. */
  retryNow(): void {
    this.loaded = undefined
    this.show({ phase: 'connecting', error: undefined })
    this.tick()
  }

  /** Looks at once, e.g. when the page becomes visible. */
  refresh(): void {
    this.tick()
  }

  /** Plays a video for this viewer only, from its beginning; the channel goes on without them. */
  select(video: LiveVideo): void {
    const source = sourceOf(video)
    if (!source) return
    this.clearTimers()
    this.loaded = undefined
    this.figures.set(undefined)
    this.show({ selected: video, phase: 'loading-next', error: undefined, playerKind: source.kind })
    this.seats.onStage(source.kind)?.player.load(source, 0)
  }

  /** Back to what is on the air. */
  backToLive(): void {
    if (!this.shown.get().selected) return
    this.loaded = undefined
    this.show({ selected: undefined, phase: 'loading-next', error: undefined })
    this.tick()
  }

  private tick(): void {
    if (!this.seats.isOpen || this.shown.get().selected) return
    const nowMs = this.options.serverNowMs()
    const programme = this.cuts.due(nowMs, this.loaded?.programme.id)
    if (programme) this.follow(programme, nowMs)
    else this.silence(nowMs)
  }

  private follow(programme: LiveProgramme, nowMs: number): void {
    if (programme.id !== this.loaded?.programme.id) this.begin(programme, nowMs)
    else this.loaded.programme = programme
    const following = this.timeline.following(nowMs, 3).filter(({ id }) => id !== programme.id)
    this.show({ programme, upNext: following.slice(0, 2) })
    // Not before the cut is done: the deck that is to be filled may still be in the picture.
    if (this.shown.get().phase === 'playing') this.cuts.prepare(nowMs, programme.id)
    this.ticker.aim(this.cuts.untilCut(nowMs, programme.id))
    this.sync(programme, nowMs)
  }

  private begin(programme: LiveProgramme, nowMs: number): void {
    this.clearTimers()
    const source = sourceOf(programme.video)
    this.show({
      phase: this.everPlayed ? 'loading-next' : 'connecting',
      error: undefined,
      buffering: false,
      playerKind: source?.kind,
    })
    const warm = source ? this.seats.isWarm(source.kind) : false
    this.loaded = { programme, source, warm, taught: false, retries: 0, toldUnreachable: false }
    this.asker.set(programme.endsAtMs - nowMs)
    this.load(nowMs)
  }

  private load(nowMs: number): void {
    if (!this.loaded) return
    const { programme, source, warm } = this.loaded
    const seat = source && this.seats.onStage(source.kind)
    if (!source || !seat) {
      this.onError('invalid-source', 0)
      return
    }
    seat.loop.begin()
    seat.used = true
    const leadMs = this.cuts.lead.of(source.kind, warm)
    seat.player.load(source, positionMs(programme, nowMs + leadMs), performance.now() + leadMs)
  }

  private sync(programme: LiveProgramme, nowMs: number): void {
    const seat = this.seats.current
    if (!seat || !this.loaded?.source) return
    const { figures, startDriftMs } = takeStep(seat.loop, programme, {
      nowMs,
      muted: this.sound.now.muted,
      window: this.timeline.extent(nowMs),
    })
    if (startDriftMs !== undefined) this.learnStart(seat.kind, startDriftMs)
    this.figures.set(figures)
  }

  /** The first to tell how a start went is the one who is believed: the player itself, where it knows. */
  private learnStart(kind: PlayerKind, startErrorMs: number): void {
    if (!this.loaded?.warm || this.loaded.taught) return
    this.loaded.taught = true
    this.cuts.lead.learn(kind, startErrorMs)
  }

  private askIfLow(): void {
    if (this.timeline.isLow(this.options.serverNowMs())) this.options.onProgrammesNeeded()
  }

  /** Nothing to play: the players rest. */
  private silence(nowMs: number): void {
    if (this.loaded) {
      this.clearTimers()
      this.seats.rest()
      this.loaded = undefined
      this.figures.set(undefined)
    }
    const phase = this.timeline.isKnown ? 'off-air' : 'connecting'
    const following = this.timeline.following(nowMs, 2)
    this.show({ phase, buffering: false, error: undefined, programme: undefined, upNext: following })
    if (this.timeline.isKnown) this.asker.keepAsking()
  }

  private onEvent(event: PlayerEvent): void {
    if (event.type === 'playing') this.onPlaying(event.startErrorMs)
    else if (event.type === 'waiting') this.show({ buffering: true })
    else if (event.type === 'blocked') this.onBlocked(event.audible)
    else if (event.type === 'ended') this.onEnded()
    else if (event.type === 'duration') this.onDuration(event.durationMs)
    else this.onError(event.kind, event.code)
  }

  private onPlaying(startErrorMs: number | undefined): void {
    const { source } = this.loaded ?? {}
    if (source && startErrorMs !== undefined) this.learnStart(source.kind, startErrorMs)
    this.everPlayed = true
    this.show({ phase: 'playing', buffering: false, error: undefined })
  }

  /** With sound it may not play, without it may: better a silent picture at once than a press first. */
  private onBlocked(audible: boolean): void {
    if (!audible || this.shown.get().soundBlocked) {
      this.show({ phase: 'blocked' })
      return
    }
    this.sound.setBlocked(true)
    this.seats.current?.player.play()
  }

  /** The video is shorter than its programme: wait for the cut. */
  private onEnded(): void {
    if (this.shown.get().selected) this.backToLive()
    else {
      this.show({ phase: 'loading-next' })
      this.askIfLow()
    }
  }

  private onDuration(durationMs: number): void {
    const { programme } = this.loaded ?? {}
    if (!programme) return
    const plannedMs = programme.endsAtMs - programme.startsAtMs
    if (Math.abs(durationMs - plannedMs) > DURATION_SLACK_MS) this.options.onDuration(programme, durationMs)
  }

  private onError(fault: PlayerErrorKind, code: number): void {
    this.show({ error: fault })
    const { loaded } = this
    // A video chosen by the viewer: they see why, and the way back to live.
    if (!loaded) {
      this.show({ phase: 'unreachable' })
      return
    }
    const { phase, isOver } = this.faults.meet(loaded, fault, code)
    this.show({ phase })
    if (isOver) this.seats.rest()
  }

  private clearTimers(): void {
    this.ticker.aim(undefined)
    this.faults.clear()
    this.asker.clear()
  }

  private show(change: Partial<LiveState>): void {
    const next = { ...this.shown.get(), ...change }
    if (!sameState(this.shown.get(), next)) this.shown.set(next)
  }
}
