import type { Card } from '../cards/card.ts'

/** Metadata of a page, for link previews and search engines, which read the HTML without running the app. */
export interface PageMetadata {
  title: string
  description: string
  /** Canonical path and query. */
  path: string
  /** Open Graph type: https://ogp.me/#types. */
  type: 'website' | 'video.other'
  /** URL, or path on this site. Default: the station's own picture. */
  image?: string | undefined
  /** What a picture is drawn from, which link previews show instead of `image`. */
  card?: Card
  /** Length of the video in seconds. */
  durationS?: number
  /** Search engines must not list the page: it is personal, or not found. */
  isUnlisted?: boolean
  /** Other sites may show it as an embed. */
  isEmbeddable?: boolean
}
