import { type Static, Type } from 'typebox'
import { ChannelId, Cursor, Instant, Nullable, Page, strict, Uuid } from '../common.ts'
import { Paragraph } from '../text-fields.ts'
import { ChatMessage, ChatRestriction } from './chat.ts'

/** Reports of an account in 24 hours. */
export const MAX_REPORTS_PER_DAY = 20
/** Length of what a reporter, a moderator or an author adds, in characters. */
export const CASE_TEXT_MAX = 500
/** Messages before and after the reported one that moderators see. */
export const SURROUNDING_MESSAGES = 10
/** How long the decision `restrict` times an author out, in ms. */
export const CASE_TIME_OUT_MS = 86_400_000

export const ReportReason = Type.Union([
  Type.Literal('spam'),
  Type.Literal('abuse'),
  Type.Literal('hate'),
  Type.Literal('sexual'),
  Type.Literal('other'),
])
export type ReportReason = Static<typeof ReportReason>

const Text = Paragraph({ minLength: 1, maxLength: CASE_TEXT_MAX, pattern: '\\S' })

/** POST /api/chat/channels/:id/messages/:messageId/report. An account reports a message once. */
export const ReportMessageBody = Type.Object({ reason: ReportReason, text: Type.Optional(Text) }, strict)
export type ReportMessageBody = Static<typeof ReportMessageBody>

/**
 * `none`: the message stays. `remove`: it was removed. `restrict`: it was removed, and its author timed out for
 * {@link CASE_TIME_OUT_MS}, unless a ban from the chat was in force. The id of the time-out is that of the case. An appeal is
 * decided by `uphold` or `reverse`, which undoes the decision.
 */
export const CaseDecision = Type.Union([
  Type.Literal('none'),
  Type.Literal('remove'),
  Type.Literal('restrict'),
])
export type CaseDecision = Static<typeof CaseDecision>
export const AppealOutcome = Type.Union([Type.Literal('uphold'), Type.Literal('reverse')])
export type AppealOutcome = Static<typeof AppealOutcome>

/** GET /api/chat/reports: what the caller has reported, newest first, and whether moderators have decided. */
export const OwnReport = Type.Object({
  id: Uuid,
  message: Type.String(),
  reason: ReportReason,
  text: Nullable(Type.String()),
  reportedAt: Instant,
  isHandled: Type.Boolean(),
})
export type OwnReport = Static<typeof OwnReport>
export const OwnReportPage = Page(OwnReport)

/** What moderators have decided about a message, as its author sees it. `reason`: what the moderator wrote. */
export const OwnDecision = Type.Object({
  id: Uuid,
  channelId: ChannelId,
  message: Type.String(),
  decision: CaseDecision,
  reason: Nullable(Type.String()),
  decidedAt: Instant,
  /** The author's appeal; each decision has one. `outcome` is null until it is decided. */
  appeal: Nullable(
    Type.Object({ text: Type.String(), appealedAt: Instant, outcome: Nullable(AppealOutcome) }),
  ),
})
export type OwnDecision = Static<typeof OwnDecision>
/** GET /api/chat/decisions: decisions against the caller's messages, newest first. */
export const OwnDecisionPage = Page(OwnDecision)
export const OwnCaseQuery = Type.Object({ cursor: Type.Optional(Cursor) }, strict)

/** POST /api/chat/decisions/:id/appeal. 409 `conflict` for a second one. */
export const AppealBody = Type.Object({ text: Text }, strict)
export type AppealBody = Static<typeof AppealBody>

export const CaseParams = Type.Object({ id: Uuid }, strict)
/** `waiting`: cases without a decision, and undecided appeals, oldest first. `done`: the others; `all`: newest first. */
export const ListCasesQuery = Type.Object(
  {
    state: Type.Optional(
      Type.Union([Type.Literal('waiting'), Type.Literal('done'), Type.Literal('all')], {
        default: 'waiting',
      }),
    ),
    cursor: Type.Optional(Cursor),
  },
  strict,
)
export type ListCasesQuery = Static<typeof ListCasesQuery>

/** A reported message, for moderators. `reportCount`: by existing accounts. */
export const ChatCase = Type.Object({
  id: Uuid,
  channelId: ChannelId,
  messageId: Uuid,
  authorId: Uuid,
  authorHandle: Nullable(Type.String()),
  message: Type.String(),
  postedAt: Instant,
  openedAt: Instant,
  reportCount: Type.Integer({ minimum: 0 }),
  decision: Nullable(CaseDecision),
  reason: Nullable(Type.String()),
  decidedAt: Nullable(Instant),
  decidedBy: Nullable(Uuid),
  appeal: OwnDecision.properties.appeal,
})
export type ChatCase = Static<typeof ChatCase>
/** `waiting`: number of waiting cases, at most 100. */
export const ChatCasePage = Type.Object({
  ...Page(ChatCase).properties,
  waiting: Type.Integer({ minimum: 0, maximum: 100 }),
})
export type ChatCasePage = Static<typeof ChatCasePage>

/**
 * GET /api/chat/cases/:id. `reports`: the first 20, without who reported. `context`: messages around it, oldest first,
 * also removed ones. `earlier`: the last ten decisions about other messages of the author. `mayTimeOut`: whether the caller
 * may time the author out, who is not banned from the chat; only admins restrict moderators.
 */
export const ChatCaseDetails = Type.Object({
  ...ChatCase.properties,
  mayTimeOut: Type.Boolean(),
  reports: Type.Array(
    Type.Object({ reason: ReportReason, text: Nullable(Type.String()), reportedAt: Instant }),
    { maxItems: 20 },
  ),
  context: Type.Array(
    Type.Object({
      ...Type.Pick(ChatMessage, ['id', 'userId', 'message', 'createdAt']).properties,
      handle: Nullable(Type.String()),
      isRemoved: Type.Boolean(),
    }),
    { maxItems: 2 * SURROUNDING_MESSAGES + 1 },
  ),
  earlier: Type.Array(OwnDecision, { maxItems: 10 }),
  restrictions: Type.Array(ChatRestriction, { maxItems: 3 }),
})
export type ChatCaseDetails = Static<typeof ChatCaseDetails>

/**
 * POST /api/chat/cases/:id/decision. A case is decided by a {@link CaseDecision}, an appeal by an {@link AppealOutcome}.
 * 409 `conflict` if another moderator was faster. `reason`: for the author.
 */
export const DecideCaseBody = Type.Object(
  { decision: Type.Union([...CaseDecision.anyOf, ...AppealOutcome.anyOf]), reason: Type.Optional(Text) },
  strict,
)
export type DecideCaseBody = Static<typeof DecideCaseBody>

/**
 * What a reversed decision leaves as it is, because it was not done by the decision. `message_removed`: the message, which
 * another moderator has removed. `message_deleted`: the message, which is not stored any longer. `ban`: another ban of the
 * author from the chat.
 */
export const Unreversed = Type.Union([
  Type.Literal('message_removed'),
  Type.Literal('message_deleted'),
  Type.Literal('ban'),
])
export type Unreversed = Static<typeof Unreversed>

/** The case as it was decided. `unreversed`: empty unless an appeal was decided by `reverse`. */
export const DecidedCase = Type.Object({
  ...ChatCase.properties,
  unreversed: Type.Array(Unreversed, { maxItems: 2 }),
})
export type DecidedCase = Static<typeof DecidedCase>
