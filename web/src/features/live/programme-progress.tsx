import { useLayoutEffect, useRef } from 'react'
import { serverClock } from '../../lib/clients.ts'
import { classNames } from '../../ui/class-names.ts'

/** Interval of the progress line, in ms. An animation would repaint sixty times a second for a pixel or two. */
const PROGRESS_EVERY_MS = 1000

/** A thin line that shows the progress of a programme. */
export function ProgrammeProgress(props: { startsAtMs: number; endsAtMs: number; className?: string }) {
  const { startsAtMs, endsAtMs, className } = props
  const line = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    const update = () => {
      const share = (serverClock.nowMs() - startsAtMs) / (endsAtMs - startsAtMs)
      if (line.current !== null) line.current.style.scale = `${Math.min(1, Math.max(0, share))} 1`
    }
    update()
    const timer = setInterval(update, PROGRESS_EVERY_MS)
    return () => clearInterval(timer)
  }, [startsAtMs, endsAtMs])
  return (
    <span
      aria-hidden="true"
      data-progress
      className={classNames('block overflow-hidden bg-white/20 forced-colors:bg-[GrayText]', className)}
    >
      <span
        ref={line}
        className="block h-full origin-left bg-accent forced-colors:bg-[Highlight]"
        style={{ scale: '0 1' }}
      />
    </span>
  )
}
