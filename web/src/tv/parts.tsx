import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { serverClock } from '../lib/clients.ts'

/** Focuses a control that has appeared, unless another one of its panel has the focus. For `ref`. */
function focusIfNone(element: HTMLElement | null): void {
  const { activeElement } = document
  const isElsewhere = activeElement === null || !activeElement.closest('[data-panel]')
  if (element && isElsewhere) element.focus()
}

/** A button. `isFirst`: has the focus when the panel opens. */
export function TvButton(props: {
  onPress: () => void
  isFirst?: boolean
  className?: string
  label?: string
  children: ReactNode
}) {
  return (
    <button
      type="button"
      ref={props.isFirst ? focusIfNone : undefined}
      className={props.className ?? 'tv-button'}
      aria-label={props.label}
      onClick={props.onPress}
    >
      {props.children}
    </button>
  )
}

/** Title and artist of a video on one line. */
export function VideoName({ title, artistName }: { title: string; artistName: string }) {
  return (
    <>
      <bdi>{title}</bdi>
      {artistName && (
        <span className="tv-muted">
          {' – '}
          <bdi>{artistName}</bdi>
        </span>
      )}
    </>
  )
}

/** Interval of the progress line, in ms. */
const PROGRESS_MS = 1_000

/** A line that shows the progress of a programme. */
export function Progress({ startsAtMs, endsAtMs }: { startsAtMs: number; endsAtMs: number }) {
  const line = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    const update = () => {
      const share = (serverClock.nowMs() - startsAtMs) / (endsAtMs - startsAtMs)
      // The property `scale` came after Chromium 87.
      if (line.current) line.current.style.transform = `scaleX(${Math.min(1, Math.max(0, share))})`
    }
    update()
    const timer = setInterval(update, PROGRESS_MS)
    return () => clearInterval(timer)
  }, [startsAtMs, endsAtMs])
  return (
    <span className="tv-progress" aria-hidden="true">
      <span ref={line} />
    </span>
  )
}
