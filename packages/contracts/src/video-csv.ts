/**
 * Column headers of the library's CSV export. An import reads `url`, `artist`, `genre`, `category`, `tags`, `start` and
 * `end`; the others are informational, because their values come from YouTube. `tags` are separated by commas; `start` and
 * `end` are positions in the media as "m:ss.mmm".
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
  'tags',
  'start',
  'end',
] as const
export type VideoCsvColumn = (typeof VIDEO_CSV_COLUMNS)[number]
