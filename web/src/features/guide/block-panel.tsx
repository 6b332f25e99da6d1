import type { VideoProgramme } from '@looptide/contracts/http/channels'
import type { GuideBlock } from '@looptide/contracts/http/guide'
import { type ReactNode, useRef, useState } from 'react'
import { RemindAction } from '../../lib/reminders/remind-action.tsx'
import { clockTime } from '../../lib/time/date-locale.ts'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useBlockTracks } from './api.ts'
import { BlockTracks } from './block-tracks.tsx'
import { dayName } from './guide-time.ts'
import { isPlaceholder, placeholderProgramme, type ShownProgramme } from './placeholders.ts'
import { ProgrammeDetails } from './programme-details.tsx'
import type { ShownRow } from './shown-rows.ts'
import { SidePanel, usePanelPart } from './side-panel.tsx'

/** Rows of the placeholder while the tracks are loading, at most. */
const MAX_SKELETONS = 12

/** A block in the panel: its tracks, one of which can be chosen, or the programme if there is only one. */
export function BlockPanel(props: {
  shown: ShownRow
  block: GuideBlock
  nowMs: number
  onWatch: () => void
  onClose: () => void
  actions: (programme: ShownProgramme) => ReactNode
}) {
  const { shown, block, onClose } = props
  const { row } = shown
  const hasTracks = !isPlaceholder(block) && block.trackCount > 0
  const answer = useBlockTracks(row.channelId, hasTracks ? block : null, row.timelineVersion)
  const [chosen, setChosen] = useState<VideoProgramme>()
  const tracks = answer.data
  const only = isPlaceholder(block)
    ? placeholderProgramme(row.channelId, block)
    : block.trackCount === 1 && block.block === null
      ? tracks?.[0]
      : undefined
  // The chosen track stays visible although the schedule has changed.
  const programme = only ?? chosen
  const goBack = only === undefined && chosen !== undefined ? () => setChosen(undefined) : undefined
  const time = `${clockTime(block.startsAtMs)} – ${clockTime(block.endsAtMs)}`
  return (
    <SidePanel
      title={programme?.video.title ?? block.block?.name ?? time}
      description={
        programme
          ? undefined
          : [shown.title, dayName(block.startsAtMs), ...(block.block ? [time] : [])].join(', ')
      }
      onClose={onClose}
      onBack={goBack}
    >
      <div hidden={programme !== undefined}>
        {block.block?.description && (
          <p className="mb-4 text-base wrap-anywhere whitespace-pre-line text-muted tv:text-xl">
            {block.block.description}
          </p>
        )}
        <BlockReminder channelId={row.channelId} block={block} nowMs={props.nowMs} />
        {!hasTracks ? (
          <p className="text-base text-muted tv:text-xl">No videos are planned in this block yet.</p>
        ) : tracks ? (
          <BlockTracks tracks={tracks} nowMs={props.nowMs} onChoose={setChosen} />
        ) : answer.error ? (
          <ErrorNotice text="These programmes could not be loaded." onRetry={() => void answer.mutate()} />
        ) : (
          <TracksSkeleton count={Math.min(MAX_SKELETONS, block.trackCount)} />
        )}
      </div>
      {programme && (
        <Part key={programme.id} onClose={goBack}>
          <ProgrammeDetails
            programme={programme}
            channelTitle={shown.title}
            nowMs={props.nowMs}
            onWatch={props.onWatch}
            actions={props.actions(programme)}
          />
        </Part>
      )}
    </SidePanel>
  )
}

/** Reminds of a block each time that it is on, and of a special that has not started. Nothing for what has no name. */
function BlockReminder({ channelId, block, nowMs }: { channelId: string; block: GuideBlock; nowMs: number }) {
  const kind = KINDS.find((prefix) => block.id.startsWith(`${prefix}-`))
  if (!block.block || kind === undefined || (kind === 'special' && block.startsAtMs <= nowMs)) return null
  const { id: ref, name: title } = block.block
  return (
    <div className="mb-4 empty:hidden">
      <RemindAction target={{ kind, channelId, ref, title }} />
    </div>
  )
}

/** What the ids of the guide's blocks begin with that a schedule has. */
const KINDS = ['block', 'special'] as const

/** A programme that was chosen from the tracks, which Escape and Back show again. The panel's only one is no such part. */
function Part({ onClose, children }: { onClose: (() => void) | undefined; children: ReactNode }) {
  return onClose ? <ChosenPart onClose={onClose}>{children}</ChosenPart> : children
}

function ChosenPart({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const part = useRef<HTMLDivElement>(null)
  usePanelPart(part, onClose)
  return <div ref={part}>{children}</div>
}

function TracksSkeleton({ count }: { count: number }) {
  return (
    <div role="status" aria-label="Loading tracks" className="grid gap-2">
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={String(index)} className="h-14" />
      ))}
    </div>
  )
}
