import { classNames } from '../../ui/class-names.ts'

/** Seen while the viewer uses the page, gone otherwise; always there where the picture leaves it a place of its own. */
export const fading = (isShown: boolean): string =>
  classNames(
    'transition-opacity duration-300 overlay:pointer-events-auto',
    !isShown && 'overlay:opacity-0 roomy:opacity-100',
  )
