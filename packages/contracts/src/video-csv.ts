/**
 * Column headers of the library's CSV export. An import reads the first four; the others are informational, because their
 * values come from YouTube.
 */
export const VIDEO_CSV_COLUMNS = [
  'url',
  'artist',
  'genre',
  'category',
  'title',
  'duration',
  'views',
  'added',
] as const
export type VideoCsvColumn = (typeof VIDEO_CSV_COLUMNS)[number]
