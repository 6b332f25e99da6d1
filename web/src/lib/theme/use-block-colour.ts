import { readable } from './colours.ts'
import { themeVariables } from './theme-variables.ts'
import { useThemeInUse } from './use-theme-in-use.ts'

/** Contrast that a graphical object needs (WCAG 2.2, 1.4.11). */
const GRAPHIC_CONTRAST = 3
const DEFAULT_COLOUR = '#f59e0b'

/** Returns a function that makes the colour of a block visible on the backgrounds of the theme in use. */
export function useBlockColour(): (colour: string | null) => string {
  const variables = themeVariables(useThemeInUse())
  const variable = (name: string) => variables[`--theme-${name}`] ?? '#000000'
  const backgrounds = ['deep', 'panel', 'raised', 'line'].map(variable)
  return (colour) => readable(colour ?? DEFAULT_COLOUR, variable('text'), backgrounds, GRAPHIC_CONTRAST)
}
