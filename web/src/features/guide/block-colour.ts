import { readable } from '../../lib/theme/colours.ts'
import { DARK_SURFACES } from '../../lib/theme/theme-variables.ts'

/** Contrast that a graphical object needs (WCAG 2.2, 1.4.11). */
const GRAPHIC_CONTRAST = 3
const DEFAULT_COLOUR = '#f59e0b'
const TEXT = '#ffffff'

/** The colour of a block of the schedule, visible on the guide, which is a dark surface in every theme. */
export const blockColour = (colour: string | null): string =>
  readable(colour ?? DEFAULT_COLOUR, TEXT, DARK_SURFACES, GRAPHIC_CONTRAST)
