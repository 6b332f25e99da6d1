/** The length of a video's media and its trim points, in ms of the media. `endAtMs` null means the end of the media. */
export interface TrimmedMedia {
  durationMs: number
  startAtMs: number
  endAtMs: number | null
}

/** Shortest time between the trim points of a video (ms). At least this much is played, unless the media is shorter. */
export const MIN_PLAYED_MS = 1000

/**
 * The part of the media that is played, in ms of the media. Trim points are stored as they were entered: those beyond the
 * media, whose duration may be learnt later, are limited here, so that at least a second remains. The SQL function
 * `played_ms` of the stream scheduler computes the same length.
 */
export function playedRange({ durationMs, startAtMs, endAtMs }: TrimmedMedia): {
  fromMs: number
  toMs: number
} {
  const toMs = Math.min(endAtMs ?? durationMs, durationMs)
  const fromMs = Math.max(0, Math.min(startAtMs, toMs - MIN_PLAYED_MS))
  return { fromMs, toMs }
}

/** The length of {@link playedRange}, in ms. */
export function playedMs(media: TrimmedMedia): number {
  const { fromMs, toMs } = playedRange(media)
  return toMs - fromMs
}
