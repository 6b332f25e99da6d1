import type { TitleReplacement } from '@looptide/contracts/http/video-edits'
import { cleanText, TEXT_LIMITS } from '../videos/clean-text.ts'
import { PLACEHOLDER } from '../videos/new-videos.ts'

/**
 * The title after each occurrence of a text, in any case, was replaced; blanks that meet are merged. Undefined if the
 * title contains the text but must stay: nothing or too much would be left, or the title is still being looked up.
 */
export function replaceInTitle(title: string, replacement: TitleReplacement): string | undefined {
  const found = new RegExp(RegExp.escape(replacement.text), 'giu')
  if (title.search(found) === -1) return title
  if (title === PLACEHOLDER.title) return undefined
  const replaced = title.replace(found, () => replacement.with).replaceAll(/ {2,}/g, ' ')
  const cleaned = cleanText(replaced, Number.POSITIVE_INFINITY)
  return cleaned === '' || [...cleaned].length > TEXT_LIMITS.title ? undefined : cleaned
}
