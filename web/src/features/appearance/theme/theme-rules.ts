import type { ThemeBody } from '@looptide/contracts/http/themes'
import { contrast } from '../../../lib/theme/colours.ts'
import { themeVariables } from '../../../lib/theme/theme-variables.ts'

/** Minimum contrast of WCAG 2.2 AA for text and for non-text elements (buttons, borders, focus rings). */
const TEXT_RATIO = 4.5
const NON_TEXT_RATIO = 3

interface ContrastNote {
  text: string
  isWarning: boolean
}

/** Describes the contrast of a theme's text and controls on its background, with a remedy where it is too low. */
export function contrastNotes(theme: ThemeBody): ContrastNote[] {
  const edge = themeVariables(theme)['--theme-edge'] ?? theme.textColor
  const note = (what: string, color: string, needed: number, good: string, remedy: string): ContrastNote => {
    const ratio = contrast(color, theme.backgroundColor)
    // Rounded down, so that an insufficient ratio never looks sufficient.
    const shown = `${what} on background: ${Math.floor(ratio * 10) / 10}:1`
    return ratio >= needed
      ? { text: `${shown}, ${good}.`, isWarning: false }
      : { text: `${shown}, too low: at least ${needed}:1 is required. ${remedy}`, isWarning: true }
  }
  return [
    note('Text', theme.textColor, TEXT_RATIO, 'easy to read', 'Pages use black or white text instead.'),
    note('Buttons', theme.primaryColor, NON_TEXT_RATIO, 'easy to see', 'Pages draw a border around buttons.'),
    note(
      'Focus rings',
      theme.accentColor,
      NON_TEXT_RATIO,
      'easy to see',
      'Pages use a lighter or darker ring.',
    ),
    note('Field borders', edge, NON_TEXT_RATIO, 'easy to see', 'Choose a lighter or darker background.'),
  ]
}

const HEX = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i

/** Parses a typed color (3 or 6 hex digits, with or without `#`) as `#rrggbb`; undefined if it is invalid. */
export function parseColor(text: string): string | undefined {
  const digits = HEX.exec(text.trim())?.[1]?.toLowerCase()
  if (digits === undefined) return undefined
  return digits.length === 6 ? `#${digits}` : `#${[...digits].map((digit) => digit + digit).join('')}`
}
