import type {
  FrameEvent,
  FrameFault,
  FrameListener,
  FrameOptions,
  FullscreenOwner,
  SharedFrame,
} from './frame.ts'
import { endLivePicture } from './live-picture.ts'
import { firstPositionS, type PlayerRange } from './player-range.ts'
import { RangeGuard } from './range-guard.ts'
import { loadSound } from './sound-settings.ts'
import {
  frameHost,
  loadYouTubeApi,
  YOUTUBE_STATE,
  type YouTubeApi,
  type YouTubeFrame,
} from './youtube-api.ts'

/** The API's error codes; 153 is sent when the page does not identify itself to YouTube (Referer). */
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

/** A frame that is neither ready nor failed after this time counts as unreachable, in ms. */
const READY_TIME_OUT_MS = 15_000

function mountIn(host: HTMLElement): HTMLElement {
  endLivePicture()
  const mount = document.createElement('div')
  mount.className = 'size-full'
  host.append(mount)
  return mount
}

/** Plays a YouTube video in YouTube's own player. `baseUrl` is where the IFrame API comes from. */
export function openYouTubeFrame(
  host: HTMLElement,
  video: { youtubeId: string; range: PlayerRange },
  baseUrl: string,
  listener: FrameListener,
  { fullscreen = 'page', resumeS }: FrameOptions = {},
): SharedFrame {
  let isOver = false
  let shown = video
  let frame: YouTubeFrame | undefined
  let timeOut: ReturnType<typeof setTimeout> | undefined
  const mount = mountIn(host)
  const controls = controlsOf(() => frame)
  const guard = new RangeGuard(controls, video.range, () => emit({ type: 'ended' }))
  function emit(event: FrameEvent): void {
    if (isOver || (event.type === 'paused' && guard.hasEnded)) return
    if (event.type === 'playing') guard.onPlay()
    listener(event)
  }
  const load = (resumeS?: number) => {
    guard.begin(shown.range)
    frame?.loadVideoById({ videoId: shown.youtubeId, startSeconds: firstPositionS(shown.range, resumeS) })
  }
  const build = (api: YouTubeApi) => {
    const target = mount.appendChild(document.createElement('div'))
    timeOut = setTimeout(() => emit({ type: 'failed', fault: 'unreachable' }), READY_TIME_OUT_MS)
    frame = new api.Player(target, {
      ...playerOptions(baseUrl, video.youtubeId, fullscreen),
      events: playerEvents(emit, {
        onAnswer: () => clearTimeout(timeOut),
        onReady: () => {
          if (isOver) return
          emit({ type: 'loaded' })
          frame?.setVolume(loadSound().volume * 100)
          load(resumeS)
        },
      }),
    })
  }
  loadYouTubeApi(baseUrl).then(
    (api) => isOver || build(api),
    () => emit({ type: 'failed', fault: 'unreachable' }),
  )

  return {
    ...controls,
    replay: () => load(),
    show: (youtubeId, range) => {
      shown = { youtubeId, range }
      load()
    },
    destroy: () => {
      isOver = true
      guard.destroy()
      clearTimeout(timeOut)
      frame?.destroy()
      mount.remove()
    },
  }
}

const controlsOf = (frame: () => YouTubeFrame | undefined) => ({
  play: () => frame()?.playVideo(),
  pause: () => frame()?.pauseVideo(),
  seek: (positionS: number) => frame()?.seekTo(positionS, true),
  positionS: () => frame()?.getCurrentTime() ?? 0,
  isPlaying: () => frame()?.getPlayerState() === YOUTUBE_STATE.playing,
})

const playerOptions = (baseUrl: string, videoId: string, fullscreen: FullscreenOwner) => ({
  host: frameHost(baseUrl),
  width: '100%',
  height: '100%',
  videoId,
  playerVars: playerVars(fullscreen),
})

/** The player's events. `onAnswer` is called before the first one: the player is ready or has failed. */
const playerEvents = (
  emit: FrameListener,
  { onAnswer, onReady }: { onAnswer: () => void; onReady: () => void },
) => ({
  onReady: () => {
    onAnswer()
    onReady()
  },
  onStateChange: ({ data }: { data: number }) => {
    const event = EVENTS[data]
    if (event) emit(event)
  },
  onError: ({ data }: { data: number }) => {
    onAnswer()
    emit({ type: 'failed', fault: FAULTS[data] ?? 'unplayable' })
  },
  onAutoplayBlocked: () => emit({ type: 'blocked' }),
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
