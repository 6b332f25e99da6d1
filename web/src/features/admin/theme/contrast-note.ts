import type { ThemeBody } from '@looptide/contracts/http/admin'
import { contrast } from '../../theme/colours.ts'

/** WCAG 2.2 AA for text. */
const TEXT_RATIO = 4.5

/** How well the words can be read on the page, and what is done about it where they cannot. */
export function contrastNote({ textColor, backgroundColor }: ThemeBody): string {
  const ratio = contrast(textColor, backgroundColor)
  // Rounded down, so that what is too little never looks like enough.
  const shown = `${Math.floor(ratio * 10) / 10}:1`
  if (ratio >= TEXT_RATIO) return `Text on background: ${shown}, easy to read.`
  return `Text on background: ${shown}, too little to read. Pages use black or white text instead.`
}
