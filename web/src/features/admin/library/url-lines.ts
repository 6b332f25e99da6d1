/** Most addresses or videos one request takes (contracts, MAX_URLS_PER_ADD and VideoIdsBody). */
export const ITEMS_PER_REQUEST = 500

export type UrlLinesProblem = { title: string; description: string }

/**
 * The addresses in the box, one per line, trimmed, without blanks; or why there are none (docs/product/admin.md §5).
 */
export function readUrlLines(text: string): { urls: string[] } | { problem: UrlLinesProblem } {
  if (text === '')
    return { problem: { title: 'Missing information', description: 'Please provide video URLs' } }
  const urls = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (urls.length === 0) {
    return { problem: { title: 'No valid URLs', description: 'Please provide at least one valid video URL' } }
  }
  return { urls }
}

/** The items in portions that one request takes. */
export function inPortions<T>(items: readonly T[], size: number): T[][] {
  const portions: T[][] = []
  for (let start = 0; start < items.length; start += size) portions.push(items.slice(start, start + size))
  return portions
}
