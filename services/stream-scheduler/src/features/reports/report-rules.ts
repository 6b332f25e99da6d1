/** So many viewers who cannot play a video take it off the air … */
export const ERRORS_TO_QUARANTINE = 3
/** … when they say so within this time (ms). */
export const ERROR_WINDOW_MS = 86_400_000
/**
 * Whoever has the addresses or the accounts to be three viewers must not be able to empty the air: in that time one
 * viewer counts against so many videos …
 */
export const VIDEOS_PER_VIEWER = 10
/**
 * … and viewers take so many videos off the air in `QUARANTINE_WINDOW_MS`, over all channels. What more of them report
 * is kept and counts when there is room again. When everything fails at once it seldom is the videos' fault, and the
 * metadata worker, which asks YouTube, is not held back by this.
 */
export const QUARANTINES_BY_VIEWERS = 10
export const QUARANTINE_WINDOW_MS = 3_600_000
/** Least number of networks that must report the same duration; they must also be more than half of all networks. */
export const NETWORKS_TO_LEARN = 3
/** Most by which the same duration may differ from player to player (ms). */
export const DURATION_TOLERANCE_MS = 1000
/** Durations that reports alone can set (ms). A longer video waits for its metadata. */
export const REPORTABLE_DURATION_MS = { min: 10_000, max: 1_200_000 }
/** Most duration reports kept of one video: the newest. */
export const DURATION_REPORTS_KEPT = 50
/** A report counts for what is on, was on a moment ago or is being loaded (ms). */
export const REPORT_WINDOW_MS = { before: 900_000, ahead: 600_000 }

/**
 * Whether an error says something of the video. YouTube: 2 bad id, 5 player fault, 100 gone or private, 101 and 150
 * not embeddable; 153 (no referrer) is a fault of the page. Media element: 3 cannot be decoded, 4 not supported; 1
 * (stopped) and 2 (network) are the viewer's. Sources: YouTube IFrame API, onError; HTML, MediaError.
 * Clips from our own server are never taken away: there is nothing else to fall back on.
 */
export function countsAgainst(video: { youtubeId: string | null; videoUrl: string }, code: number): boolean {
  if (video.youtubeId !== null) return [2, 5, 100, 101, 150].includes(code)
  return !video.videoUrl.startsWith('/') && [3, 4].includes(code)
}
