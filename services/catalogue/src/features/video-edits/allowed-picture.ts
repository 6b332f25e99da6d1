/** Where YouTube's thumbnails are. */
const YOUTUBE_PICTURES = 'https://i.ytimg.com'
/** Stands for the station's own origin while an address is read. */
const OWN = 'https://station.invalid'

/**
 * The address of a picture, normalised, if browsers may load it under the Content Security Policy: a path of this
 * station, or an https address of YouTube's pictures or of one of `origins`. Null otherwise.
 */
export function allowedPicture(text: string, origins: readonly string[]): string | null {
  const isPath = text.startsWith('/')
  if (!(isPath || /^https:\/\//i.test(text)) || !URL.canParse(text, OWN)) return null
  const url = new URL(text, OWN)
  if (url.username !== '' || url.password !== '') return null
  // `//host` and `/\host` are read as another site's address.
  if (isPath) return url.origin === OWN ? url.pathname + url.search : null
  return [YOUTUBE_PICTURES, ...origins].some((origin) => new URL(origin).origin === url.origin)
    ? url.href
    : null
}
