import { type Static, Type } from 'typebox'
import { ChannelId, Cursor, EpochMs, Nullable, Page, strict, TimestampMs } from '../common.ts'
import { Code } from '../text-fields.ts'
import { AirLogEntry } from './channels.ts'
import { ViewerRequest } from './requests.ts'

const Count = Type.Integer({ minimum: 0 })

/** The id of a programme, or that of its entry in the air log, which is without the version of the timeline. */
const AiringId = Code({ pattern: '^[a-z0-9-]{1,64}\\.\\d{1,15}(\\.\\d{1,15})?$' })
export const AiringParams = Type.Object({ id: ChannelId, airingId: AiringId }, strict)

/** Numbers of reactions by emoji; without those that are 0. */
const Reactions = Type.Record(Type.String(), Type.Integer({ minimum: 1 }))

/**
 * What viewers did during an airing. `likes`: new ones of the video; `messages`: chat messages that were not removed. Both are
 * counted every few seconds, until a minute after the end. `viewersAtStart`, `viewersAtEnd`: null if they were not counted,
 * `viewersAtEnd` also until the end. `requestedBy`: null if it was no request, or if its requester does not want to be named.
 */
const facts = {
  reactions: Reactions,
  likes: Count,
  requestedBy: ViewerRequest.properties.requestedBy,
  viewersAtStart: Nullable(Count),
  viewersAtEnd: Nullable(Count),
  messages: Count,
}

/** GET /api/channels/:id/airings/:airingId. `id`: that of the programme. */
export const AiringDetails = Type.Object({ id: Type.String(), programme: AirLogEntry, ...facts })
export type AiringDetails = Static<typeof AiringDetails>

/** The longest range of a list of airings: a day, in ms. */
export const MAX_AIRINGS_MS = 86_400_000

/** GET /api/channels/:id/airings: those that started in [fromMs, toMs), at most {@link MAX_AIRINGS_MS}, oldest first. */
export const AiringsQuery = Type.Object(
  {
    fromMs: TimestampMs,
    toMs: TimestampMs,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
    cursor: Type.Optional(Cursor),
  },
  strict,
)
export const AiringFactsPage = Page(Type.Object({ id: Type.String(), startedAtMs: EpochMs, ...facts }))
export type AiringFactsPage = Static<typeof AiringFactsPage>
export type AiringFacts = AiringFactsPage['items'][number]

/** Length of a step of {@link ReactionPace}, in ms. */
export const REACTION_STEP_MS = 10_000
/** Steps for which the pace of reactions is kept: an hour. Later reactions are in the last one. */
export const MAX_REACTION_STEPS = 360

/**
 * GET /api/channels/:id/airings/:airingId/reactions: when there were how many reactions. `afterMs`: time from the start of the
 * airing to the end of the step; steps without reactions are missing.
 */
export const ReactionPace = Type.Object({
  steps: Type.Array(Type.Object({ afterMs: Count, counts: Reactions })),
})
export type ReactionPace = Static<typeof ReactionPace>
