import { CutPlanner } from './cut-planner.ts'
import type { LiveSessionOptions } from './live-session-options.ts'
import {
  createStore,
  INITIAL_STATE,
  type LiveProgramme,
  type LiveState,
  type LiveTelemetry,
  type SelectedVideo,
  type Store,
  sameState,
} from './live-state.ts'
import { type PlayerEvent, sourceOf } from './player.ts'
import { PlayerSlots } from './player-slots.ts'
import { SessionSound } from './session-sound.ts'
import { Ticker } from './ticker.ts'
import { TimelineWindow } from './timeline-window.ts'
import { TopUpTimers } from './top-up-timers.ts'
import { VideoPlayback } from './video-playback.ts'

const TICK_MS = 250

/**
 * Plays one channel for one viewer: follows the timeline from cut to cut. It makes no requests itself; its owner
 * provides the programmes and the server's time.
 */
export class LiveSession {
  readonly #options: LiveSessionOptions
  readonly #shown = createStore<LiveState>(INITIAL_STATE)
  readonly #measured = createStore<LiveTelemetry | undefined>(undefined)
  readonly #slots: PlayerSlots
  readonly #timeline = new TimelineWindow()
  readonly #cuts: CutPlanner
  readonly #topUps: TopUpTimers
  readonly #sound: SessionSound
  readonly #video: VideoPlayback
  /** The programme that is followed: a card, or the video of `#video`. */
  #begunId: string | undefined
  #everPlayed = false
  readonly #ticker = new Ticker(TICK_MS, () => this.#tick())

  constructor(options: LiveSessionOptions) {
    this.#options = options
    this.#slots = new PlayerSlots(options.players, (event) => this.#onEvent(event))
    this.#cuts = new CutPlanner(this.#timeline, this.#slots)
    this.#topUps = new TopUpTimers(() => {
      if (this.#timeline.isLow(options.serverNowMs())) options.onProgrammesNeeded()
    })
    this.#sound = new SessionSound(this.#shown.get, (change) => {
      this.#update(change)
      this.#slots.setSound(this.#sound.now)
    })
    this.#sound.allow(false)
    this.#video = new VideoPlayback({
      options,
      slots: this.#slots,
      cuts: this.#cuts,
      timeline: this.#timeline,
      isMuted: () => this.#sound.now.muted,
      update: (change) => this.#update(change),
      setTelemetry: this.#measured.set,
    })
  }

  get state(): Store<LiveState> {
    return this.#shown
  }

  get telemetry(): Store<LiveTelemetry | undefined> {
    return this.#measured
  }

  /** Starts to play into `host` and to follow the timeline. */
  start(host: HTMLElement): void {
    this.stop()
    this.#slots.open(host)
    this.#ticker.start()
    this.#tick()
  }

  /** Stops and empties the host; `start()` may follow. */
  stop(): void {
    this.#ticker.stop()
    this.#clearTimers()
    this.#slots.close()
    this.#unload()
    this.#cuts.forget()
    this.#everPlayed = false
    this.#update({ phase: 'connecting', buffering: false, error: undefined, playerKind: undefined })
  }

  /** Sets the programmes from the current one on; undefined while none have been received (e.g. another channel). */
  setTimeline(programmes: readonly LiveProgramme[] | undefined): void {
    this.#timeline.replace(programmes)
    this.#tick()
  }

  /** Allows sound; not for signed-out viewers. */
  setAudioAllowed(allowed: boolean): void {
    this.#sound.allow(allowed)
  }

  /** From 0 to 1. 0 mutes, above 0 unmutes (docs/product/viewer.md §4). */
  setVolume(volume: number): void {
    this.#sound.setVolume(volume)
  }

  setMuted(muted: boolean): void {
    this.#sound.setMuted(muted)
  }

  /** Plays after a user gesture: after `blocked`, or to enable sound. */
  tuneIn(): void {
    this.#sound.setBlocked(false)
    this.#slots.current?.player.play()
  }

  /** Loads the current video again. */
  retryNow(): void {
    this.#unload()
    this.#update({ phase: 'connecting', error: undefined })
    this.#tick()
  }

  /** Updates at once, e.g. when the page becomes visible. */
  refresh(): void {
    this.#tick()
  }

  /** Plays a video from its start instead of the channel, only for this viewer. */
  select(video: SelectedVideo): void {
    const source = sourceOf(video)
    if (!source) return
    this.#clearTimers()
    this.#unload()
    this.#update({ selected: video, phase: 'loading-next', error: undefined, playerKind: source.kind })
    this.#slots.show(source.kind)?.player.load(source, video.startAtMs)
  }

  /** Returns to the channel. */
  backToLive(): void {
    if (!this.#shown.get().selected) return
    this.#leaveSelected()
    this.#tick()
  }

  #leaveSelected(): void {
    this.#unload()
    this.#update({ selected: undefined, phase: 'loading-next', error: undefined })
  }

  /** Whether the selected video has played to its trim point. The player reports only the end of the media. */
  #isOver({ endAtMs }: SelectedVideo): boolean {
    if (endAtMs === null) return false
    const reading = this.#slots.current?.player.read()
    return reading != null && reading.positionMs >= endAtMs
  }

  #tick(): void {
    if (!this.#slots.isOpen) return
    const { selected } = this.#shown.get()
    if (selected && !this.#isOver(selected)) return
    if (selected) this.#leaveSelected()
    const nowMs = this.#options.serverNowMs()
    const programme = this.#cuts.due(nowMs, this.#begunId)
    if (programme) this.#follow(programme, nowMs)
    else this.#goOffAir(nowMs)
  }

  #follow(programme: LiveProgramme, nowMs: number): void {
    if (programme.id !== this.#begunId) this.#begin(programme, nowMs)
    else if (programme.video) this.#video.replaceProgramme(programme)
    // A card is shown to its end, although the video after it has been loaded early.
    const card = this.#timeline.cardAt(nowMs)
    const shown = card ?? programme
    this.#slots.silence(card !== undefined)
    const following = this.#timeline.nextVideos(nowMs, 3).filter(({ id }) => id !== shown.id)
    this.#update({ programme: shown, upNext: following.slice(0, 2) })
    // Only after the cut: until then the deck to fill may still be visible.
    if (this.#shown.get().phase === 'playing') this.#cuts.prepare(nowMs, programme.id)
    this.#ticker.aim(this.#cuts.untilCut(nowMs, programme.id))
    if (programme.video) this.#video.sync(programme, nowMs)
  }

  #begin(programme: LiveProgramme, nowMs: number): void {
    this.#clearTimers()
    this.#begunId = programme.id
    this.#update({ substitute: undefined })
    this.#topUps.set(programme.endsAtMs - nowMs)
    if (programme.video) this.#video.begin(programme, nowMs, this.#everPlayed ? 'loading-next' : 'connecting')
    else this.#beginCard()
  }

  /** Until the next video the players rest. */
  #beginCard(): void {
    this.#video.unload()
    this.#slots.rest()
    this.#update({ playerKind: undefined })
    this.#onPlaying(undefined)
  }

  /** Stops the players while nothing is scheduled. */
  #goOffAir(nowMs: number): void {
    const phase = this.#timeline.isKnown ? 'off-air' : 'connecting'
    // A video that was played only for this viewer, or that is loaded again, belongs to no programme.
    if (this.#begunId !== undefined || this.#shown.get().phase !== phase) {
      this.#clearTimers()
      this.#slots.stopAll()
      this.#unload()
    }
    const following = this.#timeline.nextVideos(nowMs, 2)
    this.#update({ phase, buffering: false, error: undefined, programme: undefined, upNext: following })
    if (this.#timeline.isKnown) this.#topUps.repeat()
  }

  #onEvent(event: PlayerEvent): void {
    if (event.type === 'playing') this.#onPlaying(event.startErrorMs)
    else if (event.type === 'waiting') this.#update({ buffering: true })
    else if (event.type === 'blocked') this.#onBlocked(event.audible)
    else if (event.type === 'ended') this.#onEnded()
    else if (event.type === 'duration') this.#video.checkDuration(event.durationMs)
    // A selected video: the message shows the reason and a button back to live.
    else if (!this.#video.onError(event.kind, event.code))
      this.#update({ phase: 'unreachable', error: event.kind })
  }

  #onPlaying(startErrorMs: number | undefined): void {
    this.#video.onPlaying(startErrorMs)
    this.#everPlayed = true
    this.#update({ phase: 'playing', buffering: false, error: undefined })
  }

  /** If the browser refuses to play with sound, plays muted at once instead of waiting for a user gesture. */
  #onBlocked(audible: boolean): void {
    if (!audible || this.#shown.get().soundBlocked) {
      this.#update({ phase: 'blocked' })
      return
    }
    this.#sound.setBlocked(true)
    this.#slots.current?.player.play()
  }

  /** The video is shorter than its programme: waits for the cut. */
  #onEnded(): void {
    if (this.#shown.get().selected) this.backToLive()
    else if (this.#shown.get().substitute) this.#video.endSubstitute()
    else {
      this.#update({ phase: 'loading-next' })
      this.#topUps.request()
    }
  }

  #unload(): void {
    this.#begunId = undefined
    this.#video.unload()
    this.#update({ substitute: undefined })
    this.#slots.silence(false)
  }

  #clearTimers(): void {
    this.#ticker.aim(undefined)
    this.#video.clearRetry()
    this.#topUps.clear()
  }

  #update(change: Partial<LiveState>): void {
    const next = { ...this.#shown.get(), ...change }
    if (!sameState(this.#shown.get(), next)) this.#shown.set(next)
  }
}
