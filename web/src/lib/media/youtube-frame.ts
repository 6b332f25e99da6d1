import type {
  FrameEvent,
  FrameFault,
  FrameListener,
  FrameOptions,
  FullscreenOwner,
  SharedFrame,
} from './frame.ts'
import { loadSound } from './sound-settings.ts'
import {
  frameHost,
  loadYouTubeApi,
  YOUTUBE_STATE,
  type YouTubeApi,
  type YouTubeFrame,
} from './youtube-api.ts'

/** The API's error codes; 153 is sent when the page does not tell YouTube who it is (Referer). */
const FAULTS: Record<number, FrameFault> = {
  2: 'invalid-source',
  100: 'not-found',
  101: 'not-embeddable',
  150: 'not-embeddable',
  153: 'not-identified',
}

const EVENTS: Partial<Record<number, FrameEvent>> = {
  [YOUTUBE_STATE.playing]: { type: 'playing' },
  [YOUTUBE_STATE.paused]: { type: 'paused' },
  [YOUTUBE_STATE.ended]: { type: 'ended' },
}

/** A frame that neither gets ready nor fails is blocked somewhere on the way. */
const READY_TIME_OUT_MS = 15_000

/** Plays a YouTube video in YouTube's own player. `baseUrl` is where the IFrame API comes from. */
export function openYouTubeFrame(
  host: HTMLElement,
  youtubeId: string,
  baseUrl: string,
  listener: FrameListener,
  { fullscreen = 'page', startS = 0 }: FrameOptions = {},
): SharedFrame {
  let isOver = false
  let shownId = youtubeId
  let frame: YouTubeFrame | undefined
  let timeOut: ReturnType<typeof setTimeout> | undefined
  const mount = document.createElement('div')
  mount.className = 'size-full'
  host.append(mount)

  const tell: FrameListener = (event) => {
    if (!isOver) listener(event)
  }
  const load = (startSeconds = 0) => frame?.loadVideoById({ videoId: shownId, startSeconds })
  const build = (api: YouTubeApi) => {
    const target = document.createElement('div')
    mount.append(target)
    timeOut = setTimeout(() => tell({ type: 'failed', fault: 'unreachable' }), READY_TIME_OUT_MS)
    frame = new api.Player(target, {
      ...playerOptions(baseUrl, youtubeId, fullscreen),
      events: playerEvents(tell, {
        onAnswer: () => clearTimeout(timeOut),
        onReady: () => {
          if (isOver) return
          tell({ type: 'loaded' })
          frame?.setVolume(loadSound().volume * 100)
          load(startS)
        },
      }),
    })
  }
  loadYouTubeApi(baseUrl).then(
    (api) => {
      if (!isOver) build(api)
    },
    () => tell({ type: 'failed', fault: 'unreachable' }),
  )

  return {
    play: () => frame?.playVideo(),
    pause: () => frame?.pauseVideo(),
    replay: () => load(),
    positionS: () => frame?.getCurrentTime() ?? 0,
    show: (id) => {
      shownId = id
      load()
    },
    destroy: () => {
      isOver = true
      clearTimeout(timeOut)
      frame?.destroy()
      mount.remove()
    },
  }
}

const playerOptions = (baseUrl: string, videoId: string, fullscreen: FullscreenOwner) => ({
  host: frameHost(baseUrl),
  width: '100%',
  height: '100%',
  videoId,
  playerVars: playerVars(fullscreen),
})

/** The player's events. `onAnswer` is called before the first one: the player is ready or has failed. */
const playerEvents = (
  tell: FrameListener,
  { onAnswer, onReady }: { onAnswer: () => void; onReady: () => void },
) => ({
  onReady: () => {
    onAnswer()
    onReady()
  },
  onStateChange: ({ data }: { data: number }) => {
    const event = EVENTS[data]
    if (event) tell(event)
  },
  onError: ({ data }: { data: number }) => {
    onAnswer()
    tell({ type: 'failed', fault: FAULTS[data] ?? 'unplayable' })
  },
  onAutoplayBlocked: () => tell({ type: 'blocked' }),
})

/** YouTube's controls, without its suggestions. The page's fullscreen is used wherever a page may have one. */
const playerVars = (fullscreen: FullscreenOwner) => ({
  autoplay: 1,
  controls: 1,
  fs: fullscreen === 'page' && document.fullscreenEnabled ? 0 : 1,
  iv_load_policy: 3,
  playsinline: 1,
  rel: 0,
  origin: location.origin,
  widget_referrer: location.origin,
})
