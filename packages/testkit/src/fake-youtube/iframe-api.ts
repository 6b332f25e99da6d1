/// <reference lib="dom" />

/** How a fake YouTube player behaves. Times in ms. */
export interface FakeIframeApiOptions {
  /** Media URL by YouTube id; '*' for all others. */
  media: Record<string, string>
  /** Time from a load or seek to playback: `seekLatencyMs` ± `seekJitterMs`. */
  seekLatencyMs?: number
  seekJitterMs?: number
  /** Interval at which the reported position changes. */
  refreshMs?: number
  /** Duration of the advert before each video. playVideo() and seekTo() are ignored during it, as in the real player. */
  advertMs?: number
  /** State that the player reports during an advert. The real player uses all of them. The position stays 0. */
  advertState?: 'playing' | 'unstarted' | 'paused'
  /**
   * The media loops, for videos of any length. The player then reports a duration of 0. The picture freezes for 50 to
   * 100 ms at each repetition, unlike a real video.
   */
  repeats?: boolean
  /** Autoplay is blocked until playVideo() is called during a user gesture; 'audible': muted autoplay is allowed. */
  refuseAutoplay?: boolean | 'audible'
  /** 'whole': 0.25 steps; 'fine': 0.05 steps. */
  rates?: 'whole' | 'fine'
  /** Error codes by YouTube id (2, 5, 100, 101, 150, 153). */
  errors?: Record<string, number>
}

/** The calls to the players of a page, as `window.fakeYouTube`. */
interface FakeYouTubeCounts {
  /** Real position of the newest player (ms), without the API's rounding and delay. */
  positionMs: () => number | undefined
  loads: number
  seeks: number
  rateChanges: number
  plays: number
  blocked: number
}

declare global {
  interface Window {
    fakeYouTube?: FakeYouTubeCounts
    /** Options for this page's players, set before the script is loaded. */
    fakeYouTubeOptions?: Partial<FakeIframeApiOptions>
  }
}

interface PlayerOptions {
  videoId?: string
  events?: Record<string, ((event: { target: unknown; data?: number }) => void) | undefined>
}

const STATE = { unstarted: -1, ended: 0, playing: 1, paused: 2, buffering: 3, cued: 5 }

/**
 * The script of a fake IFrame Player API, to be served as `/iframe_api`. It defines `window.YT.Player` with a plain
 * `<video>` in the page. It simulates what affects synchronisation: slow seeks, a coarse position, adverts, blocked
 * autoplay, errors. `window.fakeYouTube` counts the calls.
 */
export function iframeApiScript(options: FakeIframeApiOptions): string {
  return `(() => {
    const STATE = ${JSON.stringify(STATE)};
    ${FakePlayer.toString()}
    const options = { ...${JSON.stringify(options)}, ...window.fakeYouTubeOptions };
    const counts = { positionMs: () => undefined, loads: 0, seeks: 0, rateChanges: 0, plays: 0, blocked: 0 };
    class Player extends FakePlayer {
      constructor(target, playerOptions) { super(target, playerOptions, options, counts) }
    }
    Object.assign(window, { YT: { Player, PlayerState: STATE }, fakeYouTube: counts });
    setTimeout(() => window.onYouTubeIframeAPIReady?.());
  })()`
}

/** Runs in the browser: only STATE is available from outside this class. */
class FakePlayer {
  readonly #video = document.createElement('video')
  readonly #events: NonNullable<PlayerOptions['events']>
  readonly #options: FakeIframeApiOptions
  readonly #counts: FakeYouTubeCounts
  #current = STATE.unstarted
  #videoId = ''
  #shown = { seconds: 0, atMs: 0 }
  #rate = 1
  #job = 0
  #advertUntilMs = 0
  /** Target position (s), also while playback is blocked. */
  #targetS = 0
  /** Offset added by repetitions of the media (s). */
  #lapsS = 0
  #lastS = 0
  #permitted: boolean
  /** User gestures on this page only: the browser may still count the one that led here. */
  #pressedAtMs = Number.NEGATIVE_INFINITY

  constructor(
    target: HTMLElement,
    { events = {} }: PlayerOptions,
    options: FakeIframeApiOptions,
    counts: FakeYouTubeCounts,
  ) {
    this.#events = events
    this.#options = options
    this.#counts = counts
    this.#permitted = options.refuseAutoplay !== true
    Object.assign(this.#video.style, { width: '100%', height: '100%', background: '#000' })
    this.#video.playsInline = true
    for (const press of ['pointerdown', 'keydown']) {
      addEventListener(press, () => {
        this.#pressedAtMs = performance.now()
      })
    }
    this.#video.loop = options.repeats === true
    this.#video.addEventListener('ended', () => this.#become(STATE.ended))
    counts.positionMs = () => (this.#current === STATE.playing ? this.#positionS() * 1000 : undefined)
    target.replaceWith(this.#video)
    setTimeout(() => this.#emit('onReady'), 50)
  }

  loadVideoById({ videoId, startSeconds = 0 }: { videoId: string; startSeconds?: number }): void {
    this.#counts.loads += 1
    this.#videoId = videoId
    const job = this.#newJob()
    this.#become(STATE.unstarted)
    const error = this.#options.errors?.[videoId]
    if (error !== undefined) {
      setTimeout(() => job === this.#job && this.#emit('onError', error), 100)
      return
    }
    this.#video.src = this.#options.media[videoId] ?? this.#options.media['*'] ?? ''
    this.#advertUntilMs = performance.now() + (this.#options.advertMs ?? 0)
    this.#goTo(startSeconds)
  }

  playVideo(): void {
    this.#counts.plays += 1
    if (performance.now() - this.#pressedAtMs < 1_000) this.#permitted = true
    if (this.#current !== STATE.playing && this.#videoId && !this.#isAdvert()) this.#goTo(this.#targetS)
  }

  pauseVideo(): void {
    this.#newJob()
    this.#targetS = this.#positionS()
    this.#video.pause()
    this.#become(STATE.paused)
  }

  stopVideo(): void {
    this.#newJob()
    this.#video.removeAttribute('src')
    this.#video.load()
    this.#become(STATE.cued)
  }

  seekTo(seconds: number): void {
    this.#counts.seeks += 1
    // An advert is not seekable: the request is ignored.
    if (!this.#isAdvert()) this.#goTo(seconds)
  }

  setPlaybackRate(rate: number): void {
    const before = this.#rate
    const rateStep = this.#options.rates === 'fine' ? 0.05 : 0.25
    this.#rate = 1 + Math.trunc((rate - 1) / rateStep + Math.sign(rate - 1) * 1e-6) * rateStep
    this.#video.playbackRate = this.#rate
    if (this.#rate !== before) this.#counts.rateChanges += 1
  }

  getPlaybackRate(): number {
    return this.#rate
  }

  getAvailablePlaybackRates(): number[] {
    return [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2]
  }

  mute(): void {
    this.#video.muted = true
  }

  unMute(): void {
    this.#video.muted = false
  }

  setVolume(percent: number): void {
    this.#video.volume = percent / 100
  }

  getCurrentTime(): number {
    if (this.#isAdvert()) return 0
    const refreshMs = this.#options.refreshMs ?? 250
    const sinceMs = performance.now() - this.#shown.atMs
    if (sinceMs >= refreshMs) {
      // The real player refreshes its position at its own times, not when it is asked.
      const lateMs = this.#current === STATE.playing ? sinceMs % refreshMs : 0
      const seconds = this.#positionS() - (lateMs / 1000) * this.#rate
      this.#shown = { seconds, atMs: this.#shown.atMs + sinceMs - lateMs }
    }
    return this.#shown.seconds
  }

  getDuration(): number {
    return Number.isFinite(this.#video.duration) && !this.#options.repeats ? this.#video.duration : 0
  }

  getVideoLoadedFraction(): number {
    const { buffered, duration } = this.#video
    if (this.#options.repeats) return 1
    return buffered.length > 0 && duration > 0 ? buffered.end(buffered.length - 1) / duration : 0
  }

  getPlayerState(): number {
    return this.#current
  }

  getIframe(): HTMLElement {
    return this.#video
  }

  destroy(): void {
    this.stopVideo()
    this.#video.remove()
  }

  /** Waits for the advert and the latency of a load or seek, then plays from there. */
  #goTo(seconds: number): void {
    const job = this.#newJob()
    this.#targetS = seconds
    this.#video.pause()
    this.#shown = { seconds, atMs: performance.now() }
    if (!this.#permitted || (this.#options.refuseAutoplay === 'audible' && !this.#video.muted)) {
      setTimeout(() => job === this.#job && this.#refuse(), 100)
      return
    }
    const advertMs = Math.max(0, this.#advertUntilMs - performance.now())
    this.#become(advertMs > 0 ? STATE[this.#options.advertState ?? 'playing'] : STATE.buffering)
    const jitterMs = (Math.random() * 2 - 1) * (this.#options.seekJitterMs ?? 0)
    const latencyMs = Math.max(0, (this.#options.seekLatencyMs ?? 0) + jitterMs)
    setTimeout(() => void this.#arrive(seconds, job), latencyMs + advertMs)
  }

  #refuse(): void {
    this.#counts.blocked += 1
    this.#emit('onAutoplayBlocked')
  }

  /** Seeks and plays, unless a later call has replaced this job meanwhile. */
  async #arrive(seconds: number, job: number): Promise<void> {
    if (job !== this.#job) return
    if (this.#video.readyState === 0) {
      await new Promise((resolve) => this.#video.addEventListener('loadedmetadata', resolve, { once: true }))
      if (job !== this.#job) return
    }
    this.#place(seconds)
    this.#video.playbackRate = this.#rate
    try {
      await this.#video.play()
    } catch (reason) {
      // A later load or pause rejects with AbortError, which is no refusal.
      if (reason instanceof DOMException && reason.name === 'NotAllowedError') this.#refuse()
    }
    if (job === this.#job && !this.#video.paused) this.#become(STATE.playing)
  }

  #isAdvert(): boolean {
    return performance.now() < this.#advertUntilMs
  }

  /** Seeks the media to `seconds` of the video. */
  #place(seconds: number): void {
    const { duration } = this.#video
    this.#lapsS = this.#options.repeats ? Math.floor(seconds / duration) * duration : 0
    this.#lastS = seconds - this.#lapsS
    this.#video.currentTime = this.#lastS
  }

  #positionS(): number {
    const { currentTime, duration } = this.#video
    if (this.#options.repeats && currentTime < this.#lastS - 1) this.#lapsS += duration
    this.#lastS = currentTime
    return this.#lapsS + currentTime
  }

  #newJob(): number {
    this.#job += 1
    return this.#job
  }

  #become(next: number): void {
    if (this.#current === next) return
    this.#current = next
    this.#shown = { seconds: this.#positionS(), atMs: performance.now() }
    this.#emit('onStateChange', next)
  }

  #emit(name: string, data?: number): void {
    this.#events[name]?.({ target: this, data })
  }
}
