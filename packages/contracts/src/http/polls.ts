import { type Static, Type } from 'typebox'
import { ChannelId, Instant, Nullable, Page, PageQuery, strict, Uuid } from '../common.ts'
import { Line } from '../text-fields.ts'

// Polls in the chat of a channel. The rules are in docs/audience.md.

export const POLL_QUESTION_MAX = 120
export const POLL_ANSWER_MAX = 50
export const MIN_POLL_ANSWERS = 2
export const MAX_POLL_ANSWERS = 6
/** Bounds of the time for which a poll is open, in seconds. */
const MIN_POLL_S = 10
const MAX_POLL_S = 3600

const Count = Type.Integer({ minimum: 0 })

/** An answer with its votes. */
const PollAnswer = Type.Object({ text: Type.String(), votes: Count })

/**
 * A poll with the votes that were counted last, at most about a second ago. `votes`: all of them. At most five accounts of
 * one network count. `airingId`: the programme that was on the air when it was asked. `version` grows with each change.
 */
export const Poll = Type.Object({
  id: Uuid,
  channelId: ChannelId,
  airingId: Nullable(Type.String()),
  question: Type.String(),
  answers: Type.Array(PollAnswer, { minItems: MIN_POLL_ANSWERS, maxItems: MAX_POLL_ANSWERS }),
  votes: Count,
  state: Type.Union([Type.Literal('open'), Type.Literal('closed')]),
  askedAt: Instant,
  closesAt: Instant,
  closedAt: Nullable(Instant),
  version: Type.Integer({ minimum: 1 }),
})
export type Poll = Static<typeof Poll>

/** The result of a poll, as the chat keeps it. */
export const PollResult = Type.Object({
  id: Uuid,
  airingId: Poll.properties.airingId,
  question: Type.String(),
  answers: Poll.properties.answers,
  votes: Count,
  askedAt: Instant,
})
export type PollResult = Static<typeof PollResult>

/** `ownAnswer`: the index of the answer for which the caller votes; null if they have not voted, and for visitors. */
export const OwnPoll = Type.Object({ ...Poll.properties, ownAnswer: Nullable(Count) })
export type OwnPoll = Static<typeof OwnPoll>

/** GET /api/channels/:id/polls: newest first, so that an open one is the first. */
export const PollPage = Page(Poll)
export type PollPage = Static<typeof PollPage>
export const ListPollsQuery = PageQuery

export const PollChannelParams = Type.Object({ id: ChannelId }, strict)
export const PollParams = Type.Object({ id: Uuid }, strict)

/** POST /api/channels/:id/polls. 409 `poll_open`: a channel has one open poll; 400 for two answers that look the same. */
export const CreatePollBody = Type.Object(
  {
    question: Line({ minLength: 1, maxLength: POLL_QUESTION_MAX, pattern: '\\S' }),
    answers: Type.Array(Line({ minLength: 1, maxLength: POLL_ANSWER_MAX, pattern: '\\S' }), {
      minItems: MIN_POLL_ANSWERS,
      maxItems: MAX_POLL_ANSWERS,
    }),
    durationS: Type.Integer({ minimum: MIN_POLL_S, maximum: MAX_POLL_S }),
  },
  strict,
)
export type CreatePollBody = Static<typeof CreatePollBody>

/** PUT /api/polls/:id/vote. `answer`: the index of an answer. 409 `poll_closed`, 403 `user_restricted`. */
export const PollVoteBody = Type.Object(
  { answer: Type.Integer({ minimum: 0, maximum: MAX_POLL_ANSWERS - 1 }) },
  strict,
)
