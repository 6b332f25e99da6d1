import { classNames } from '../../ui/class-names.ts'

/**
 * Seen while the viewer uses the page, gone otherwise; always there where the picture leaves it a place of its own.
 * A finger does not press what it cannot see: its first touch only brings the controls back.
 */
export const fading = (isShown: boolean): string =>
  classNames(
    'transition-opacity duration-300',
    isShown
      ? 'overlay:pointer-events-auto'
      : 'overlay:opacity-0 overlay:pointer-coarse:pointer-events-none overlay:pointer-fine:pointer-events-auto roomy:pointer-events-auto roomy:opacity-100',
  )
