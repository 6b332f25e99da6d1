/** What an admin puts videos into (docs/product/admin.md §3). */
export const CATEGORIES = ['Must Watch', 'New Video Submissions', 'Classics'] as const
export type Category = (typeof CATEGORIES)[number]

/** What videos that members added from a playlist are in; nobody moves a video there. */
export const PLAYLIST_CATEGORY = 'YouTube Playlist' as const

/** What a new video is in unless told (docs/product/admin.md §5). */
export const DEFAULT_CATEGORY: Category = 'New Video Submissions'
