import type { Role, VideoCategory } from '@looptide/contracts/common'
import type { ImportRow } from '@looptide/contracts/http/video-import'
import { type AddVideosResult, PLACEHOLDER_TITLE, UNSUPPORTED_URL } from '@looptide/contracts/http/videos'
import { may } from '@looptide/contracts/permissions'
import { DEFAULT_DURATION_MS } from '@looptide/playhead/duration'
import { newId } from '@looptide/service-kit/db/ids'
import type { Queries, VideoRow } from '../../db/schema.ts'
import { type Adder, mayAcceptRejected } from '../submissions/review-policy.ts'
import { cleanText, TEXT_LIMITS } from './clean-text.ts'
import { presentVideo } from './present-video.ts'
import { cleanTags } from './tags.ts'
import { checkTrimPoints } from './trim-points.ts'
import { findBySource, type NewVideo } from './video-repository.ts'
import { embedUrl, type ParsedLine, thumbnailUrl, titleOfMedia } from './video-url.ts'

/** Values of a new video until its metadata arrives. */
export const PLACEHOLDER = { title: PLACEHOLDER_TITLE, artistName: 'Unknown Artist', genre: 'Music' } as const

type VideoLine = Exclude<ParsedLine, { kind: 'skipped' }>

/** The user who adds videos; without an id for those of a followed list. */
type VideoAdder = Pick<Adder, 'role'> & { id: string | null }

/** A video to add, with the values that the adder gave. */
export type Candidate = NewVideo &
  Required<Pick<NewVideo, 'tags' | 'startAtMs' | 'endAtMs'>> & { category: VideoCategory }

/** The rows to insert for these lines: one for each video. Of several lines with the same video, the first one counts. */
export function newVideos(
  parsed: readonly ParsedLine[],
  rows: readonly ImportRow[],
  adder: VideoAdder,
  nowMs: number,
): Candidate[] {
  const unique = new Map<string, Candidate>()
  for (const [index, line] of parsed.entries()) {
    const row = rows[index]
    if (line.kind === 'skipped' || row === undefined || unique.has(sourceKeyOfLine(line))) continue
    // Ids are one millisecond apart, so that lists show the videos in the order of the lines.
    const id = newId(nowMs + unique.size)
    unique.set(sourceKeyOfLine(line), {
      id,
      ...rowColumns(row, adder),
      ...sourceColumns(line),
      ...givenTitle(row),
    })
  }
  return [...unique.values()]
}

/** Columns from the user's input. */
function rowColumns(row: ImportRow, adder: VideoAdder) {
  const artist = cleanText(row.artistName ?? '', TEXT_LIMITS.artistName)
  return {
    artistName: artist === '' ? PLACEHOLDER.artistName : artist,
    artistGiven: artist !== '' && artist !== PLACEHOLDER.artistName,
    description: null,
    genre: cleanText(row.genre ?? '', TEXT_LIMITS.genre) || PLACEHOLDER.genre,
    category: categoryOf(row, adder),
    durationMs: DEFAULT_DURATION_MS,
    tags: cleanTags(row.tags ?? []),
    startAtMs: row.startAtMs ?? 0,
    endAtMs: row.endAtMs ?? null,
    isPublic: true,
    userId: adder.id,
  }
}

/** The title that the user gave, which metadata does not overwrite. */
function givenTitle(row: ImportRow): { title?: string; titleGiven: boolean } {
  const title = cleanText(row.title ?? '', TEXT_LIMITS.title)
  return title === '' || title === PLACEHOLDER.title ? { titleGiven: false } : { title, titleGiven: true }
}

/** The category of a video that needs no review. */
const categoryOf = (row: ImportRow, { role }: Pick<Adder, 'role'>): VideoCategory =>
  row.category ?? (may(role, 'videos:edit') ? 'New Video Submissions' : 'YouTube Playlist')

/** Columns that follow from the URL. */
const sourceColumns = (line: VideoLine) =>
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
/** A URL that no player supports: the video is unlisted, not played on channels, and its duration is not requested. */
const UNSUPPORTED = {
  metadataStatus: 'unavailable',
  unavailableReason: UNSUPPORTED_URL,
  durationAssumed: false,
} as const

/** The identity of a video: its YouTube id or the URL of its media file. */
export const sourceKeyOf = (row: Pick<VideoRow, 'youtubeId' | 'videoUrl'>): string =>
  row.youtubeId ?? row.videoUrl
/** What makes two lines the same video: the YouTube id, or the URL. */
export const sourceKeyOfLine = (line: VideoLine): string =>
  line.kind === 'youtube' ? line.youtubeId : line.url

/** Existing videos of these lines. */
export const findByLines = (db: Queries, parsed: readonly ParsedLine[]): Promise<VideoRow[]> =>
  findBySource(
    db,
    parsed.flatMap((line) => (line.kind === 'youtube' ? [line.youtubeId] : [])),
    parsed.flatMap((line) => (line.kind === 'media' ? [line.url] : [])),
  )

/**
 * The candidates that are under review, to accept them with the values of the adder; rejected ones only if the role may.
 */
export async function findReviewed(
  db: Queries,
  parsed: readonly ParsedLine[],
  candidates: readonly Candidate[],
  role: Role,
): Promise<(Candidate & { videoId: string })[]> {
  const underReview = (await findByLines(db, parsed)).filter(
    ({ reviewState }) =>
      reviewState === 'submitted' || (reviewState === 'rejected' && mayAcceptRejected(role)),
  )
  const idOf = new Map(underReview.map((row) => [sourceKeyOf(row), row.id]))
  return candidates.flatMap((video) => {
    const videoId = idOf.get(sourceKeyOf(video))
    return videoId === undefined ? [] : [{ ...video, videoId }]
  })
}

/** Throws `validation_failed` for trim points that leave less than a second. The duration of an imported video is not known yet. */
export function checkImportedTrim({ startAtMs = 0, endAtMs }: ImportRow): void {
  checkTrimPoints({ startAtMs, endAtMs: endAtMs ?? null, durationMs: 0, durationAssumed: true })
}

/** The result of each line. `newKeys` are the source keys that the library did not have before. */
export function lineResults(
  rows: readonly ImportRow[],
  parsed: readonly ParsedLine[],
  newKeys: ReadonlySet<string>,
  existing: readonly VideoRow[],
): AddVideosResult {
  const byKey = new Map(existing.map((row) => [sourceKeyOf(row), row]))
  const unseen = new Set(newKeys)
  const lines = parsed.map((line, index): AddVideosResult['lines'][number] => {
    const url = rows[index]?.url ?? ''
    if (line.kind === 'skipped') return { url, result: 'skipped', reason: line.reason, video: null }
    const key = sourceKeyOfLine(line)
    const row = byKey.get(key)
    // A repeated line is a duplicate of the first one.
    const result = unseen.delete(key) ? 'added' : 'duplicate'
    return { url, result, reason: null, video: row === undefined ? null : presentVideo(row) }
  })
  return { lines, added: newKeys.size, skipped: lines.filter((line) => line.result === 'skipped').length }
}
