import { type Static, Type } from 'typebox'
import { Cursor, Nullable, Page, strict, Uuid } from '../common.ts'
import { HeldMessage } from './chat.ts'

/** Messages of a channel that wait for a moderator at once. */
export const MAX_HELD_PER_CHANNEL = 1000
/** Hours after which a message that waits is deleted. */
export const HELD_HOURS = 24

/** `waiting`: for a moderator. `posted`: a moderator has posted it. `rejected`: by a moderator, or its author was restricted. */
export const HeldState = Type.Union([
  Type.Literal('waiting'),
  Type.Literal('posted'),
  Type.Literal('rejected'),
])
export type HeldState = Static<typeof HeldState>

/** `word`: an entry of the word list. `link`: it has a link, and its author has registered a short time ago. */
export const HeldReason = Type.Union([Type.Literal('word'), Type.Literal('link')])
export type HeldReason = Static<typeof HeldReason>

export const ListHeldQuery = Type.Object({ cursor: Type.Optional(Cursor) }, strict)
export type ListHeldQuery = Static<typeof ListHeldQuery>

/** A held message, for moderators. */
export const WaitingMessage = Type.Object({
  ...HeldMessage.properties,
  authorId: Uuid,
  authorHandle: Nullable(Type.String()),
  reason: HeldReason,
})
export type WaitingMessage = Static<typeof WaitingMessage>
/** GET /api/chat/held: oldest first, without the caller's own. `waiting`: their number, at most 100. */
export const WaitingMessagePage = Type.Object({
  ...Page(WaitingMessage).properties,
  waiting: Type.Integer({ minimum: 0, maximum: 100 }),
})
export type WaitingMessagePage = Static<typeof WaitingMessagePage>

export const HeldParams = Type.Object({ id: Uuid }, strict)
/** POST /api/chat/held/:id/decision. 409 `conflict` if it is decided; 404 also for the caller's own. */
export const DecideHeldBody = Type.Object(
  { decision: Type.Union([Type.Literal('post'), Type.Literal('reject')]) },
  strict,
)
export type DecideHeldBody = Static<typeof DecideHeldBody>
