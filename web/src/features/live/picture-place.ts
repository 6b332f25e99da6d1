/** Where the live picture is shown: on the live page, or in the corner of another page. */
export type PicturePlace = 'page' | 'corner'

/**
 * Classes of the picture at each place. The element stays the same: an embedded player that is moved in the document loads
 * again. YouTube requires at least 200×200 px, whatever the size of the text.
 */
export const PICTURE_CLASSES: Record<PicturePlace, string> = {
  page: 'relative aspect-video min-h-50 w-full shrink-0 overlay:absolute overlay:inset-0 overlay:-z-10 overlay:aspect-auto overlay:min-h-0',
  corner: 'relative h-(--corner-picture) min-h-[200px] w-[min(356px,100vw-4.5rem)] shrink-0 tall:w-full',
}
