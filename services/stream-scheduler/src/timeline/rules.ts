const HOUR_MS = 3_600_000

/** A timeline that ends sooner than this (ms from now) is extended. The feeds of the guide reach 37 hours ahead. */
export const EXTEND_BELOW_MS = 37.5 * HOUR_MS
/** A timeline is extended to this (ms from now): an hour at a time, so 1,000 channels need one extension every 3.6 s. */
export const EXTEND_TO_MS = 38.5 * HOUR_MS
/** Time (ms) for which ended programmes stay in the timeline: the guide begins with the current hour. */
export const KEEP_PAST_MS = 3 * HOUR_MS
/**
 * Guard interval (ms). A programme that starts within it counts as on the air: players have loaded it, and the clocks
 * of two replicas may differ a little. An edit does not change it; a reset cuts it short at the end of the interval.
 */
export const GUARD_MS = 2000
/** Maximum number of programmes written at once. A channel of very short clips gets its 37 hours in several steps. */
export const MAX_PLANNED = 20_000
/** Minimum length of a programme (ms). It bounds the number of rows a day: 86,400. */
export const MIN_PROGRAMME_MS = 1000
/** The channel that plays the live playlist or, while that is empty, public videos up to a maximum length. */
export const DEFAULT_CHANNEL_ID = 'default'
