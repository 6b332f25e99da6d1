import { MAX_URLS_PER_ADD } from '@looptide/contracts/http/videos'
import { parseWebUrl, parseYoutubeUrl, splitPastedLine } from '@looptide/contracts/youtube-url'

export type ReadUrls = { youtubeIds: string[] } | { problem: string }

/** The YouTube id of any form of YouTube URL; undefined if it has none. */
function videoOf(address: string): string | undefined {
  const url = parseWebUrl(address)
  return url ? parseYoutubeUrl(url)?.youtubeId : undefined
}

/** Reads a single URL; returns its id or an error text (docs/product/admin.md §5 "Player add videos"). */
export function readSingleUrl(text: string): ReadUrls {
  if (text.trim() === '') return { problem: 'Please enter a YouTube URL' }
  const youtubeId = videoOf(text)
  return youtubeId === undefined
    ? { problem: 'Please enter a valid YouTube URL' }
    : { youtubeIds: [youtubeId] }
}

/** Reads the URLs of each line; returns all ids, or an error text if any line is invalid. */
export function readBulkUrls(text: string): ReadUrls {
  if (text === '') return { problem: 'Please enter YouTube URLs' }
  const lines = text
    .split('\n')
    .flatMap(splitPastedLine)
    .filter((line) => line.trim() !== '')
  if (lines.length === 0) return { problem: 'No valid URLs found' }
  const youtubeIds = lines.flatMap((line) => videoOf(line) ?? [])
  const invalid = lines.length - youtubeIds.length
  if (invalid > 0) return { problem: `${invalid} invalid URL(s) found. Please check your URLs.` }
  if (lines.length > MAX_URLS_PER_ADD) {
    return { problem: `Please add at most ${MAX_URLS_PER_ADD} URLs at a time.` }
  }
  return { youtubeIds }
}
