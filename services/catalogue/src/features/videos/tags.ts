import { MAX_TAGS } from '@looptide/contracts/http/videos'
import { textKey } from '@looptide/contracts/text'
import { cleanText } from './clean-text.ts'

const MAX_TAG_LENGTH = 40

/** Normalises tags for storage, on one line each. Of tags that differ only in case, the first one is kept. */
export function cleanTags(tags: readonly string[]): string[] {
  const cleaned = tags.map((tag) => cleanText(tag.replaceAll(/\s+/g, ' '), MAX_TAG_LENGTH))
  return cleaned.filter(
    (tag, index) => cleaned.findIndex((other) => textKey(other) === textKey(tag)) === index,
  )
}

/**
 * The tags of a video after a bulk edit; undefined if there would be more than {@link MAX_TAGS}. Both lists are cleaned;
 * a tag in both is removed.
 */
export function withTagChanges(
  tags: readonly string[],
  { added = [], removed = [] }: { added?: readonly string[]; removed?: readonly string[] },
): string[] | undefined {
  const removedKeys = new Set(removed.map(textKey))
  const next = cleanTags([...tags, ...added]).filter((tag) => !removedKeys.has(textKey(tag)))
  return next.length > MAX_TAGS ? undefined : next
}

/** The tags of `tags` that `others` does not contain, without case. */
export function missingTags(tags: readonly string[], others: readonly string[]): string[] {
  const keys = new Set(others.map(textKey))
  return tags.filter((tag) => !keys.has(textKey(tag)))
}
