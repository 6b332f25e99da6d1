import { parseYoutubeListUrl, splitPastedLine } from '@looptide/contracts/youtube-url'

/** Maximum number of URLs or videos per request (contracts, MAX_URLS_PER_ADD and VideoIdsBody). */
export const ITEMS_PER_REQUEST = 500

export interface UrlLinesProblem {
  title: string
  description: string
}

/** Splits the text into trimmed, non-blank lines, and lines with several URLs into these, or returns why there are none (docs/product/admin.md §5). */
export function parseUrlLines(text: string): { urls: string[] } | { problem: UrlLinesProblem } {
  if (text === '')
    return { problem: { title: 'Missing information', description: 'Please provide video URLs' } }
  const urls = text
    .split('\n')
    .flatMap(splitPastedLine)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (urls.length === 0) {
    return { problem: { title: 'No valid URLs', description: 'Please provide at least one valid video URL' } }
  }
  return { urls }
}

/** Splits items into batches of at most `size`. */
export function inBatches<T>(items: readonly T[], size: number): T[][] {
  const batches: T[][] = []
  for (let start = 0; start < items.length; start += size) batches.push(items.slice(start, start + size))
  return batches
}

/** The playlist id in the `list` parameter of a YouTube URL; null without one. */
export function playlistIdOf(text: string): string | null {
  const list = parseYoutubeListUrl(text)
  return list?.kind === 'playlist' ? list.id : null
}
