import { withoutFormat } from './typed-text.ts'

const YOUTUBE_HOSTS = new Set([
  'youtube.com',
  'www.youtube.com',
  'm.youtube.com',
  'music.youtube.com',
  'studio.youtube.com',
  'consent.youtube.com',
  'youtube-nocookie.com',
  'www.youtube-nocookie.com',
])
const SHORT_HOSTS = new Set(['youtu.be', 'www.youtu.be'])
const YOUTUBE_ID = /^([A-Za-z0-9_-]{11})(?![A-Za-z0-9_-])/
const PLAYLIST_ID = /^[A-Za-z0-9_-]{2,64}$/
const CHANNEL_ID = /^UC[A-Za-z0-9_-]{22}$/
/** Handles may contain letters of any script. */
const HANDLE = /^@[\p{L}\p{M}\p{N}._·-]{1,100}$/u
const USER_NAME = /^[A-Za-z0-9]{1,60}$/

/** Paths in which the second segment is the id of a video. `studio.youtube.com/video/<id>/edit` is one of them. */
const ID_PATHS = new Set(['embed', 'shorts', 'live', 'watch', 'video', 'v', 'vi', 'e'])
/** Paths whose parameter `v` is the id of a video; the first is that of `youtube.com/?v=<id>`. */
const WATCH_PATHS = new Set(['', 'watch', 'watch_popup'])
/** Words in the place of an id (`/embed/live_stream?channel=…`). They have the length of an id. */
const RESERVED_WORDS = new Set(['videoseries', 'live_stream'])
/** Parameters of YouTube's own links that contain the URL of a video: `attribution_link?u=/watch?v=…`, consent, sign-in. */
const NESTED_PARAMETERS = ['u', 'url', 'continue', 'next']
const MAX_NESTED_URLS = 2

/** Text that no URL contains, so that it separates words. */
const BETWEEN_WORDS = /[\s<>"“”„«»‹›「」『』《》（），。、；！]+/u
const YOUTUBE_START =
  '(?:\\/\\/)?(?:(?:www|m|music|studio)\\.)?(?:youtube|youtu|youtube-nocookie)\\.(?:com|be)[/?]'
/** Between two URLs that no blank separates: in a list, or in Markdown (`[url](url)`). */
const BETWEEN_URLS = new RegExp(`(?:[,;|]|\\]\\()(?=https?:\\/\\/|${YOUTUBE_START})`, 'iu')
/** A scheme that does not continue a word, such as another URL's path or query. */
const SCHEME = /(?<![\p{L}\p{N}/=&?#%+.@-])https?:\/\//iu
const BARE_YOUTUBE_URL = new RegExp(`^(?:\\d{1,6}[.)])?[^\\p{L}\\p{N}/]*(${YOUTUBE_START}.*)$`, 'isu')
/** Punctuation after a URL. A slash, `=` and the characters of an id belong to the URL. */
const TRAILING = /[^\p{L}\p{N}\p{M}/=&#%+~$@_-]$/u

/** The target of a YouTube URL: a video, a playlist, both or neither. */
export interface YoutubeUrl {
  youtubeId: string | undefined
  hasPlaylist: boolean
}

/**
 * Finds the URLs in a text that a person has pasted, such as `1. <https://youtu.be/…>,` or `Title – youtu.be/…`: those with
 * a scheme, and YouTube's without one. Brackets, quotes and punctuation around them are dropped.
 */
export function findUrls(text: string): string[] {
  return text
    .split(BETWEEN_WORDS)
    .flatMap((word) => word.split(BETWEEN_URLS))
    .flatMap((word) => urlIn(word) ?? [])
}

/** The parts of a line that are one entry each: its URLs if it contains several, else the line itself. */
export function splitPastedLine(line: string): string[] {
  const urls = findUrls(line)
  return urls.length > 1 ? urls : [line]
}

function urlIn(word: string): string | undefined {
  const start = word.search(SCHEME)
  if (start !== -1) return withoutTrailing(word.slice(start))
  const bare = BARE_YOUTUBE_URL.exec(word)?.[1]
  return bare === undefined ? undefined : withoutTrailing(bare.replace(/^\/\//, ''))
}

/** Without punctuation at its end. A closing bracket stays if the URL contains the opening one. */
function withoutTrailing(url: string): string {
  let open = [...url].reduce(
    (sum, char) => sum + ('([{'.includes(char) ? 1 : ')]}'.includes(char) ? -1 : 0),
    0,
  )
  let end = url.length
  while (TRAILING.test(url.slice(Math.max(0, end - 2), end))) {
    const isClosing = ')]}'.includes(url.charAt(end - 1))
    if (isClosing && open >= 0) break
    if (isClosing) open += 1
    end -= 1
  }
  return url.slice(0, end)
}

/**
 * Parses a URL as users type or paste it, with or without a scheme, also with text around it. Null if there is none or
 * several, or one that is not http or https.
 */
export function parseWebUrl(typed: string): URL | null {
  const text = withoutFormat(typed)
  const [found = text.trim(), ...others] = findUrls(text)
  if (others.length > 0 || !/^[a-z0-9]/i.test(found)) return null
  const withScheme = /^[a-z][a-z0-9+.-]*:/i.test(found) ? found : `https://${found}`
  if (!URL.canParse(withScheme)) return null
  const url = new URL(withScheme)
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : null
}

/**
 * Parses a YouTube URL: a watch URL, a short link, an embed, shorts, live or studio URL, or a link of YouTube that contains
 * one of them. Null if the host is not YouTube's.
 */
export function parseYoutubeUrl(url: URL): YoutubeUrl | null {
  const target = nestedUrl(url)
  const isShort = isHost(SHORT_HOSTS, target)
  if (!isShort && !isHost(YOUTUBE_HOSTS, target)) return null
  return {
    youtubeId: idOf(isShort ? target.pathname.split('/')[1] : idOnYoutube(target)),
    hasPlaylist: parameter(target, 'list') !== null || target.pathname === '/playlist',
  }
}

const isHost = (hosts: ReadonlySet<string>, { hostname }: URL): boolean =>
  hosts.has(hostname.replace(/\.$/, ''))

/** The URL in a parameter of a YouTube URL, or the URL itself without one. */
function nestedUrl(outer: URL): URL {
  let url = outer
  for (let depth = 0; depth < MAX_NESTED_URLS && isHost(YOUTUBE_HOSTS, url); depth += 1) {
    if (idOf(idOnYoutube(url)) !== undefined) return url
    const nested = NESTED_PARAMETERS.map((name) => parameter(url, name)).find((value) => value !== null)
    if (nested === undefined || !URL.canParse(nested, url)) return url
    url = new URL(nested, url)
  }
  return url
}

function idOnYoutube(url: URL): string | undefined {
  const [, first = '', second] = url.pathname.split('/')
  if (ID_PATHS.has(first) && second) return second
  return WATCH_PATHS.has(first) ? (parameter(url, 'v') ?? undefined) : undefined
}

/** The id at the start of a text, also with what belongs behind it in the URL: `<id>?t=30`, `<id>&feature=share`. */
function idOf(text = ''): string | undefined {
  const [, id] = YOUTUBE_ID.exec(text) ?? []
  return id === undefined || RESERVED_WORDS.has(id.toLowerCase()) ? undefined : id
}

/** A parameter of a URL, also of one that was copied from HTML with `&amp;`. */
const parameter = ({ searchParams }: URL, name: string): string | null =>
  searchParams.get(name) ?? searchParams.get(`amp;${name}`)

/** A playlist or channel as its URL names it. A handle includes its `@`; `user` is the name of an old channel URL. */
export interface YoutubeListName {
  kind: 'playlist' | 'channel' | 'handle' | 'user'
  id: string
}

/**
 * Parses the URL of a YouTube playlist or channel, as users type it: any YouTube URL with `list`, `/channel/UC…`,
 * `/@handle` or `/user/…`. Null for any other text, also for `/c/…`, which the Data API cannot look up.
 */
export function parseYoutubeListUrl(text: string): YoutubeListName | null {
  const pasted = parseWebUrl(text)
  const url = pasted && nestedUrl(pasted)
  if (url === null || parseYoutubeUrl(url) === null) return null
  const list = parameter(url, 'list')
  if (list !== null) return PLAYLIST_ID.test(list) ? { kind: 'playlist', id: list } : null
  const [, first = '', second = ''] = url.pathname.split('/').map(decodeSegment)
  if (HANDLE.test(first)) return { kind: 'handle', id: first }
  if (first === 'channel' && CHANNEL_ID.test(second)) return { kind: 'channel', id: second }
  return first === 'user' && USER_NAME.test(second) ? { kind: 'user', id: second } : null
}

function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
