import { type ReactNode, useEffect, useRef } from 'react'
import { LiveStageNotice } from './live-stage-notice.tsx'
import type { LiveSession } from './player/live-session.ts'
import type { LiveState } from './player/live-state.ts'
import { writeStageAttributes } from './player/stage-attributes.ts'
import { useLiveState } from './use-live-session.ts'

type LiveStageProps = {
  session: LiveSession
  /** What to show over or instead of the picture, in place of the built-in notices; undefined keeps those. */
  notice?: (state: LiveState) => ReactNode | undefined
  className?: string
}

/**
 * The picture. Fills its parent, is black where there is none, and carries the session's measurements as `data-*`
 * attributes (see writeStageAttributes). YouTube wants its frame no smaller than 200×200 pixels.
 */
export function LiveStage({ session, notice, className = '' }: LiveStageProps) {
  const stage = useRef<HTMLElement>(null)
  const screen = useRef<HTMLDivElement>(null)
  const state = useLiveState(session)

  useEffect(() => {
    if (!stage.current || !screen.current) return
    const stopWriting = writeStageAttributes(stage.current, session)
    session.start(screen.current)
    return () => {
      session.stop()
      stopWriting()
    }
  }, [session])

  return (
    <section
      ref={stage}
      aria-label="Live picture"
      data-testid="live-stage"
      className={`relative size-full min-h-50 min-w-50 overflow-hidden bg-black ${className}`}
    >
      <div ref={screen} className="absolute inset-0 [&_iframe]:size-full" />
      {notice?.(state) ?? <LiveStageNotice state={state} session={session} />}
    </section>
  )
}
