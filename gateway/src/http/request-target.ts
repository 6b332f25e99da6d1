/**
 * Whether a request target (path and query, as the client sent it) has no `#` and no `\`, which RFC 9112 §3.2 does not
 * allow. URL parsers cut off at `#` and replace `\` by `/`, so the router, the cache and the services would each read a
 * different URL.
 */
export const isPlainTarget = (target: string): boolean => !/[#\\]/.test(target)
