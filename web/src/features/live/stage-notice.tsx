import { type ReactNode, useEffect, useRef } from 'react'
import { clockTime } from '../../lib/clock-time.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import type { LiveState } from './player/live-state.ts'
import type { PlayerErrorKind } from './player/player.ts'
import type { LivePageState } from './use-live-page.ts'

const PROBLEMS: Record<PlayerErrorKind, string> = {
  'invalid-source': 'This video cannot be found.',
  unplayable: 'This video cannot be played here.',
  'not-found': 'This video is no longer available.',
  'not-embeddable': 'The owner of this video does not allow it to be shown here.',
  'not-identified': 'YouTube did not accept this page.',
  unreachable: 'The video cannot be reached from here.',
}

const problemText = ({ error = 'unreachable', playerKind }: LiveState): string =>
  error === 'unreachable' && playerKind === 'youtube'
    ? 'YouTube cannot be reached from this network.'
    : PROBLEMS[error]

/** What has to be said while the picture is not simply playing. */
export type StageNoticeKind =
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

/** These offer something to press, which then has the focus that rests on the picture otherwise. */
const PRESSABLE = new Set<StageNoticeKind | undefined>([
  'missing',
  'unavailable',
  'off-air',
  'unreachable',
  'blocked',
  'sound-blocked',
])

export const isPressable = (kind: StageNoticeKind | undefined): boolean => PRESSABLE.has(kind)

/** Undefined while the picture simply plays. */
export function noticeKind(page: LivePageState, state: LiveState): StageNoticeKind | undefined {
  const { channel } = page
  if (!channel.timeline && channel.failure && !state.selected) return channel.failure
  if (state.phase === 'playing') {
    if (state.soundBlocked) return 'sound-blocked'
    return state.buffering ? 'buffering' : undefined
  }
  // Nothing will come before the next programme: that is no loading.
  if (state.phase === 'loading-next' && state.error && !state.selected) return 'unplayable'
  return state.phase
}

/** The words over the picture, by kind. */
export function StageNotice(props: { kind: StageNoticeKind; page: LivePageState; state: LiveState }) {
  const { kind, page, state } = props
  switch (kind) {
    case 'connecting':
      return (
        <Words isBusy>
          <p>Connecting to 24/7 stream...</p>
        </Words>
      )
    case 'missing':
      return (
        <Words>
          <p>There is no such channel.</p>
          <NoticeButton onClick={page.watchDefault}>Watch Live TV</NoticeButton>
        </Words>
      )
    case 'unavailable':
      return (
        <Words>
          <p>Stream server unavailable</p>
          <NoticeButton onClick={page.retryConnection}>Retry Connection</NoticeButton>
        </Words>
      )
    case 'off-air':
      return (
        <Words>
          <p>This channel is off the air.</p>
          <NoticeButton onClick={() => page.setPanel('channels')}>Other channels</NoticeButton>
        </Words>
      )
    case 'unreachable':
      return (
        <Words>
          <p>{problemText(state)}</p>
          {state.selected ? (
            <NoticeButton onClick={page.session.backToLive.bind(page.session)}>Back to live</NoticeButton>
          ) : (
            <NoticeButton onClick={page.session.retryNow.bind(page.session)}>Try again</NoticeButton>
          )}
        </Words>
      )
    case 'blocked':
      return (
        <Words>
          <TuneIn page={page} />
        </Words>
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
      return <Words isBusy isLate />
  }
}

/** The next title is announced; a clean cut is over before this is seen. */
function LoadingNext({ state }: { state: LiveState }) {
  const { title, artistName } = state.selected ?? state.programme?.video ?? {}
  return (
    <Words isBusy isLate>
      <p>Loading next video...</p>
      {title && (
        <p className="text-base text-white/80">
          {title} – {artistName}
        </p>
      )}
    </Words>
  )
}

/** What is on the air does not play here: why, and until when. */
function Unplayable({ state }: { state: LiveState }) {
  const [next] = state.upNext
  return (
    <Words>
      <p>{problemText(state)}</p>
      {next && (
        <p className="text-base text-white/80">
          Next at {clockTime(next.startsAtMs)}: {next.video.title} – {next.video.artistName}
        </p>
      )}
    </Words>
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

/** Takes the focus if nothing else has it: it is what the viewer needs next. */
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

type WordsProps = {
  children?: ReactNode
  /** With a turning wheel. */
  isBusy?: boolean
  /** Only if it lasts: a clean cut shows nothing. */
  isLate?: boolean
}

function Words({ children, isBusy = false, isLate = false }: WordsProps) {
  return (
    <div
      role="status"
      className={classNames(
        'pointer-events-none absolute inset-0 z-20 grid place-content-center justify-items-center gap-4 p-6',
        'text-center text-lg text-balance text-white lg:text-xl [&_p]:drop-shadow-[0_1px_6px_rgb(0_0_0)]',
        isLate && 'animate-fade [animation-delay:400ms] [animation-fill-mode:backwards]',
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
