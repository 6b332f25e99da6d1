import { readable } from './colours.ts'
import { themeVariables } from './theme-variables.ts'
import { useThemeInUse } from './use-theme-in-use.ts'

/** Contrast that a graphical object needs (WCAG 2.2, 1.4.11). */
const GRAPHIC_CONTRAST = 3
const DEFAULT_COLOUR = '#f59e0b'

/** Returns a function that makes the colour of a block visible on the grounds of the theme in use. */
export function useBlockColour(): (colour: string | null) => string {
  const variables = themeVariables(useThemeInUse())
  const ground = (name: string) => variables[`--theme-${name}`] ?? '#000000'
  const grounds = ['deep', 'panel', 'raised', 'line'].map(ground)
  return (colour) => readable(colour ?? DEFAULT_COLOUR, ground('text'), grounds, GRAPHIC_CONTRAST)
}
