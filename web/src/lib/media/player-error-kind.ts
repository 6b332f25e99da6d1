/**
 * Why a source does not play.
 * - invalid-source: the id or URL is invalid (YouTube 2)
 * - unplayable: the media exists but cannot be played (YouTube 5, MediaError 3 and 4)
 * - not-found: removed or private (YouTube 100)
 * - not-embeddable: its owner does not allow it here (YouTube 101, 150)
 * - not-identified: YouTube received no Referer (153): a fault of this page, not of the video
 * - unreachable: the player's script or the media's server does not respond
 */
export type PlayerErrorKind =
  | 'invalid-source'
  | 'unplayable'
  | 'not-found'
  | 'not-embeddable'
  | 'not-identified'
  | 'unreachable'
