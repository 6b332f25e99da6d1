/** Shown for a browser that its user agent does not name. */
export const UNKNOWN_DEVICE = 'Unknown device'
