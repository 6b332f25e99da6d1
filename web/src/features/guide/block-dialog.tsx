import type { VideoProgramme } from '@looptide/contracts/http/channels'
import type { GuideBlock } from '@looptide/contracts/http/guide'
import { formatDuration } from '@looptide/playhead/duration'
import { type ReactNode, useState } from 'react'
import { clockTime, dateLocale } from '../../lib/time/date-locale.ts'
import { classNames } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { LiveBadge } from '../../ui/live-badge.tsx'
import { EmptyNotice, ErrorNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useBlockTracks } from './api.ts'
import type { ShownRow } from './guide-row.tsx'
import { dayName, isOnAir } from './guide-time.ts'
import { isPlaceholder, placeholderProgramme, type ShownProgramme } from './placeholders.ts'
import { ProgrammeDialog } from './programme-dialog.tsx'

export interface BlockDialogProps {
  shown: ShownRow
  block: GuideBlock
  nowMs: number
  onWatch: () => void
  onClose: () => void
  actions: (programme: ShownProgramme) => ReactNode
}

/** The dialog of a block: its tracks, or the programme if there is only one. */
export function BlockDialog(props: BlockDialogProps) {
  const { shown, block } = props
  const { row } = shown
  const answer = useBlockTracks(row.channelId, isPlaceholder(block) ? null : block, row.timelineVersion)
  const [chosen, setChosen] = useState<VideoProgramme>()
  const tracks = answer.data
  const only = isPlaceholder(block)
    ? placeholderProgramme(row.channelId, block)
    : block.trackCount === 1 && block.block === null
      ? tracks?.[0]
      : undefined
  const time = `${clockTime(block.startsAtMs)} – ${clockTime(block.endsAtMs)}`
  const detail = (programme: ShownProgramme, onClose: () => void) => (
    <ProgrammeDialog
      programme={programme}
      channelTitle={shown.title}
      nowMs={props.nowMs}
      onWatch={props.onWatch}
      onClose={onClose}
      actions={props.actions(programme)}
    />
  )
  if (only) return detail(only, props.onClose)
  return (
    <Dialog
      title={block.block?.name ?? time}
      description={[shown.title, dayName(block.startsAtMs), ...(block.block ? [time] : [])].join(', ')}
      isOpen
      onClose={props.onClose}
      width="medium"
    >
      {block.block?.description && (
        <p className="mb-4 wrap-anywhere whitespace-pre-line text-muted">{block.block.description}</p>
      )}
      {tracks ? (
        <Tracks tracks={tracks} nowMs={props.nowMs} onChoose={setChosen} />
      ) : answer.error ? (
        <ErrorNotice text="These programmes could not be loaded." onRetry={() => void answer.mutate()} />
      ) : (
        <TracksSkeleton count={Math.min(12, block.trackCount)} />
      )}
      {/* The tracks stay visible although the schedule has changed. */}
      {chosen && detail(chosen, () => setChosen(undefined))}
    </Dialog>
  )
}

/** Start times of tracks shorter than this (ms) include seconds, because several may begin in the same minute. */
const SHORT_MS = 60_000

const withSeconds = (epochMs: number): string =>
  new Date(epochMs).toLocaleTimeString(dateLocale, { hour: 'numeric', minute: '2-digit', second: '2-digit' })

function Tracks(props: {
  tracks: readonly VideoProgramme[]
  nowMs: number
  onChoose: (track: VideoProgramme) => void
}) {
  const { tracks, nowMs, onChoose } = props
  if (tracks.length === 0) {
    return (
      <EmptyNotice title="The schedule has changed">
        <p>These programmes are no longer scheduled. Close this dialog to see the current guide.</p>
      </EmptyNotice>
    )
  }
  const timeOf = tracks.some((track) => track.endsAtMs - track.startsAtMs < SHORT_MS)
    ? withSeconds
    : clockTime
  return (
    <ol aria-label="Tracks" className="-mx-3 grid">
      {tracks.map((track) => {
        const isOn = isOnAir(track, nowMs)
        return (
          <li
            key={track.id}
            aria-current={isOn ? 'time' : undefined}
            className="[contain-intrinsic-size:auto_3.5rem] [content-visibility:auto]"
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
              <span className="text-sm text-muted tabular-nums">{timeOf(track.startsAtMs)}</span>
              <span className="min-w-0">
                <span className="flex items-center gap-2">
                  <span className="truncate font-medium">{track.video.title}</span>
                  {isOn && <LiveBadge className="shrink-0" />}
                </span>
                <span className="block truncate text-sm text-muted">{track.video.artistName}</span>
              </span>
              <span className="text-sm text-muted tabular-nums">
                {formatDuration(track.endsAtMs - track.startsAtMs)}
              </span>
            </button>
          </li>
        )
      })}
    </ol>
  )
}

function TracksSkeleton({ count }: { count: number }) {
  return (
    <div role="status" aria-label="Loading tracks" className="grid gap-2">
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={String(index)} className="h-12" />
      ))}
    </div>
  )
}
