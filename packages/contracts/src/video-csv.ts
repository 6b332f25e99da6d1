/**
 * Column headers of the library's CSV export. An import reads all but `duration`, `views`
 * and `added`, which are informational. `tags` are separated by commas; `start` and
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
