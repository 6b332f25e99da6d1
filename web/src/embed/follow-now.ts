import type { NowPlaying } from '@looptide/contracts/http/now-playing'

/** Wait after a refusal, such as during a restart, in ms: between these, so that embeds do not all return at once. */
const RETRY_MS = [15_000, 45_000] as const

/**
 * Follows what is on by server-sent events. They need no session and no storage. With `restsHidden`, a hidden page does not
 * follow, and hears the present state when it is seen again.
 */
export function followNow(
  channelId: string,
  onNow: (now: NowPlaying) => void,
  { restsHidden }: { restsHidden: boolean },
): void {
  let events: EventSource | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  const close = () => {
    events?.close()
    clearTimeout(retry)
  }
  const open = () => {
    close()
    events = new EventSource(`/api/live/nowplaying/sse?channel=${encodeURIComponent(channelId)}`)
    events.addEventListener('nowplaying', ({ data }: MessageEvent<string>) =>
      onNow(JSON.parse(data) as NowPlaying),
    )
    events.addEventListener('error', () => {
      // The browser itself connects again after a lost connection, but not after a refusal.
      if (events?.readyState !== EventSource.CLOSED) return
      const [least, most] = RETRY_MS
      retry = setTimeout(open, least + Math.random() * (most - least))
    })
  }
  if (!restsHidden || !document.hidden) open()
  if (!restsHidden) return
  document.addEventListener('visibilitychange', () => (document.hidden ? close() : open()))
}
