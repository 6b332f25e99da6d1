import { classNames } from '../../ui/class-names.ts'

/** Classes of controls over the picture: visible while the viewer is active, and always if there is space beside the picture. */
export const fadeClass = (isShown: boolean): string =>
  classNames(
    'transition-opacity duration-300 overlay:pointer-events-auto',
    !isShown && 'overlay:opacity-0 roomy:opacity-100',
  )
