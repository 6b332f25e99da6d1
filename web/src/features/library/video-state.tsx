import type { Video } from '@looptide/contracts/http/videos'
import { formatDuration, formatPosition } from '@looptide/playhead/duration'
import { playedRange } from '@looptide/playhead/trim'
import { classNames } from '../../ui/class-names.ts'
import { unavailableReasonText } from '../admin/video-texts.ts'
import type { MetadataProgress } from './api.ts'

/** "1 view", "2 views". */
export const viewsText = ({ viewCount }: Pick<Video, 'viewCount'>): string =>
  `${viewCount} ${viewCount === 1 ? 'view' : 'views'}`

/** The length that is played, with the trim points as a tooltip. */
export function DurationText({ video }: { video: Video }) {
  return (
    <span className="text-muted tabular-nums">
      {video.durationAssumed ? (
        <span title="Estimated until the actual duration is known">≈ {video.duration}</span>
      ) : (
        <span title={trimText(video)}>{video.duration}</span>
      )}
    </span>
  )
}

/** "0:10 to 3:20 of 4:00"; undefined for a video that is played as a whole. */
function trimText(video: Video): string | undefined {
  if (video.startAtMs === 0 && video.endAtMs === null) return undefined
  const { fromMs, toMs } = playedRange(video)
  return `${formatPosition(fromMs)} to ${formatPosition(toMs)} of ${formatDuration(video.durationMs)}`
}

/** The state of a video's metadata lookup; nothing once the metadata of a public video is complete. */
export function StateText(props: {
  video: Video
  progress: MetadataProgress | undefined
  className: string
}) {
  const { video } = props
  const state = metadataState(video, props.progress) ?? (video.isPublic ? null : NOT_PUBLIC)
  if (state === null) return null
  return (
    <p
      className={classNames(props.className, state.isProblem ? 'font-medium' : 'text-muted')}
      title={state.text}
    >
      {state.isProblem && <span aria-hidden="true">⚠ </span>}
      {state.text}
    </p>
  )
}

const NOT_PUBLIC = { text: 'Not public', isProblem: false }

const STATE_LABELS: Record<MetadataProgress['state'], string> = {
  queued: 'Queued',
  fetching: 'Fetching metadata...',
  done: 'Metadata found',
  failed: 'Failed',
}

const withReason = (text: string, reason: string | null): string =>
  reason === null ? text : `${text}: ${unavailableReasonText(reason)}`

/** State of a video's metadata lookup as a text; null once the metadata is complete. */
export function metadataState(
  video: Pick<Video, 'metadataStatus' | 'unavailableReason'>,
  progress: MetadataProgress | undefined,
): { text: string; isProblem: boolean } | null {
  const isInProgress = progress?.state === 'queued' || progress?.state === 'fetching'
  if (video.metadataStatus === 'unavailable' && !isInProgress) {
    return { text: withReason('Unavailable', video.unavailableReason), isProblem: true }
  }
  if (video.metadataStatus === 'resolved' && !isInProgress) return null
  const state = progress?.state ?? 'queued'
  return { text: withReason(STATE_LABELS[state], progress?.reason ?? null), isProblem: state === 'failed' }
}
