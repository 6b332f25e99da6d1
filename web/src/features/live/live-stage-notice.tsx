import type { ReactNode } from 'react'
import type { LiveSession } from './player/live-session.ts'
import type { LiveState } from './player/live-state.ts'
import type { PlayerErrorKind } from './player/player.ts'

const PROBLEMS: Record<PlayerErrorKind, string> = {
  'invalid-source': 'This video cannot be found.',
  unplayable: 'This video cannot be played here.',
  'not-found': 'This video is no longer available.',
  'not-embeddable': 'The owner of this video does not allow it to be shown here.',
  'not-identified': 'YouTube did not accept this page.',
  unreachable: 'The video cannot be reached from here.',
}

/** The words over the picture while it is not simply playing. */
export function LiveStageNotice({ state, session }: { state: LiveState; session: LiveSession }) {
  const { phase, error, buffering, soundBlocked, playerKind } = state
  if (phase === 'connecting') return <Notice busy>Connecting to 24/7 stream...</Notice>
  if (phase === 'off-air') return <Notice>This channel is off the air.</Notice>
  if (phase === 'unreachable') {
    return (
      <Notice>
        {playerKind === 'youtube' && error === 'unreachable'
          ? 'YouTube cannot be reached from this network.'
          : PROBLEMS[error ?? 'unreachable']}
      </Notice>
    )
  }
  if (phase === 'blocked') {
    return (
      <Notice>
        <TuneIn session={session} />
      </Notice>
    )
  }
  if (phase === 'loading-next') {
    return (
      <Notice busy late={!error}>
        {error && <span className="block text-muted">{PROBLEMS[error]}</span>}
        Loading next video...
      </Notice>
    )
  }
  if (soundBlocked) {
    return (
      <div className="pointer-events-none absolute inset-x-0 bottom-6 z-20 flex justify-center">
        <TuneIn session={session} />
      </div>
    )
  }
  return buffering ? <Notice busy late /> : null
}

function TuneIn({ session }: { session: LiveSession }) {
  return (
    <button
      type="button"
      onClick={() => session.tuneIn()}
      className="lift pointer-events-auto min-h-12 rounded-full bg-primary px-8 font-semibold text-lg text-on-primary shadow-lift"
    >
      Tune in
    </button>
  )
}

type NoticeProps = {
  children?: ReactNode
  /** With a turning wheel. */
  busy?: boolean
  /** Only if it lasts: a clean cut shows nothing. */
  late?: boolean
}

function Notice({ children, busy = false, late = false }: NoticeProps) {
  return (
    <div
      role="status"
      className={`pointer-events-none absolute inset-0 z-20 grid place-content-center justify-items-center gap-4 p-6 text-center text-lg text-white ${late ? 'animate-fade [animation-delay:400ms] [animation-fill-mode:backwards]' : ''}`}
    >
      {busy && (
        <span
          aria-hidden="true"
          className="size-12 animate-turn rounded-full border-4 border-white/25 border-t-white"
        />
      )}
      {children && <p className="text-balance drop-shadow-[0_1px_6px_rgb(0_0_0)]">{children}</p>}
    </div>
  )
}
