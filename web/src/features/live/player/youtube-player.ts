import { type PlayerCapabilities, YOUTUBE_CAPABILITIES } from '@looptide/playhead/drift-controller'
import type {
  MediaSource,
  Player,
  PlayerErrorKind,
  PlayerEvent,
  PlayerListener,
  PlayerReading,
} from './player.ts'
import {
  frameHost,
  loadYouTubeApi,
  YOUTUBE_STATE,
  type YouTubeApi,
  type YouTubeFrame,
} from './youtube-api.ts'
import { YouTubePosition } from './youtube-position.ts'
import { tryRates } from './youtube-rates.ts'

/** The API's error codes; 153 is sent when the page does not tell YouTube who it is (Referer). */
const ERROR_KINDS = new Map<number, PlayerErrorKind>([
  [2, 'invalid-source'],
  [5, 'unplayable'],
  [100, 'not-found'],
  [101, 'not-embeddable'],
  [150, 'not-embeddable'],
  [153, 'not-identified'],
])

const POLL_MS = 50
/** Without a word of the browser's refusal, a player that never begins counts as blocked after this long. */
const SILENT_BLOCK_MS = 12_000
const PAUSE_TRUST_MS = 700
/** A player that neither gets ready nor fails is not reached. */
const READY_TIME_OUT_MS = 15_000
/** No controls, no keyboard, no annotations: the page has its own, and the station sets the pace. */
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

/** A YouTube frame. One frame lives through all videos, so that it keeps the viewer's press and its own cache. */
export class YouTubePlayer implements Player {
  readonly kind = 'youtube'
  private readonly mount = document.createElement('div')
  private readonly baseUrl: string
  private readonly listener: PlayerListener
  private readonly poll: ReturnType<typeof setInterval>
  private opening = false
  private frame: YouTubeFrame | undefined
  /** The frame answers to calls. */
  private ready = false
  private wanted: { youtubeId: string; positionMs: number } | undefined
  /** The wanted video has begun to play. */
  private begun = false
  private destroyed = false
  private sound = { volume: 0, muted: true }
  private readonly position = new YouTubePosition()
  private accepted: PlayerCapabilities = YOUTUBE_CAPABILITIES
  private triedRates = false
  private blockTimer: Timer
  private readyTimer: Timer

  constructor(host: HTMLElement, listener: PlayerListener, baseUrl: string) {
    this.baseUrl = baseUrl
    this.listener = listener
    Object.assign(this.mount.style, { position: 'absolute', inset: '0', opacity: '0' })
    host.append(this.mount)
    this.poll = setInterval(() => this.observe(), POLL_MS)
  }

  capabilities(): PlayerCapabilities {
    return this.accepted
  }

  load(source: MediaSource, positionMs: number): void {
    if (source.kind !== 'youtube') return
    this.wanted = { youtubeId: source.youtubeId, positionMs }
    if (this.ready) this.begin()
    else if (!this.frame) void this.open()
  }

  /** A second frame would be a second player; the script is all that may be fetched ahead. */
  prepare(): void {
    loadYouTubeApi(this.baseUrl).catch(() => {})
  }

  play(): void {
    this.answering()?.playVideo()
    if (!this.begun) this.expectBeginning()
  }

  stop(): void {
    this.wanted = undefined
    this.begun = false
    this.position.forget()
    clearTimeout(this.blockTimer)
    clearTimeout(this.readyTimer)
    this.mount.style.opacity = '0'
    this.answering()?.stopVideo()
  }

  seek(positionMs: number): void {
    this.position.forget()
    this.answering()?.seekTo(positionMs / 1000, true)
  }

  setRate(rate: number): void {
    this.position.atRate(rate)
    this.answering()?.setPlaybackRate(rate)
  }

  setSound(sound: { volume: number; muted: boolean }): void {
    this.sound = sound
    const frame = this.answering()
    frame?.setVolume(Math.round(sound.volume * 100))
    if (sound.muted) frame?.mute()
    else frame?.unMute()
  }

  read(): PlayerReading | null {
    return this.frame ? this.position.read(this.frame) : null
  }

  destroy(): void {
    this.stop()
    this.destroyed = true
    clearInterval(this.poll)
    this.frame?.destroy()
    this.mount.remove()
  }

  private answering(): YouTubeFrame | undefined {
    return this.ready ? this.frame : undefined
  }

  private async open(): Promise<void> {
    if (this.opening) return
    this.opening = true
    try {
      const api = await loadYouTubeApi(this.baseUrl)
      if (!this.destroyed && this.wanted) this.build(api, this.wanted.youtubeId)
    } catch {
      this.tell({ type: 'error', kind: 'unreachable', code: 0 })
    } finally {
      this.opening = false
    }
  }

  private build(api: YouTubeApi, videoId: string): void {
    const target = document.createElement('div')
    this.mount.append(target)
    this.frame = new api.Player(target, {
      host: frameHost(this.baseUrl),
      width: '100%',
      height: '100%',
      videoId,
      playerVars: { ...PLAYER_VARS, origin: location.origin, widget_referrer: location.origin },
      events: {
        onReady: () => this.onReady(),
        onStateChange: ({ data }) => this.onState(data),
        onError: ({ data }) => this.onError(data),
        onAutoplayBlocked: () => this.onBlocked(),
      },
    })
    this.readyTimer = setTimeout(() => this.giveUpFrame(), READY_TIME_OUT_MS)
  }

  /** The script came, its frame does not: take it away, so that the next load begins anew. */
  private giveUpFrame(): void {
    if (this.ready) return
    this.frame?.destroy()
    this.frame = undefined
    this.mount.replaceChildren()
    this.tell({ type: 'error', kind: 'unreachable', code: 0 })
  }

  private onReady(): void {
    if (this.destroyed || !this.frame) return
    clearTimeout(this.readyTimer)
    this.ready = true
    this.frame.getIframe().setAttribute('tabindex', '-1')
    this.begin()
  }

  /** Loads what is wanted now, which may have changed while the frame was built. */
  private begin(): void {
    const frame = this.answering()
    if (!frame || !this.wanted) return
    this.begun = false
    this.position.forget()
    this.setSound(this.sound)
    // In sight from here on: adverts come before the first 'playing'.
    this.mount.style.opacity = '1'
    frame.loadVideoById({ videoId: this.wanted.youtubeId, startSeconds: this.wanted.positionMs / 1000 })
    this.expectBeginning()
  }

  private expectBeginning(): void {
    clearTimeout(this.blockTimer)
    this.blockTimer = setTimeout(() => this.onBlocked(), SILENT_BLOCK_MS)
  }

  private onState(state: number): void {
    if (!this.wanted) return
    this.position.forget()
    if (state === YOUTUBE_STATE.playing) this.onPlaying()
    if (state === YOUTUBE_STATE.buffering) this.tell({ type: 'waiting' })
    // The end of the video before this one may still arrive; it never ends before it has begun.
    if (state === YOUTUBE_STATE.ended && this.begun) {
      // Out of sight before YouTube suggests what else to watch.
      this.mount.style.opacity = '0'
      this.tell({ type: 'ended' })
    }
    if (state === YOUTUBE_STATE.paused && this.begun) this.whenStillPaused()
  }

  /** Nothing of ours pauses: headphones were pulled out, or a media key pressed. A passing pause is not meant. */
  private whenStillPaused(): void {
    clearTimeout(this.blockTimer)
    this.blockTimer = setTimeout(() => {
      const paused = this.answering()?.getPlayerState() === YOUTUBE_STATE.paused
      if (paused) this.tell({ type: 'blocked', audible: false })
    }, PAUSE_TRUST_MS)
  }

  private onPlaying(): void {
    const frame = this.answering()
    if (!frame) return
    clearTimeout(this.blockTimer)
    this.begun = true
    this.tell({ type: 'playing' })
    const durationMs = frame.getDuration() * 1000
    if (durationMs > 0) this.tell({ type: 'duration', durationMs })
  }

  private onError(code: number): void {
    clearTimeout(this.blockTimer)
    this.position.forget()
    this.tell({ type: 'error', kind: ERROR_KINDS.get(code) ?? 'unplayable', code })
  }

  private onBlocked(): void {
    if (!this.begun) this.tell({ type: 'blocked', audible: !this.sound.muted })
  }

  private tell(event: PlayerEvent): void {
    if (this.wanted && !this.destroyed) this.listener(event)
  }

  private observe(): void {
    const frame = this.answering()
    if (!frame || !this.begun || frame.getPlayerState() !== YOUTUBE_STATE.playing) return
    this.position.note(frame)
    // Not before the video itself plays: an advert takes no rates.
    if (!this.triedRates && this.position.isMoving) this.learnRates(frame)
  }

  private learnRates(frame: YouTubeFrame): void {
    this.triedRates = true
    const isGone = () => this.destroyed || this.frame !== frame
    tryRates(frame, isGone, (capabilities) => {
      this.accepted = capabilities
      this.setRate(1)
    })
  }
}
