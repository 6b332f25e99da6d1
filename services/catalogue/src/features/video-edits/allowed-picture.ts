/** Origin of YouTube's thumbnails. */
const YOUTUBE_ORIGIN = 'https://i.ytimg.com'
/** Placeholder for the station's own origin while a URL is parsed. */
const STATION_ORIGIN = 'https://station.invalid'

/**
 * The normalised URL of a picture that the Content Security Policy allows: a path of this station, or an https URL of
 * YouTube's thumbnails or one of `origins`. Null for any other text.
 */
export function allowedPicture(text: string, origins: readonly string[]): string | null {
  const isPath = text.startsWith('/')
  if (!(isPath || /^https:\/\//i.test(text)) || !URL.canParse(text, STATION_ORIGIN)) return null
  const url = new URL(text, STATION_ORIGIN)
  if (url.username !== '' || url.password !== '') return null
  // `//host` and `/\host` are parsed as URLs of another site; `/.//host` is a path that becomes `//host`.
  if (isPath) {
    const isOwn = url.origin === STATION_ORIGIN && !url.pathname.startsWith('//')
    return isOwn ? url.pathname + url.search : null
  }
  return [YOUTUBE_ORIGIN, ...origins].some((origin) => new URL(origin).origin === url.origin)
    ? url.href
    : null
}
