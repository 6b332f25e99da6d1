import { type Static, Type } from 'typebox'
import { Instant, Page } from '../common.ts'
import { ProgrammeVideo } from './channels.ts'
import { ProblemCountry } from './problem-countries.ts'

/**
 * GET /api/channels/playback-problems (admin): videos that did not play for some viewers in the last week and are not in
 * quarantine, that of the newest report first. `countries`: the one with the most viewers first.
 */
export const PlaybackProblem = Type.Object({
  video: ProgrammeVideo,
  lastReportedAt: Instant,
  countries: Type.Array(ProblemCountry),
})
export type PlaybackProblem = Static<typeof PlaybackProblem>
export const PlaybackProblemPage = Page(PlaybackProblem)
export type PlaybackProblemPage = Static<typeof PlaybackProblemPage>
