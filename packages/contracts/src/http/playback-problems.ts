import { type Static, Type } from 'typebox'
import { Instant, Nullable, Page } from '../common.ts'
import { ProgrammeVideo } from './channels.ts'

/** Viewers of one country whose players reported an error of a video. `errorCodes` are those of their players. */
const ProblemCountry = Type.Object({
  /** ISO 3166-1 alpha-2; null for viewers whose country is unknown. */
  country: Nullable(Type.String({ pattern: '^[A-Z]{2}$' })),
  viewers: Type.Integer({ minimum: 1 }),
  errorCodes: Type.Array(Type.Integer()),
})
export type ProblemCountry = Static<typeof ProblemCountry>

/**
 * GET /api/channels/playback-problems (admin): videos that did not play for some viewers in the last week, that of the
 * newest report first. `countries`: the one with the most viewers first.
 */
export const PlaybackProblem = Type.Object({
  video: ProgrammeVideo,
  isQuarantined: Type.Boolean(),
  viewers: Type.Integer({ minimum: 1 }),
  lastReportedAt: Instant,
  countries: Type.Array(ProblemCountry),
})
export type PlaybackProblem = Static<typeof PlaybackProblem>
export const PlaybackProblemPage = Page(PlaybackProblem)
export type PlaybackProblemPage = Static<typeof PlaybackProblemPage>
