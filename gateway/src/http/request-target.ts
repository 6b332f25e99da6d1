/**
 * Whether a request target (path and query, as the client sent it) is free of `#` and `\`, which RFC 9112 §3.2 does not
 * allow in one. URL parsers cut off the first and turn the second into `/`: the router, caches and services would each
 * see another address.
 */
export const isPlainTarget = (target: string): boolean => !/[#\\]/.test(target)
