/** Maximum width of the placeholder that YouTube returns for a missing size, in px. */
const NO_PICTURE_PX = 120

/**
 * The pictures of a video for the hero, largest first: YouTube's largest size, which may be missing, then the thumbnail.
 * Small screens use the thumbnail.
 */
export function heroPictureUrls(thumbnailUrl: string | null): string[] {
  if (!thumbnailUrl) return []
  const largest = thumbnailUrl.replace(/\/hqdefault\.jpg$/, '/maxresdefault.jpg')
  const isSmallScreen = window.matchMedia('(max-width: 40rem)').matches
  return isSmallScreen || largest === thumbnailUrl ? [thumbnailUrl] : [largest, thumbnailUrl]
}

/** Whether a loaded image is the video's, not YouTube's placeholder. */
export const isPicture = ({ naturalWidth }: HTMLImageElement): boolean => naturalWidth > NO_PICTURE_PX
