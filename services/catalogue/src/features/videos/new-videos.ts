import type { VideoCategory } from '@looptide/contracts/common'
import type { ImportRow } from '@looptide/contracts/http/video-import'
import { type AddVideosResult, UNSUPPORTED_URL } from '@looptide/contracts/http/videos'
import { DEFAULT_DURATION_MS } from '@looptide/playhead/duration'
import { newId } from '@looptide/service-kit/ids'
import type { Queries, VideoRow } from '../../db/schema.ts'
import type { Adder } from '../submissions/may-add.ts'
import { cleanText, TEXT_LIMITS } from './clean-text.ts'
import { presentVideo } from './present-video.ts'
import { findSame, type NewVideo } from './video-repository.ts'
import { embedUrl, type ParsedLine, thumbnailUrl, titleOfMedia } from './video-url.ts'

/** What a video has until somebody knows better (admin specification §4, §5). */
export const PLACEHOLDER = { title: 'Loading...', artistName: 'Unknown Artist', genre: 'Music' } as const

type VideoLine = Exclude<ParsedLine, { kind: 'skipped' }>

/** The rows that these lines become: one for each video, however often it is named; the first line decides. */
export function newVideos(
  parsed: readonly ParsedLine[],
  rows: readonly ImportRow[],
  adder: Adder,
  nowMs: number,
): NewVideo[] {
  const unique = new Map<string, NewVideo>()
  for (const [index, line] of parsed.entries()) {
    const row = rows[index]
    if (line.kind === 'skipped' || row === undefined || unique.has(keyOfLine(line))) continue
    // One millisecond apart, so that the list shows them in the order of the lines.
    const id = newId(nowMs + unique.size)
    unique.set(keyOfLine(line), { id, ...wordsOf(row, adder), ...factsOf(line) })
  }
  return [...unique.values()]
}

function wordsOf(row: ImportRow, adder: Adder) {
  const artist = cleanText(row.artistName ?? '', TEXT_LIMITS.artistName)
  return {
    artistName: artist === '' ? PLACEHOLDER.artistName : artist,
    artistGiven: artist !== '' && artist !== PLACEHOLDER.artistName,
    description: null,
    genre: cleanText(row.genre ?? '', TEXT_LIMITS.genre) || PLACEHOLDER.genre,
    category: categoryOf(row, adder),
    durationMs: DEFAULT_DURATION_MS,
    isPublic: true,
    userId: adder.id,
  }
}

/** The category of a video that is accepted at once. */
export const categoryOf = (row: ImportRow, { role }: Adder): VideoCategory =>
  row.category ?? (role === 'admin' ? 'New Video Submissions' : 'YouTube Playlist')

const factsOf = (line: VideoLine) =>
  line.kind === 'youtube'
    ? {
        title: PLACEHOLDER.title,
        videoUrl: embedUrl(line.youtubeId),
        youtubeId: line.youtubeId,
        thumbnailUrl: thumbnailUrl(line.youtubeId),
        metadataStatus: 'pending' as const,
        unavailableReason: null,
        durationAssumed: true,
      }
    : {
        title: cleanText(line.isPlayable ? titleOfMedia(line.url) : line.url, TEXT_LIMITS.title),
        videoUrl: line.url,
        youtubeId: null,
        thumbnailUrl: null,
        ...(line.isPlayable ? PLAYABLE : UNSUPPORTED),
      }

const PLAYABLE = { metadataStatus: 'resolved', unavailableReason: null, durationAssumed: true } as const
/** In no list of viewers and on no channel; its length is not requested. */
const UNSUPPORTED = {
  metadataStatus: 'unavailable',
  unavailableReason: UNSUPPORTED_URL,
  durationAssumed: false,
} as const

/** What tells one video from another: its YouTube id, or the address of its file. */
export const keyOf = (row: Pick<VideoRow, 'youtubeId' | 'videoUrl'>): string => row.youtubeId ?? row.videoUrl
export const keyOfLine = (line: VideoLine): string => (line.kind === 'youtube' ? line.youtubeId : line.url)

/** Those of the library that these lines name. */
export const findNamed = (db: Queries, parsed: readonly ParsedLine[]): Promise<VideoRow[]> =>
  findSame(
    db,
    parsed.flatMap((line) => (line.kind === 'youtube' ? [line.youtubeId] : [])),
    parsed.flatMap((line) => (line.kind === 'media' ? [line.url] : [])),
  )

/** A result for each line. `fresh` are the keys that the library did not have before. */
export function verdicts(
  rows: readonly ImportRow[],
  parsed: readonly ParsedLine[],
  fresh: ReadonlySet<string>,
  same: readonly VideoRow[],
): AddVideosResult {
  const byKey = new Map(same.map((row) => [keyOf(row), row]))
  const unseen = new Set(fresh)
  const lines = parsed.map((line, index): AddVideosResult['lines'][number] => {
    const url = rows[index]?.url ?? ''
    if (line.kind === 'skipped') return { url, result: 'skipped', reason: line.reason, video: null }
    const key = keyOfLine(line)
    const row = byKey.get(key)
    // A repeated line of the same request is a duplicate of the first one.
    const result = unseen.delete(key) ? 'added' : 'duplicate'
    return { url, result, reason: null, video: row === undefined ? null : presentVideo(row) }
  })
  return { lines, added: fresh.size, skipped: lines.filter((line) => line.result === 'skipped').length }
}
