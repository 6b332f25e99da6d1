import type { VideoProgramme } from '@looptide/contracts/http/channels'
import { formatDuration } from '@looptide/playhead/duration'
import { useLayoutEffect, useRef } from 'react'
import { clockTime, dateLocale } from '../../lib/time/date-locale.ts'
import { classNames } from '../../ui/class-names.ts'
import { LiveBadge } from '../../ui/live-badge.tsx'
import { EmptyNotice } from '../../ui/notice.tsx'
import { isOnAir } from './guide-time.ts'
import { focusFirst, hasPanelFocus } from './side-panel.tsx'

/** Start times of tracks shorter than this (ms) include seconds, because several may begin in the same minute. */
const SHORT_MS = 60_000

const withSeconds = (epochMs: number): string =>
  new Date(epochMs).toLocaleTimeString(dateLocale, { hour: 'numeric', minute: '2-digit', second: '2-digit' })

/** The tracks of a block, in order. When they appear, the one that is on now is in view. */
export function BlockTracks(props: {
  tracks: readonly VideoProgramme[]
  nowMs: number
  onChoose: (track: VideoProgramme) => void
}) {
  const { tracks, nowMs, onChoose } = props
  const list = useRef<HTMLOListElement>(null)
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' })
    // They were loading when the panel took the focus.
    if (hasPanelFocus()) focusFirst(list.current)
  }, [])
  if (tracks.length === 0) {
    return (
      <EmptyNotice title="The schedule has changed">
        <p>These programmes are no longer scheduled. Close this list to see the current guide.</p>
      </EmptyNotice>
    )
  }
  const timeOf = tracks.some((track) => track.endsAtMs - track.startsAtMs < SHORT_MS)
    ? withSeconds
    : clockTime
  return (
    <ol ref={list} aria-label="Tracks" className="-mx-3 grid text-base tv:text-xl">
      {tracks.map((track) => {
        const isOn = isOnAir(track, nowMs)
        return (
          <li
            key={track.id}
            aria-current={isOn ? 'time' : undefined}
            className="[contain-intrinsic-size:auto_4rem] [content-visibility:auto]"
          >
            <button
              type="button"
              onClick={() => onChoose(track)}
              className={classNames(
                'grid w-full grid-cols-[auto_minmax(0,1fr)_auto] items-baseline gap-4 rounded-md px-3 py-2 text-left transition-colors hover:bg-raised focus-visible:-outline-offset-3',
                track.endsAtMs <= nowMs && 'text-muted',
                isOn && 'bg-raised',
              )}
            >
              <span className="text-muted tabular-nums">{timeOf(track.startsAtMs)}</span>
              <span className="min-w-0">
                <span className="flex items-center gap-2">
                  <span className="truncate font-medium">{track.video.title}</span>
                  {isOn && <LiveBadge isLarge className="shrink-0" />}
                </span>
                <span className="block truncate text-muted">{track.video.artistName}</span>
              </span>
              <span className="text-muted tabular-nums">
                {formatDuration(track.endsAtMs - track.startsAtMs)}
              </span>
            </button>
          </li>
        )
      })}
    </ol>
  )
}
