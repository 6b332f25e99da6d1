import type { Video } from '@looptide/contracts/http/videos'
import type { MouseEvent } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Thumbnail } from '../../../ui/thumbnail.tsx'
import type { MetadataProgress } from './api.ts'

/** A video of the library: chosen or not, what it is, and how far the worker is with it. */
export function LibraryRow(props: {
  video: Video
  progress: MetadataProgress | undefined
  isSelected: boolean
  onPress: (isRange: boolean) => void
  onAskAgain: () => void
  onEdit: () => void
}) {
  const { video, progress, isSelected } = props
  const state = metadataState(video, progress)
  const onRowClick = (event: MouseEvent) => {
    if (event.target instanceof Element && event.target.closest('button, input')) return
    props.onPress(event.shiftKey)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its checkbox is what the keyboard reaches.
    // biome-ignore lint/a11y/useKeyWithClickEvents: as a label of an input would.
    <div
      onClick={onRowClick}
      className={classNames(
        'flex cursor-pointer items-center gap-3 border-b border-line/60 px-3 py-2.5 select-none',
        isSelected ? 'bg-raised' : 'hover:bg-raised/50',
      )}
    >
      <span className="grid size-8 shrink-0 place-items-center">
        <input
          type="checkbox"
          aria-label={`Select ${video.title}`}
          checked={isSelected}
          // The press brings Shift with it; the change would not.
          onChange={() => undefined}
          onClick={(event) => props.onPress(event.shiftKey)}
          className="size-5 accent-primary"
        />
      </span>
      {/* Beside the checkbox: arrow keys reach one from the other. */}
      <IconButton icon="edit" label={`Edit ${video.title}`} onClick={props.onEdit} />
      <Thumbnail url={video.thumbnailUrl} className="w-20 shrink-0 rounded-sm" />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium" title={video.title}>
          {video.title}
        </p>
        <p className="truncate text-sm text-muted">
          {video.artistName} • {video.category ?? video.genre} • {video.viewCount} views
        </p>
        {state && (
          <p className={classNames('truncate text-sm', state.isTrouble ? 'font-medium' : 'text-muted')}>
            {state.isTrouble && <span aria-hidden="true">⚠ </span>}
            {state.text}
          </p>
        )}
      </div>
      <span className="shrink-0 text-sm text-muted tabular-nums">
        {video.durationAssumed ? (
          <span title="Assumed until the real length is known">≈ {video.duration}</span>
        ) : (
          video.duration
        )}
      </span>
      {state?.isTrouble && video.youtubeId && (
        <IconButton
          icon="again"
          label={`Ask YouTube again about ${video.title}`}
          onClick={props.onAskAgain}
        />
      )}
    </div>
  )
}

const STEPS: Record<MetadataProgress['state'], string> = {
  queued: 'Queued',
  fetching: 'Fetching metadata...',
  done: 'Metadata found',
  failed: 'Failed',
}

/** Why YouTube will not show a video, in words. */
const REASONS: Record<string, string> = {
  removed: 'removed from YouTube',
  private: 'private on YouTube',
  not_embeddable: 'may not be played outside YouTube',
  age_restricted: 'age-restricted on YouTube',
  region_blocked: 'blocked everywhere',
  bad_id: 'no such id',
  unsupported_address: 'no player plays this address',
}

const inWords = (reason: string | null): string => (reason === null ? '' : `: ${REASONS[reason] ?? reason}`)

/** How far the worker is with a video; null once all is known. */
export function metadataState(
  video: Pick<Video, 'metadataStatus' | 'unavailableReason'>,
  progress: MetadataProgress | undefined,
): { text: string; isTrouble: boolean } | null {
  const isUnderWay = progress?.state === 'queued' || progress?.state === 'fetching'
  if (video.metadataStatus === 'unavailable' && !isUnderWay) {
    return { text: `Unavailable${inWords(video.unavailableReason)}`, isTrouble: true }
  }
  if (video.metadataStatus === 'resolved' && !isUnderWay) return null
  const state = progress?.state ?? 'queued'
  return { text: STEPS[state] + inWords(progress?.reason ?? null), isTrouble: state === 'failed' }
}
