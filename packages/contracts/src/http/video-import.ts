import { type Static, Type } from 'typebox'
import { strict, VideoCategory } from '../common.ts'
import { Address, Line } from '../text-fields.ts'
import { AddVideosResult, MAX_URLS_PER_ADD, MediaPosition, Tags } from './videos.ts'

/** One video to import, with the fields of its row. */
export const ImportRow = Type.Object(
  {
    url: Address({ maxLength: 2048 }),
    /** Metadata does not overwrite it. */
    title: Type.Optional(Line({ maxLength: 300 })),
    artistName: Type.Optional(Line({ maxLength: 200 })),
    genre: Type.Optional(Line({ maxLength: 100 })),
    category: Type.Optional(VideoCategory),
    tags: Type.Optional(Tags),
    startAtMs: Type.Optional(MediaPosition),
    endAtMs: Type.Optional(MediaPosition),
  },
  strict,
)
export type ImportRow = Static<typeof ImportRow>

/**
 * POST /api/videos/import (admin): adds videos, each with its own title, artist, genre, category, tags and trim points. With `dryRun` nothing is
 * written, and `added` is the number that would be added.
 */
export const ImportVideosBody = Type.Object(
  {
    rows: Type.Array(ImportRow, { minItems: 1, maxItems: MAX_URLS_PER_ADD }),
    dryRun: Type.Boolean(),
  },
  strict,
)
export type ImportVideosBody = Static<typeof ImportVideosBody>
/** The result of each row, in order. */
export const ImportVideosResult = AddVideosResult
