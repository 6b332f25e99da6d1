import { type Static, Type } from 'typebox'
import { ProgrammeVideo } from './channels.ts'

/** Maximum substitutes of a programme. */
export const MAX_SUBSTITUTES = 3

/**
 * GET /api/channels/:id/programmes/:programmeId/substitutes: videos for viewers in whose region the video of a programme
 * does not play, the best one first. They come from the programme's source and are of similar length. Empty for a
 * takeover, and if the source has no other video. `not_found` unless the programme is on the air or near it.
 */
export const SubstituteList = Type.Object({
  substitutes: Type.Array(ProgrammeVideo, { maxItems: MAX_SUBSTITUTES }),
})
export type SubstituteList = Static<typeof SubstituteList>
