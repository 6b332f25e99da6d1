/** What a page is about, for those who read its head and never run it: link previews and search engines. */
export interface PageFacts {
  title: string
  description: string
  /** Its one true path and query. */
  path: string
  /** Open Graph's type of the thing: https://ogp.me/#types. */
  type: 'website' | 'video.other'
  /** An absolute address, or a path of ours; the station's own picture when there is none. */
  image?: string | undefined
  /** Length of the video in seconds. */
  durationS?: number
  /** Not to be listed by search engines: personal, or nothing to find. */
  isUnlisted?: boolean
}
