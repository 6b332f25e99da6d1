const HOUR_MS = 3_600_000

/** A timeline that ends sooner than this (ms from now) is extended … */
export const EXTEND_BELOW_MS = 26.5 * HOUR_MS
/** … to here: an hour at a time, so that a thousand channels cost one extension every few seconds. */
export const EXTEND_TO_MS = 27.5 * HOUR_MS
/** Programmes stay in the timeline this long after they end: the guide begins with the current hour. */
export const KEEP_PAST_MS = 3 * HOUR_MS
/**
 * What starts within this time (ms) counts as on the air: players have loaded it already, and the clocks of two
 * replicas may differ a little. No edit changes it; a reset lets it stand until then.
 */
export const GUARD_MS = 2000
/** Most programmes written at once; a channel of very short clips gets its 26 hours in several steps. */
export const MAX_PLANNED = 20_000
/** A video shorter than this (ms) is given this much air, or a second of film would need 93,600 rows a day. */
export const MIN_PROGRAMME_MS = 1000
/** The channel that plays the live playlist, or else public videos up to a length. */
export const DEFAULT_CHANNEL_ID = 'default'
