import type { ThemeBody } from '@looptide/contracts/http/admin'
import { contrast } from '../../theme/colours.ts'
import { themeVariables } from '../../theme/theme-variables.ts'

/** WCAG 2.2 AA for text, and for what is no text: buttons, borders, focus rings. */
const TEXT_RATIO = 4.5
const SHAPE_RATIO = 3

export type ContrastNote = { text: string; isWarning: boolean }

/** The contrast of a theme's text and controls on its page, and what the pages do where it is too low. */
export function contrastNotes(theme: ThemeBody): ContrastNote[] {
  const edge = themeVariables(theme)['--theme-edge'] ?? theme.textColor
  const note = (what: string, color: string, needed: number, good: string, remedy: string): ContrastNote => {
    const ratio = contrast(color, theme.backgroundColor)
    // Rounded down, so that what is too little never looks like enough.
    const shown = `${what} on background: ${Math.floor(ratio * 10) / 10}:1`
    return ratio >= needed
      ? { text: `${shown}, ${good}.`, isWarning: false }
      : { text: `${shown}, too little: ${needed}:1 is needed. ${remedy}`, isWarning: true }
  }
  return [
    note('Text', theme.textColor, TEXT_RATIO, 'easy to read', 'Pages use black or white text instead.'),
    note('Buttons', theme.primaryColor, SHAPE_RATIO, 'easy to see', 'Pages draw an edge around buttons.'),
    note('Focus rings', theme.accentColor, SHAPE_RATIO, 'easy to see', 'Pages use a lighter or darker ring.'),
    note('Borders of fields', edge, SHAPE_RATIO, 'easy to see', 'Choose a lighter or darker background.'),
  ]
}
