/**
 * The columns of a library in CSV, with their heads. The first four are read again by an import; the others are for
 * the reader, since YouTube tells them.
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
