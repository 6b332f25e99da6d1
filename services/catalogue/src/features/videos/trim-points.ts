import { MIN_PLAYED_MS } from '@looptide/playhead/trim'
import { errors } from '@looptide/service-kit/http/errors'
import type { VideoRow } from '../../db/schema.ts'

type Trimmed = Pick<VideoRow, 'startAtMs' | 'endAtMs' | 'durationMs' | 'durationAssumed'>

/**
 * Throws `validation_failed` unless at least a second lies between the trim points and, if the duration of the media is
 * known, they lie in the media.
 */
export function checkTrimPoints({ startAtMs, endAtMs, durationMs, durationAssumed }: Trimmed): void {
  const mediaEndMs = durationAssumed ? Number.POSITIVE_INFINITY : durationMs
  if (endAtMs !== null && endAtMs > mediaEndMs) {
    throw errors.validation('The end is after the end of the video.', [
      { path: '/endAtMs', message: `must be at most ${durationMs}` },
    ])
  }
  if (startAtMs > 0 && (endAtMs ?? mediaEndMs) - startAtMs < MIN_PLAYED_MS) {
    throw errors.validation('The end must be at least one second after the start.', [
      { path: '/startAtMs', message: 'must be at least a second before the end' },
    ])
  }
  if (startAtMs === 0 && endAtMs !== null && endAtMs < MIN_PLAYED_MS) {
    throw errors.validation('The end must be at least one second after the start.', [
      { path: '/endAtMs', message: `must be at least ${MIN_PLAYED_MS}` },
    ])
  }
}
