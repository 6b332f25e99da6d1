import { type Static, Type } from 'typebox'
import { strict, VideoCategory } from '../common.ts'
import { AddVideosResult, MAX_URLS_PER_ADD } from './videos.ts'

/** One video to be taken in, with what its line says of it. */
export const ImportRow = Type.Object(
  {
    url: Type.String({ maxLength: 2048 }),
    artistName: Type.Optional(Type.String({ maxLength: 200 })),
    genre: Type.Optional(Type.String({ maxLength: 100 })),
    category: Type.Optional(VideoCategory),
  },
  strict,
)
export type ImportRow = Static<typeof ImportRow>

/**
 * POST /api/videos/import (admin): like adding, but each line says its own artist, genre and category. With `dryRun`
 * nothing is written, and `added` is what would be.
 */
export const ImportVideosBody = Type.Object(
  {
    rows: Type.Array(ImportRow, { minItems: 1, maxItems: MAX_URLS_PER_ADD }),
    dryRun: Type.Boolean(),
  },
  strict,
)
export type ImportVideosBody = Static<typeof ImportVideosBody>
/** A result for each row, in their order. */
export const ImportVideosResult = AddVideosResult
