import {
  type YouTubeFrame as ApiFrame,
  frameHost,
  loadYouTubeApi,
  YOUTUBE_STATE,
  type YouTubeApi,
} from '../../live/player/youtube-api.ts'

/** What a screen tells of the video it shows. */
export type ScreenEvents = {
  onPlaying: (isPlaying: boolean) => void
  onEnded: () => void
  onFailed: () => void
}

/** Plays by itself, with YouTube's controls, little branding, and no other channels' videos (admin specification §7). */
const PLAYER_VARS = {
  autoplay: 1,
  controls: 1,
  iv_load_policy: 3,
  modestbranding: 1,
  playsinline: 1,
  rel: 0,
}

/** One YouTube frame for a whole queue: it keeps the viewer's press, so that the next video may have sound. */
export class YouTubeFrame {
  private readonly host: HTMLElement
  private readonly baseUrl: string
  private readonly events: ScreenEvents
  private frame: ApiFrame | undefined
  private isReady = false
  private isDestroyed = false
  private wanted: { youtubeId: string; isPlaying: boolean } | undefined

  constructor(host: HTMLElement, baseUrl: string, events: ScreenEvents) {
    this.host = host
    this.baseUrl = baseUrl
    this.events = events
  }

  /** Plays this video from its beginning. */
  load(youtubeId: string): void {
    this.wanted = { youtubeId, isPlaying: true }
    if (this.isReady) this.begin()
    else if (!this.frame) void this.open(youtubeId)
  }

  setPlaying(isPlaying: boolean): void {
    if (this.wanted) this.wanted.isPlaying = isPlaying
    if (!this.isReady || !this.frame) return
    const isShown = this.frame.getPlayerState() === YOUTUBE_STATE.playing
    if (isPlaying && !isShown) this.frame.playVideo()
    if (!isPlaying && isShown) this.frame.pauseVideo()
  }

  destroy(): void {
    this.isDestroyed = true
    this.frame?.destroy()
    this.host.replaceChildren()
  }

  private async open(youtubeId: string): Promise<void> {
    try {
      const api = await loadYouTubeApi(this.baseUrl)
      if (!this.isDestroyed && !this.frame) this.build(api, youtubeId)
    } catch {
      if (!this.isDestroyed) this.events.onFailed()
    }
  }

  private build(api: YouTubeApi, videoId: string): void {
    const target = document.createElement('div')
    this.host.append(target)
    this.frame = new api.Player(target, {
      host: frameHost(this.baseUrl),
      width: '100%',
      height: '100%',
      videoId,
      playerVars: { ...PLAYER_VARS, origin: location.origin, widget_referrer: location.origin },
      events: {
        onReady: () => this.onReady(),
        onStateChange: ({ data }) => this.onState(data),
        onError: () => this.events.onFailed(),
        onAutoplayBlocked: () => this.events.onPlaying(false),
      },
    })
  }

  private onReady(): void {
    if (this.isDestroyed) return
    this.isReady = true
    if (this.wanted?.isPlaying) this.begin()
  }

  private begin(): void {
    if (this.wanted) this.frame?.loadVideoById({ videoId: this.wanted.youtubeId, startSeconds: 0 })
  }

  private onState(state: number): void {
    if (state === YOUTUBE_STATE.playing) this.events.onPlaying(true)
    if (state === YOUTUBE_STATE.paused) this.events.onPlaying(false)
    if (state === YOUTUBE_STATE.ended) this.events.onEnded()
  }
}
