/** The part of the YouTube IFrame Player API that we use (developers.google.com/youtube/iframe_api_reference). */
export interface YouTubeFrame {
  loadVideoById: (video: { videoId: string; startSeconds: number }) => void
  playVideo: () => void
  pauseVideo: () => void
  stopVideo: () => void
  seekTo: (seconds: number, allowSeekAhead: boolean) => void
  setPlaybackRate: (rate: number) => void
  getPlaybackRate: () => number
  getAvailablePlaybackRates: () => number[]
  mute: () => void
  unMute: () => void
  setVolume: (percent: number) => void
  getCurrentTime: () => number
  getDuration: () => number
  getVideoLoadedFraction: () => number
  getPlayerState: () => number
  getIframe: () => HTMLElement
  destroy: () => void
}

interface YouTubeEvents {
  onReady: () => void
  onStateChange: (event: { data: number }) => void
  onError: (event: { data: number }) => void
  onAutoplayBlocked: () => void
}

export interface YouTubeApi {
  Player: new (
    element: HTMLElement,
    options: {
      host?: string
      width: string
      height: string
      videoId: string
      playerVars: Record<string, string | number>
      events: YouTubeEvents
    },
  ) => YouTubeFrame
}

/** Player states of the API. */
export const YOUTUBE_STATE = {
  unstarted: -1,
  ended: 0,
  playing: 1,
  paused: 2,
  buffering: 3,
  cued: 5,
} as const

declare global {
  interface Window {
    YT?: Partial<YouTubeApi>
    onYouTubeIframeAPIReady?: () => void
  }
}

const YOUTUBE_ORIGIN = 'https://www.youtube.com'
const PRIVACY_HOST = 'https://www.youtube-nocookie.com'
const TIME_OUT_MS = 8_000
const loading = new Map<string, Promise<YouTubeApi>>()

/** The host of the frames: YouTube's privacy-enhanced one for the real site, else the configured one. */
export function frameHost(baseUrl: string): string {
  return baseUrl === YOUTUBE_ORIGIN ? PRIVACY_HOST : baseUrl
}

/** Loads the API's script once per page. Rejects if it fails to load within 8 s; the next call tries again. */
export function loadYouTubeApi(baseUrl: string): Promise<YouTubeApi> {
  const known = loading.get(baseUrl)
  if (known) return known
  const attempt = inject(`${baseUrl}/iframe_api`)
  loading.set(baseUrl, attempt)
  attempt.catch(() => loading.delete(baseUrl))
  return attempt
}

function inject(url: string): Promise<YouTubeApi> {
  const script = document.createElement('script')
  return new Promise<YouTubeApi>((resolve, reject) => {
    const fail = () => reject(new Error('The YouTube player cannot be reached'))
    const timer = setTimeout(fail, TIME_OUT_MS)
    window.onYouTubeIframeAPIReady = () => {
      clearTimeout(timer)
      const { YT } = window
      if (YT?.Player) resolve({ Player: YT.Player })
      else fail()
    }
    script.src = url
    script.async = true
    script.referrerPolicy = 'strict-origin-when-cross-origin'
    script.onerror = () => {
      clearTimeout(timer)
      fail()
    }
    document.head.append(script)
  }).catch((reason: unknown) => {
    script.remove()
    throw reason
  })
}
