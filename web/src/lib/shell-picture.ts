/**
 * Address of the picture that the gateway put into the page for the time until the app renders: the thumbnail of what
 * was on when the page was sent. Read once, because the first render removes the picture.
 */
export const shellPictureUrl: string | null =
  document.querySelector<HTMLImageElement>('#root > .first-picture')?.getAttribute('src') ?? null
