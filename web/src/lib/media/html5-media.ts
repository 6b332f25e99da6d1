import type Hls from 'hls.js'
import { loader } from '../browser/loader.ts'

/** A media URL attached to a `<video>` element. */
export interface MediaAttachment {
  detach: () => void
  /**
   * The date and time (epoch ms) of a live stream's media time 0, by EXT-X-PROGRAM-DATE-TIME. Undefined while its playlist
   * is not loaded, and if it has no dates.
   */
  liveStartMs: () => number | undefined
}
export type MediaFault = 'unplayable' | 'unreachable'

const isHls = (url: string) => /\.m3u8(?:[?#]|$)/i.test(url)

/**
 * Attaches a media file, or an HLS stream (`isLive` if it is live), to a `<video>` element. HLS is played natively if the
 * browser supports it, else with hls.js, which is loaded on demand. `onFault` receives faults of hls.js, which the element
 * does not report.
 */
export function attachMedia(
  video: HTMLVideoElement,
  { url, isLive = false }: { url: string; isLive?: boolean | undefined },
  onFault: (kind: MediaFault) => void,
): MediaAttachment {
  if (!isHls(url) || playsNatively(video, isLive)) {
    video.src = url
    video.load()
    return { detach: () => clear(video), liveStartMs: () => startDateOf(video) }
  }
  let detached = false
  let hls: Hls | undefined
  void attachHls(video, url, onFault).then((attached) => {
    if (detached) attached?.destroy()
    else hls = attached
  })
  const detach = () => {
    detached = true
    hls?.destroy()
    clear(video)
  }
  return { detach, liveStartMs: () => hls && programStartOf(hls, video) }
}

/** Chromium plays HLS, but does not expose the dates of a live stream. */
function playsNatively(video: DatedVideo, isLive: boolean): boolean {
  const canPlay = video.canPlayType('application/vnd.apple.mpegurl') !== ''
  return canPlay && (!isLive || video.getStartDate !== undefined)
}

/** `getStartDate` is part of the HTML standard; Safari has it. */
type DatedVideo = HTMLVideoElement & { getStartDate?: () => Date }

/** The start date of a stream that the browser itself plays. */
function startDateOf(video: DatedVideo): number | undefined {
  const epochMs = video.getStartDate?.().getTime() ?? Number.NaN
  return Number.isNaN(epochMs) ? undefined : epochMs
}

/** From the segment at the current position, else from the first one: segments are not exactly as long as they say. */
function programStartOf(hls: Hls, video: HTMLVideoElement): number | undefined {
  const dated = hls.latestLevelDetails?.fragments.filter(({ programDateTime }) => programDateTime !== null)
  const fragment = dated?.findLast(({ start }) => start <= video.currentTime) ?? dated?.[0]
  if (fragment?.programDateTime == null) return undefined
  return fragment.programDateTime - fragment.start * 1000
}

function clear(video: HTMLVideoElement): void {
  video.removeAttribute('src')
  video.load()
}

const loadHls = loader(() => import('hls.js'))

async function attachHls(
  video: HTMLVideoElement,
  url: string,
  onFault: (kind: MediaFault) => void,
): Promise<Hls | undefined> {
  try {
    const { default: Hls } = await loadHls()
    const hls = new Hls({ maxBufferLength: 30, liveDurationInfinity: true })
    hls.on(Hls.Events.ERROR, (_event, data) => {
      if (data.fatal) onFault(data.type === Hls.ErrorTypes.NETWORK_ERROR ? 'unreachable' : 'unplayable')
    })
    hls.loadSource(url)
    hls.attachMedia(video)
    return hls
  } catch {
    // The hls.js chunk failed to load.
    onFault('unreachable')
    return undefined
  }
}

/**
 * Distinguishes faulty media from a server that does not respond, because the browser reports both as "source not
 * supported". A viewer's bad connection must not get a working video removed.
 */
export async function mediaFault(url: string, code: number): Promise<MediaFault> {
  if (code === MediaError.MEDIA_ERR_DECODE) return 'unplayable'
  if (code === MediaError.MEDIA_ERR_NETWORK) return 'unreachable'
  try {
    const response = await fetch(url, { method: 'HEAD', mode: 'no-cors', cache: 'no-store' })
    return response.status >= 500 ? 'unreachable' : 'unplayable'
  } catch {
    return 'unreachable'
  }
}
