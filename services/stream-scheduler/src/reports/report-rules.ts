/**
 * Number of viewers whose error reports put a video into quarantine. Those of one country count as one for
 * {@link EMBEDDING_ERRORS}.
 */
export const ERRORS_TO_QUARANTINE = 3
/**
 * The owner does not allow the video to be embedded, or not in the viewer's country. The players of such viewers show a
 * substitute, and others can still see the video.
 */
export const EMBEDDING_ERRORS = [101, 150] as const
/** Time within which these reports must arrive (ms). */
export const ERROR_WINDOW_MS = 86_400_000
/**
 * Maximum number of videos whose errors one viewer can report within `ERROR_WINDOW_MS`: a person with three IP addresses
 * or accounts must not be able to empty the channels.
 */
export const VIDEOS_PER_VIEWER = 10
/**
 * Maximum number of videos that viewers can put into quarantine within `QUARANTINE_WINDOW_MS`, over all channels. Further
 * reports are stored and count later. When many videos fail at once, the videos are seldom the cause. The limit does not
 * apply to the metadata worker, which looks videos up on YouTube.
 */
export const QUARANTINES_BY_VIEWERS = 10
export const QUARANTINE_WINDOW_MS = 3_600_000
/** Minimum number of networks that must report the same duration. They must also be more than half of all networks. */
export const NETWORKS_TO_LEARN = 3
/** Largest difference between reports of the same duration (ms). */
export const DURATION_TOLERANCE_MS = 1000
/** Range of the durations that reports can set (ms). The duration of a longer video comes from its metadata. */
export const REPORTABLE_DURATION_MS = { min: 10_000, max: 1_200_000 }
/** Number of duration reports kept per video: the newest ones, one of each network. */
export const DURATION_REPORTS_KEPT = 50
/** A report counts for programmes that ended up to `before` ms ago or start within `ahead` ms. */
export const REPORT_WINDOW_MS = { before: 900_000, ahead: 600_000 }

/**
 * Whether the video is the cause of a player's error. YouTube: 2 invalid id, 5 player error, 100 removed or private, 101
 * and 150 not embeddable; 153 (no referrer) is an error of the page. Media element: 3 cannot be decoded, 4 not supported;
 * 1 (aborted) and 2 (network) are errors on the viewer's side. Sources: YouTube IFrame API, onError; HTML, MediaError.
 * Clips from our own server are never quarantined, since they are the fallback.
 */
export function isVideoFault(video: { youtubeId: string | null; videoUrl: string }, code: number): boolean {
  if (video.youtubeId !== null) return [2, 5, 100, ...EMBEDDING_ERRORS].includes(code)
  return !video.videoUrl.startsWith('/') && [3, 4].includes(code)
}
