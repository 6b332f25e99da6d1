import { type Static, Type } from 'typebox'
import { Instant, Nullable, Page, strict, Uuid } from '../common.ts'
import { Code } from '../text-fields.ts'
import { ProgrammeVideo } from './channels.ts'

/**
 * POST /api/channels/:id/reports: a player's error or the duration it measured (one of the two). `timeZone`: the viewer's
 * IANA time zone. Only its country is stored, and nothing if it is unknown.
 */
export const PlaybackReportBody = Type.Object(
  {
    videoId: Uuid,
    errorCode: Type.Optional(Type.Integer()),
    timeZone: Type.Optional(Code({ maxLength: 64 })),
    durationMs: Type.Optional(Type.Integer({ minimum: 1000, maximum: 86_400_000 })),
  },
  strict,
)
/** `accepted` is false if the report does not count: the video was not on the air, or the error is local to the viewer. */
export const PlaybackReportResult = Type.Object({ accepted: Type.Boolean() })

/** Viewers of one country whose players reported an error of a video, and the codes of these errors. */
export const ProblemCountry = Type.Object({
  /** ISO 3166-1 alpha-2; null for viewers whose country is unknown. */
  country: Nullable(Type.String({ pattern: '^[A-Z]{2}$' })),
  viewers: Type.Integer({ minimum: 1 }),
  errorCodes: Type.Array(Type.Integer()),
})
export type ProblemCountry = Static<typeof ProblemCountry>

/**
 * GET /api/channels/quarantine (admin): videos that viewers' players could not play, newest first. `reports` counts the
 * reporting viewers of the last week, `countries` by their countries; `lastReportedAt` is the time of the last report.
 */
export const QuarantinedVideo = Type.Object({
  videoId: Uuid,
  channelId: Nullable(Type.String()),
  reason: Type.String(),
  quarantinedAt: Instant,
  reports: Type.Integer({ minimum: 0 }),
  countries: Type.Array(ProblemCountry),
  lastReportedAt: Nullable(Instant),
  video: ProgrammeVideo,
})
export type QuarantinedVideo = Static<typeof QuarantinedVideo>
export const QuarantinePage = Page(QuarantinedVideo)
export type QuarantinePage = Static<typeof QuarantinePage>
/** DELETE /api/channels/quarantine/:videoId (admin): releases a video. */
export const QuarantineParams = Type.Object({ videoId: Uuid }, strict)
/**
 * POST /api/channels/quarantine/:videoId/replacement (admin): replaces the video by another one in all channel playlists.
 * Returns the number of replaced items.
 */
export const ReplaceVideoBody = Type.Object({ replacementId: Uuid }, strict)
export const ReplaceVideoResult = Type.Object({ count: Type.Integer({ minimum: 0 }) })
export type ReplaceVideoResult = Static<typeof ReplaceVideoResult>

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
