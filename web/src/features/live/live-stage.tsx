import { type ReactNode, useEffect, useRef } from 'react'
import type { LiveSession } from './player/live-session.ts'
import { writeStageAttributes } from './player/stage-attributes.ts'

/**
 * The picture. Fills its parent, is black where there is none, and carries the session's measurements as `data-*`
 * attributes (see writeStageAttributes); `children` are words over it. YouTube wants its frame no smaller than
 * 200×200 pixels. A frame whose colour scheme differs from its document's is painted white until that has loaded:
 * hence the light one.
 */
export function LiveStage({ session, children }: { session: LiveSession; children?: ReactNode }) {
  const stage = useRef<HTMLElement>(null)
  const screen = useRef<HTMLDivElement>(null)

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
      className="relative size-full min-h-50 min-w-50 overflow-hidden bg-black"
    >
      <div ref={screen} className="absolute inset-0 [&_iframe]:size-full [&_iframe]:[color-scheme:light]" />
      {children}
    </section>
  )
}
