import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { PlayerErrorKind } from '../../lib/media/player-error-kind.ts'
import { clockTime } from '../../lib/time/date-locale.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import type { LivePageState } from './live-page-state.ts'
import type { LiveSession } from './player/live-session.ts'
import { type LiveState, shownCard } from './player/live-state.ts'
import { substituteEndsAtMs } from './player/substitution.ts'
import { useLiveState } from './use-live-session.ts'

const PROBLEMS: Record<PlayerErrorKind, string> = {
  'invalid-source': 'This video could not be found.',
  unplayable: 'This video cannot be played here.',
  'not-found': 'This video is no longer available.',
  'not-embeddable': 'The owner does not allow this video to be shown here.',
  'not-identified': 'YouTube refused to play on this page.',
  unreachable: 'The video could not be loaded.',
}

/** Why the picture does not play, for the viewer. */
export const problemText = ({ error = 'unreachable', playerKind }: LiveState): string =>
  error === 'unreachable' && playerKind === 'youtube'
    ? 'YouTube cannot be reached from this network.'
    : PROBLEMS[error]

/** The messages shown over the picture while it is not simply playing. */
export type PictureNoticeKind =
  | 'missing'
  | 'unavailable'
  | 'connecting'
  | 'off-air'
  | 'unreachable'
  | 'blocked'
  | 'unplayable'
  | 'loading-next'
  | 'sound-blocked'
  | 'buffering'

/** The kinds with a button, which gets the focus instead of the picture. */
const WITH_BUTTON = new Set<PictureNoticeKind | undefined>([
  'missing',
  'unavailable',
  'off-air',
  'unreachable',
  'blocked',
  'sound-blocked',
])

/** Whether the notice has a button. */
export const hasButton = (kind: PictureNoticeKind | undefined): boolean => WITH_BUTTON.has(kind)

/** The message to show; undefined while the picture simply plays. */
export function noticeKind(
  page: Pick<LivePageState, 'channel' | 'isUnavailable'>,
  state: LiveState,
): PictureNoticeKind | undefined {
  const { channel } = page
  if (page.isUnavailable && !state.selected) return channel.failure
  // A card needs no player. What the player of the next video reports is shown after it.
  if (shownCard(state)) return undefined
  if (state.phase === 'playing') {
    if (state.soundBlocked) return 'sound-blocked'
    return state.buffering ? 'buffering' : undefined
  }
  // Nothing loads before the next programme.
  if (state.phase === 'loading-next' && state.error && !state.selected) return 'unplayable'
  return state.phase
}

/** The message over the picture. */
export function PictureNotice(props: { kind: PictureNoticeKind; page: LivePageState; state: LiveState }) {
  const { kind, page, state } = props
  switch (kind) {
    case 'connecting':
      return (
        <Message isBusy>
          <p>Connecting to 24/7 stream...</p>
        </Message>
      )
    case 'missing':
      return (
        <Message>
          <p>Channel not found.</p>
          <NoticeButton onClick={page.watchDefault}>Watch Live TV</NoticeButton>
        </Message>
      )
    case 'unavailable':
      return (
        <Message>
          <p>Stream server unavailable</p>
          <NoticeButton onClick={page.retryConnection}>Retry Connection</NoticeButton>
        </Message>
      )
    case 'off-air':
      return (
        <Message>
          <p>This channel is off the air.</p>
          <NoticeButton onClick={() => page.setPanel('channels')}>Other channels</NoticeButton>
        </Message>
      )
    case 'unreachable':
      return (
        <Message>
          <p>{problemText(state)}</p>
          {state.selected ? (
            <NoticeButton onClick={page.session.backToLive.bind(page.session)}>Back to live</NoticeButton>
          ) : (
            <NoticeButton onClick={page.session.retryNow.bind(page.session)}>Try again</NoticeButton>
          )}
        </Message>
      )
    case 'blocked':
      return (
        <Message>
          <TuneIn page={page} />
        </Message>
      )
    case 'unplayable':
      return <Unplayable state={state} />
    case 'loading-next':
      return <LoadingNext state={state} />
    case 'sound-blocked':
      return (
        <div className="pointer-events-none absolute inset-x-0 bottom-6 z-20 flex justify-center overlay:bottom-1/3">
          <TuneIn page={page} />
        </div>
      )
    case 'buffering':
      return <Message isBusy isDelayed />
  }
}

/** Shown with a delay, so that it does not appear at a normal cut. */
function LoadingNext({ state }: { state: LiveState }) {
  const { title, artistName } = state.selected ?? state.programme?.video ?? {}
  return (
    <Message isBusy isDelayed>
      <p>Loading next video...</p>
      {title && (
        <p className="text-base text-white/80">
          <bdi>{title}</bdi> – <bdi>{artistName}</bdi>
        </p>
      )}
    </Message>
  )
}

/** Why the current programme does not play here, and when the next one starts. */
function Unplayable({ state }: { state: LiveState }) {
  const [next] = state.upNext
  return (
    <Message>
      <p>{problemText(state)}</p>
      {next && (
        <p className="text-base text-white/80">
          Next at {clockTime(next.startsAtMs)}: <bdi>{next.video.title}</bdi> –{' '}
          <bdi>{next.video.artistName}</bdi>
        </p>
      )}
    </Message>
  )
}

function TuneIn({ page }: { page: LivePageState }) {
  return (
    <NoticeButton
      onClick={() => page.session.tuneIn()}
      className="pointer-events-auto min-h-12 rounded-full px-8 text-lg shadow-lift"
    >
      Tune in
    </NoticeButton>
  )
}

/** A button that takes the focus if nothing else has it. */
function NoticeButton(props: { onClick: () => void; className?: string; children: ReactNode }) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const { activeElement } = document
    if (activeElement === null || activeElement === document.body) button.current?.focus()
  }, [])
  return (
    <Button
      ref={button}
      tone="primary"
      className={classNames('pointer-events-auto', props.className)}
      onClick={props.onClick}
    >
      {props.children}
    </Button>
  )
}

interface MessageProps {
  children?: ReactNode
  /** Shows a spinner. */
  isBusy?: boolean
  /** Appears after 400 ms, so that a normal cut shows nothing. */
  isDelayed?: boolean
}

function Message({ children, isBusy = false, isDelayed = false }: MessageProps) {
  return (
    <div
      role="status"
      className={classNames(
        'pointer-events-none absolute inset-0 z-20 grid place-content-center justify-items-center gap-4 p-6',
        'text-center text-lg text-balance text-white lg:text-xl [&_p]:drop-shadow-[0_1px_6px_rgb(0_0_0)]',
        isDelayed && 'animate-fade [animation-delay:400ms] [animation-fill-mode:backwards]',
      )}
    >
      {isBusy && (
        <span
          aria-hidden="true"
          className="size-12 animate-turn rounded-full border-4 border-white/25 border-t-white motion-reduce:animate-breathe"
        />
      )}
      {children}
    </div>
  )
}

/** How long the notice stays when the controls are hidden (ms). */
const SHOWN_MS = 8000

/** Shows the viewer what is played instead of a video that is not available in the viewer's region, and until when. */
export function SubstituteNotice({ session, isActive }: { session: LiveSession; isActive: boolean }) {
  const { programme, substitute } = useLiveState(session)
  const isNew = useIsNew(substitute)
  if (!substitute || !programme?.video) return null
  return (
    <p
      role="status"
      className={classNames(
        'z-20 shrink-0 bg-panel px-4 py-2 text-sm overlay:pointer-events-none overlay:absolute overlay:inset-x-0 overlay:top-20 overlay:mx-auto overlay:w-fit overlay:max-w-[calc(100%-2rem)] overlay:rounded-md overlay:border overlay:border-line overlay:shadow-lift tv:text-base',
        'transition-opacity duration-300',
        !isActive && !isNew && 'overlay:opacity-0',
      )}
    >
      “{programme.video.title}” is not available in your region. Showing “{substitute.title}” until{' '}
      {clockTime(substituteEndsAtMs(programme, substitute))}.
    </p>
  )
}

/** True for some seconds after `value` has changed to another object. */
function useIsNew(value: object | undefined): boolean {
  const [known, setKnown] = useState<object>()
  useEffect(() => {
    if (!value) return
    const timer = setTimeout(() => setKnown(value), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [value])
  return known !== value
}
