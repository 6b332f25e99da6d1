import { MAX_TAGS } from '@looptide/contracts/http/videos'
import { cleanLine, textKey } from '@looptide/contracts/text'

/** Maximum characters of a tag. */
const MAX_TAG_LENGTH = 40

/** Tags as one text, as they are typed and stored in CSV files. Tags contain no commas. */
export const tagText = (tags: readonly string[]): string => tags.join(', ')

/** The tags of a text: separated by commas, trimmed, and unique without case. */
export function tagsOf(text: string): string[] {
  const tags = text.split(',').flatMap((part) => cleanLine(part).replaceAll(/\s+/g, ' ') || [])
  const keys = tags.map(textKey)
  return tags.filter((_, index) => keys.indexOf(keys[index] ?? '') === index)
}

/** Why these tags cannot be stored; undefined if they can. */
export function tagProblem(tags: readonly string[]): string | undefined {
  const long = tags.find((tag) => [...tag].length > MAX_TAG_LENGTH)
  if (long !== undefined) return `The tag "${long}" is longer than ${MAX_TAG_LENGTH} characters.`
  return tags.length > MAX_TAGS ? `A video has at most ${MAX_TAGS} tags.` : undefined
}
