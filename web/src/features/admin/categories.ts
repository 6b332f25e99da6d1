/** Categories that an admin can choose (docs/product/admin.md §3). */
export const CATEGORIES = ['Must Watch', 'New Video Submissions', 'Classics'] as const
export type Category = (typeof CATEGORIES)[number]

/** Category of videos that were imported from a YouTube playlist. Videos cannot be moved to it. */
export const PLAYLIST_CATEGORY = 'YouTube Playlist' as const

/** Default category of a new video (docs/product/admin.md §5). */
export const DEFAULT_CATEGORY: Category = 'New Video Submissions'
