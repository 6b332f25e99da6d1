import { positionMs } from '@looptide/playhead/programme'
import { NextAsker } from './end-timers.ts'
import { answerFault } from './fault-policy.ts'
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
import { type MediaSource, type PlayerErrorKind, type PlayerEvent, sourceOf } from './player.ts'
import { Seats } from './seats.ts'
import { SessionSound } from './session-sound.ts'
import { StartLead } from './start-lead.ts'
import { TimelineWindow } from './timeline-window.ts'

type Loaded = {
  programme: LiveProgramme
  source: MediaSource | undefined
  /** Its player had played before, so its start teaches how long starts take. */
  warm: boolean
  retries: number
  toldUnreachable: boolean
}

const TICK_MS = 250
const PREPARE_BEFORE_MS = 20_000
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
  private readonly lead = new StartLead()
  private readonly timeline = new TimelineWindow()
  private readonly asker: NextAsker
  private readonly sound: SessionSound
  private loaded: Loaded | undefined
  private everPlayed = false
  private preparedFor: string | undefined
  private ticker: ReturnType<typeof setInterval> | undefined
  private cut: ReturnType<typeof setTimeout> | undefined
  private retry: ReturnType<typeof setTimeout> | undefined

  constructor(options: LiveSessionOptions) {
    this.options = options
    this.seats = new Seats(options.players, (event) => this.onEvent(event))
    this.asker = new NextAsker(() => this.askIfLow())
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
    this.ticker = setInterval(() => this.tick(), TICK_MS)
    this.tick()
  }

  /** Leaves nothing behind in the host; start() may follow. */
  stop(): void {
    clearInterval(this.ticker)
    this.clearTimers()
    this.seats.close()
    this.loaded = undefined
    this.preparedFor = undefined
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

  /** From 0 to 1. 0 mutes, above 0 unmutes (viewer specification §4). */
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
    const programme = this.due(nowMs)
    if (programme) this.follow(programme, nowMs)
    else this.silence(nowMs)
  }

  private follow(programme: LiveProgramme, nowMs: number): void {
    if (programme.id !== this.loaded?.programme.id) this.begin(programme, nowMs)
    else this.loaded.programme = programme
    const following = this.timeline.following(nowMs, 3).filter(({ id }) => id !== programme.id)
    this.show({ programme, upNext: following.slice(0, 2) })
    this.prepareNext(nowMs)
    this.aimCut(nowMs)
    this.sync(programme, nowMs)
  }

  /** What should be loaded now: what is on, or already the next one if its player needs that long to begin. */
  private due(nowMs: number): LiveProgramme | undefined {
    const next = this.timeline.next(nowMs)
    const early = next && (this.isLoaded(next) || nowMs >= next.startsAtMs - this.leadOf(next))
    return early ? next : this.timeline.at(nowMs)
  }

  private isLoaded(programme: LiveProgramme): boolean {
    return this.loaded?.programme.id === programme.id
  }

  private leadOf({ video }: LiveProgramme): number {
    const kind = sourceOf(video)?.kind
    return kind ? this.lead.of(kind, this.seats.isWarm(kind)) : 0
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
    this.loaded = { programme, source, warm, retries: 0, toldUnreachable: false }
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
    seat.player.load(source, positionMs(programme, nowMs + this.lead.of(source.kind, warm)))
  }

  private sync(programme: LiveProgramme, nowMs: number): void {
    const seat = this.seats.current
    if (!seat || !this.loaded?.source) return
    const localNowMs = performance.now()
    const { startDriftMs, ...report } = seat.loop.step({
      startsAtMs: programme.startsAtMs,
      endsAtMs: programme.endsAtMs,
      muted: this.sound.now.muted,
      serverAt: (localMs) => nowMs + (localMs - localNowMs),
      localNowMs,
    })
    if (startDriftMs !== undefined && this.loaded.warm) this.lead.learn(seat.kind, startDriftMs)
    const { ahead, endsAtMs } = this.timeline.extent(nowMs)
    this.figures.set({
      ...report,
      programmeId: programme.id,
      bufferedProgrammes: ahead,
      windowEndsAtMs: endsAtMs,
    })
  }

  private prepareNext(nowMs: number): void {
    const next = this.timeline.next(nowMs)
    if (!next || next.startsAtMs - nowMs > PREPARE_BEFORE_MS) return
    // Not before the cut is done: the deck that is to be filled may still be in the picture.
    if (this.preparedFor === next.id || this.isLoaded(next) || this.shown.get().phase !== 'playing') return
    const source = sourceOf(next.video)
    this.preparedFor = next.id
    if (source) this.seats.backstage(source.kind)?.player.prepare(source)
  }

  /** Ticks are coarse; a cut is not. */
  private aimCut(nowMs: number): void {
    clearTimeout(this.cut)
    const next = this.timeline.next(nowMs)
    if (!next || this.isLoaded(next)) return
    const waitMs = next.startsAtMs - this.leadOf(next) - nowMs
    if (waitMs <= 2 * TICK_MS) this.cut = setTimeout(() => this.tick(), Math.max(waitMs, 0))
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
    if (event.type === 'playing') {
      this.everPlayed = true
      this.show({ phase: 'playing', buffering: false, error: undefined })
    } else if (event.type === 'waiting') this.show({ buffering: true })
    else if (event.type === 'blocked') this.onBlocked(event.audible)
    else if (event.type === 'ended') this.onEnded()
    else if (event.type === 'duration') this.onDuration(event.durationMs)
    else this.onError(event.kind, event.code)
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
    const kind = loaded.source?.kind ?? 'html5'
    const { report, unreachable, retryAfterMs } = answerFault(fault, kind, loaded.retries)
    this.show({ phase: unreachable ? 'unreachable' : 'loading-next' })
    if (retryAfterMs === undefined) this.seats.rest()
    else this.scheduleRetry(loaded, retryAfterMs)
    if (report) this.options.onUnplayable(loaded.programme, fault, code)
    if (!unreachable || loaded.toldUnreachable) return
    loaded.toldUnreachable = true
    this.options.onUnreachable(kind)
  }

  private scheduleRetry(loaded: Loaded, delayMs: number): void {
    loaded.retries += 1
    loaded.warm = false
    clearTimeout(this.retry)
    this.retry = setTimeout(() => {
      if (this.loaded === loaded) this.load(this.options.serverNowMs())
    }, delayMs)
  }

  private clearTimers(): void {
    clearTimeout(this.cut)
    clearTimeout(this.retry)
    this.asker.clear()
  }

  private show(change: Partial<LiveState>): void {
    const next = { ...this.shown.get(), ...change }
    if (!sameState(this.shown.get(), next)) this.shown.set(next)
  }
}
