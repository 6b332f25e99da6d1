/** A media URL attached to a `<video>` element. */
export type MediaAttachment = { detach: () => void }
export type MediaFault = 'unplayable' | 'unreachable'

const isHls = (url: string) => /\.m3u8(?:[?#]|$)/i.test(url)

/**
 * Attaches a media URL to a `<video>` element. HLS is played natively if the browser supports it, else with hls.js,
 * which is loaded on demand. `onFault` receives faults of hls.js, which the element does not report.
 */
export function attachMedia(
  video: HTMLVideoElement,
  url: string,
  onFault: (kind: MediaFault) => void,
): MediaAttachment {
  if (!isHls(url) || video.canPlayType('application/vnd.apple.mpegurl') !== '') {
    video.src = url
    video.load()
    return { detach: () => clear(video) }
  }
  let detached = false
  let release = () => {}
  void attachHls(video, url, onFault).then((destroy) => {
    if (detached) destroy()
    else release = destroy
  })
  const detach = () => {
    detached = true
    release()
    clear(video)
  }
  return { detach }
}

function clear(video: HTMLVideoElement): void {
  video.removeAttribute('src')
  video.load()
}

async function attachHls(
  video: HTMLVideoElement,
  url: string,
  onFault: (kind: MediaFault) => void,
): Promise<() => void> {
  try {
    const { default: Hls } = await import('hls.js')
    const hls = new Hls({ maxBufferLength: 30 })
    hls.on(Hls.Events.ERROR, (_event, data) => {
      if (data.fatal) onFault(data.type === Hls.ErrorTypes.NETWORK_ERROR ? 'unreachable' : 'unplayable')
    })
    hls.loadSource(url)
    hls.attachMedia(video)
    return () => hls.destroy()
  } catch {
    // The hls.js chunk failed to load.
    onFault('unreachable')
    return () => {}
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
