import { type PlayerCapabilities, YOUTUBE_CAPABILITIES } from '@looptide/playhead/player-capabilities'
import type { PlayerErrorKind } from '../../../lib/media/player-error-kind.ts'
import {
  frameHost,
  loadYouTubeApi,
  YOUTUBE_STATE,
  type YouTubeApi,
  type YouTubeFrame,
} from '../../../lib/media/youtube-api.ts'
import type { MediaSource, Player, PlayerEvent, PlayerListener, PlayerReading } from './player.ts'
import { YouTubePosition } from './youtube-position.ts'
import { tryRates } from './youtube-rates.ts'

/** The API's error codes; 153 means that YouTube received no Referer. */
const ERROR_KINDS = new Map<number, PlayerErrorKind>([
  [2, 'invalid-source'],
  [5, 'unplayable'],
  [100, 'not-found'],
  [101, 'not-embeddable'],
  [150, 'not-embeddable'],
  [153, 'not-identified'],
])

/** A position is refreshed at any time, and known only from the next reading on, in ms. */
const POLL_MS = 20
/** A player that never begins counts as blocked after this time, if the browser does not report it, in ms. */
const BLOCK_TIMEOUT_MS = 12_000
/** Delay until a pause counts as a pause by the system, in ms. */
const PAUSE_CONFIRM_MS = 700
/** A player that is neither ready nor fails in this time counts as unreachable, in ms. */
const READY_TIME_OUT_MS = 15_000
/** No controls, no keyboard, no annotations: the page has its own controls, and the timeline decides what plays. */
const PLAYER_VARS = {
  autoplay: 0,
  controls: 0,
  disablekb: 1,
  fs: 0,
  iv_load_policy: 3,
  playsinline: 1,
  rel: 0,
}

type Timer = ReturnType<typeof setTimeout> | undefined

/** Plays YouTube videos in one frame, which is kept for all videos to keep its user activation and cache. */
export class YouTubePlayer implements Player {
  readonly kind = 'youtube'
  readonly #mount = document.createElement('div')
  readonly #baseUrl: string
  readonly #listener: PlayerListener
  readonly #poll: ReturnType<typeof setInterval>
  #opening = false
  #frame: YouTubeFrame | undefined
  /** The frame accepts calls. */
  #ready = false
  #requested: { youtubeId: string; positionMs: number } | undefined
  /** The requested video has begun to play. */
  #begun = false
  #destroyed = false
  #sound = { volume: 0, muted: true }
  readonly #position = new YouTubePosition()
  #accepted: PlayerCapabilities = YOUTUBE_CAPABILITIES
  #triedRates = false
  #blockTimer: Timer
  #readyTimer: Timer

  constructor(host: HTMLElement, listener: PlayerListener, baseUrl: string) {
    this.#baseUrl = baseUrl
    this.#listener = listener
    Object.assign(this.#mount.style, { position: 'absolute', inset: '0', opacity: '0' })
    host.append(this.#mount)
    this.#poll = setInterval(() => this.#observe(), POLL_MS)
  }

  capabilities(): PlayerCapabilities {
    return this.#accepted
  }

  load(source: MediaSource, positionMs: number): void {
    if (source.kind !== 'youtube') return
    this.#requested = { youtubeId: source.youtubeId, positionMs }
    if (this.#ready) this.#begin()
    else if (!this.#frame) void this.#open()
  }

  /** Preloads only the script: a second frame would be a second player. */
  prepare(): void {
    loadYouTubeApi(this.#baseUrl).catch(() => {})
  }

  play(): void {
    this.#readyFrame()?.playVideo()
    if (!this.#begun) this.#startBlockTimer()
  }

  stop(): void {
    this.#requested = undefined
    this.#begun = false
    this.#position.forget()
    clearTimeout(this.#blockTimer)
    clearTimeout(this.#readyTimer)
    this.#mount.style.opacity = '0'
    this.#readyFrame()?.stopVideo()
  }

  /** Nothing is prepared in the frame. */
  rest(): void {
    this.stop()
  }

  seek(positionMs: number): void {
    this.#position.forget()
    this.#readyFrame()?.seekTo(positionMs / 1000, true)
  }

  setRate(rate: number): void {
    this.#position.atRate(rate)
    this.#readyFrame()?.setPlaybackRate(rate)
  }

  setSound(sound: { volume: number; muted: boolean }): void {
    this.#sound = sound
    const frame = this.#readyFrame()
    frame?.setVolume(Math.round(sound.volume * 100))
    if (sound.muted) frame?.mute()
    else frame?.unMute()
  }

  read(): PlayerReading | null {
    return this.#frame ? this.#position.read(this.#frame) : null
  }

  destroy(): void {
    this.stop()
    this.#destroyed = true
    clearInterval(this.#poll)
    this.#frame?.destroy()
    this.#mount.remove()
  }

  #readyFrame(): YouTubeFrame | undefined {
    return this.#ready ? this.#frame : undefined
  }

  async #open(): Promise<void> {
    if (this.#opening) return
    this.#opening = true
    try {
      const api = await loadYouTubeApi(this.#baseUrl)
      if (!this.#destroyed && this.#requested) this.#build(api, this.#requested.youtubeId)
    } catch {
      this.#emit({ type: 'error', kind: 'unreachable', code: 0 })
    } finally {
      this.#opening = false
    }
  }

  #build(api: YouTubeApi, videoId: string): void {
    const target = document.createElement('div')
    this.#mount.append(target)
    this.#frame = new api.Player(target, {
      host: frameHost(this.#baseUrl),
      width: '100%',
      height: '100%',
      videoId,
      playerVars: { ...PLAYER_VARS, origin: location.origin, widget_referrer: location.origin },
      events: {
        onReady: () => this.#onReady(),
        onStateChange: ({ data }) => this.#onState(data),
        onError: ({ data }) => this.#onError(data),
        onAutoplayBlocked: () => this.#onBlocked(),
      },
    })
    this.#readyTimer = setTimeout(() => this.#giveUpFrame(), READY_TIME_OUT_MS)
  }

  /** Removes a frame that did not become ready, so that the next load creates another. */
  #giveUpFrame(): void {
    if (this.#ready) return
    this.#frame?.destroy()
    this.#frame = undefined
    this.#mount.replaceChildren()
    this.#emit({ type: 'error', kind: 'unreachable', code: 0 })
  }

  #onReady(): void {
    if (this.#destroyed || !this.#frame) return
    clearTimeout(this.#readyTimer)
    this.#ready = true
    this.#frame.getIframe().setAttribute('tabindex', '-1')
    this.#begin()
  }

  /** Loads the requested video, which may have changed while the frame was created. */
  #begin(): void {
    const frame = this.#readyFrame()
    if (!frame || !this.#requested) return
    this.#begun = false
    this.#position.forget()
    this.setSound(this.#sound)
    // Visible from here on: adverts play before the first `playing` event.
    this.#mount.style.opacity = '1'
    frame.loadVideoById({
      videoId: this.#requested.youtubeId,
      startSeconds: this.#requested.positionMs / 1000,
    })
    this.#startBlockTimer()
  }

  #startBlockTimer(): void {
    clearTimeout(this.#blockTimer)
    this.#blockTimer = setTimeout(() => this.#onBlocked(), BLOCK_TIMEOUT_MS)
  }

  #onState(state: number): void {
    if (!this.#requested) return
    this.#position.forget()
    if (state === YOUTUBE_STATE.playing) this.#onPlaying()
    if (state === YOUTUBE_STATE.buffering) this.#emit({ type: 'waiting' })
    // An `ended` event before the video has begun belongs to the previous one.
    if (state === YOUTUBE_STATE.ended && this.#begun) {
      // Hidden before YouTube shows its suggestions.
      this.#mount.style.opacity = '0'
      this.#emit({ type: 'ended' })
    }
    if (state === YOUTUBE_STATE.paused && this.#begun) this.#whenStillPaused()
  }

  /** Reports a lasting pause. The app never pauses: headphones were unplugged, or a media key pressed. */
  #whenStillPaused(): void {
    clearTimeout(this.#blockTimer)
    this.#blockTimer = setTimeout(() => {
      const paused = this.#readyFrame()?.getPlayerState() === YOUTUBE_STATE.paused
      if (paused) this.#emit({ type: 'blocked', audible: false })
    }, PAUSE_CONFIRM_MS)
  }

  #onPlaying(): void {
    const frame = this.#readyFrame()
    if (!frame) return
    clearTimeout(this.#blockTimer)
    this.#begun = true
    this.#emit({ type: 'playing' })
    const durationMs = frame.getDuration() * 1000
    if (durationMs > 0) this.#emit({ type: 'duration', durationMs })
  }

  #onError(code: number): void {
    clearTimeout(this.#blockTimer)
    this.#position.forget()
    this.#emit({ type: 'error', kind: ERROR_KINDS.get(code) ?? 'unplayable', code })
  }

  #onBlocked(): void {
    if (!this.#begun) this.#emit({ type: 'blocked', audible: !this.#sound.muted })
  }

  #emit(event: PlayerEvent): void {
    if (this.#requested && !this.#destroyed) this.#listener(event)
  }

  #observe(): void {
    const frame = this.#readyFrame()
    if (!frame || !this.#begun || frame.getPlayerState() !== YOUTUBE_STATE.playing) return
    this.#position.note(frame)
    // Only once the video itself plays: adverts ignore rates.
    if (!this.#triedRates && this.#position.isMoving) this.#learnRates(frame)
  }

  #learnRates(frame: YouTubeFrame): void {
    this.#triedRates = true
    const isCancelled = () => this.#destroyed || this.#frame !== frame
    tryRates(frame, isCancelled, (capabilities) => {
      this.#accepted = capabilities
      this.setRate(1)
    })
  }
}
