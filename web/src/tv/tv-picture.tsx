import { currentCard } from '../features/live/card-content.ts'
import { useNowPlayingTexts } from '../features/live/now-playing-texts.ts'
import { noticeKind, type PictureNoticeKind, problemText } from '../features/live/picture-notice.tsx'
import { type LiveState, shownCard } from '../features/live/player/live-state.ts'
import { useLiveState } from '../features/live/use-live-session.ts'
import { useSessionElements } from '../features/live/use-session-elements.ts'
import { clockTime } from '../lib/time/date-locale.ts'
import type { Tv } from './use-tv.ts'

/**
 * The picture of the channel. Nothing is drawn over a player of YouTube, which forbids it: cards are shown while the
 * players are hidden, notices while nothing plays, and everything else beside the picture.
 */
export function TvPicture({ tv }: { tv: Tv }) {
  const { session } = tv
  const { picture, host } = useSessionElements(session)
  const state = useLiveState(session)
  const notice = noticeText(noticeKind(tv, state), state)

  return (
    <section ref={picture} aria-label="Live picture" className="tv-picture">
      {/* Remote controls with a pointer open the strip as OK does. */}
      <div
        ref={host}
        aria-hidden="true"
        className={shownCard(state) ? 'tv-host tv-resting' : 'tv-host'}
        onClick={() => tv.setPanel('info')}
      />
      <Card tv={tv} state={state} />
      {notice && (
        <p role="status" className="tv-notice">
          {notice}
        </p>
      )}
    </section>
  )
}

/** A card between two videos, in words. */
function Card({ tv, state }: { tv: Tv; state: LiveState }) {
  const { title, detail, note } = useNowPlayingTexts(state, tv.isUnavailable, tv.programmes)
  if (!currentCard(tv.programmes, state)) return null
  return (
    <div className="tv-card">
      <p className="tv-muted">{note}</p>
      <p className="tv-title">
        <bdi>{title}</bdi>
      </p>
      <p>
        <bdi>{detail}</bdi>
      </p>
    </div>
  )
}

/** What is said on the picture; nothing while a video plays, stalls, or waits for a press. */
function noticeText(kind: PictureNoticeKind | undefined, state: LiveState): string | undefined {
  const [next] = state.upNext
  switch (kind) {
    case 'connecting':
      return 'Connecting to 24/7 stream...'
    case 'missing':
      return 'Channel not found. Press up or down for the others.'
    case 'unavailable':
      return 'Stream server unavailable. Trying again …'
    case 'off-air':
      return 'This channel is off the air. Press up or down for the others.'
    case 'unreachable':
      return `${problemText(state)} Press OK ${state.selected ? 'to go back to live' : 'to try again'}.`
    case 'unplayable':
      return next ? `${problemText(state)} Next at ${clockTime(next.startsAtMs)}.` : problemText(state)
    case 'loading-next':
      return 'Loading next video...'
    default:
      return undefined
  }
}
