import { type ReactNode, useEffect, useRef } from 'react'
import { classNames } from '../../ui/class-names.ts'
import type { LiveSession } from './player/live-session.ts'
import { shownCard } from './player/live-state.ts'
import { writeSessionAttributes } from './player/session-attributes.ts'
import { useLiveState } from './use-live-session.ts'

/**
 * The element the live session draws into. It fills its parent, is black without a picture, and has the session's
 * measurements as `data-*` attributes (see `writeSessionAttributes`); `children` are shown over it. YouTube requires a
 * frame of at least 200×200 pixels. A frame with another colour scheme than its document is white until it has loaded,
 * so it is set to light like YouTube's. During a card the players are hidden, because YouTube forbids overlays.
 */
export function LivePicture({ session, children }: { session: LiveSession; children?: ReactNode }) {
  const picture = useRef<HTMLElement>(null)
  const host = useRef<HTMLDivElement>(null)
  const isCard = shownCard(useLiveState(session)) !== undefined

  useEffect(() => {
    if (!picture.current || !host.current) return
    const stopWriting = writeSessionAttributes(picture.current, session)
    session.start(host.current)
    return () => {
      session.stop()
      stopWriting()
    }
  }, [session])

  return (
    <section
      ref={picture}
      aria-label="Live picture"
      data-testid="live-picture"
      className="relative size-full min-h-50 min-w-50 overflow-hidden bg-black"
    >
      <div
        ref={host}
        className={classNames(
          'absolute inset-0 [&_iframe]:size-full [&_iframe]:[color-scheme:light]',
          isCard && 'invisible',
        )}
      />
      {children}
    </section>
  )
}
