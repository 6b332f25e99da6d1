/**
 * URL of the image that the gateway puts into the page until the app renders: the thumbnail of the programme on the air
 * when the page was sent. Read once, because the first render removes the image.
 */
export const shellPictureUrl: string | null =
  document.querySelector<HTMLImageElement>('#root > .first-picture')?.getAttribute('src') ?? null
