import { Type } from 'typebox'
import { Instant, Uuid } from '../common.ts'
import { auditEvent, event, type Push, push } from '../event.ts'
import { ChatMessage } from '../http/chat.ts'
import { AppealOutcome, CaseDecision } from '../http/chat-cases.ts'
import { HeldState } from '../http/held-messages.ts'
import { topics } from '../realtime.ts'

/** Maximum chat messages per event. Fifty of the longest, with every character escaped, are within the limit of an event. */
export const MAX_MESSAGES_PER_EVENT = 50

const messagePush = (message: ChatMessage): Push =>
  push('chat', topics.chat(message.channelId), 'message', { message })

const casePush = (caseId: string): Push => ({
  ...push('moderation', topics.moderation, 'cases', { caseId }),
  key: `case ${caseId}`,
})

/** The events of the chat. */
export const chatEvents = [
  event('chat.message.posted.v1', {
    data: Type.Object({ message: ChatMessage }),
    push: ({ message }) => [messagePush(message)],
    outdates: 'chat',
  }),
  /** Like the event above, for messages of one channel that were committed together, in the order of their numbers. */
  event('chat.messages.posted.v1', {
    data: Type.Object({
      messages: Type.Array(ChatMessage, { minItems: 2, maxItems: MAX_MESSAGES_PER_EVENT }),
    }),
    push: ({ messages }) => messages.map(messagePush),
    outdates: 'chat',
  }),
  event('chat.message.removed.v1', {
    data: Type.Object({ channelId: Type.String(), messageId: Uuid, seq: Type.Integer() }),
    push: ({ channelId, messageId, seq }) => [
      push('chat', topics.chat(channelId), 'message_removed', { messageId, seq }),
    ],
    outdates: 'chat',
  }),
  /** A removed message is shown again. */
  event('chat.message.restored.v1', {
    data: Type.Object({ message: ChatMessage }),
    push: ({ message }) => [push('chat', topics.chat(message.channelId), 'message_restored', { message })],
    outdates: 'chat',
  }),
  /** A channel's chat settings changed. `slowModeS`: seconds between two messages of one viewer; 0 is off. */
  event('chat.settings.changed.v1', {
    data: Type.Object({
      channelId: Type.String(),
      slowModeS: Type.Integer({ minimum: 0 }),
    }),
    push: ({ channelId, slowModeS }) => [push('chat', topics.chat(channelId), 'settings', { slowModeS })],
    outdates: 'chat',
  }),
  /** A message was reported, or an author appeals. */
  event('chat.case.changed.v1', {
    data: Type.Object({ caseId: Uuid }),
    push: ({ caseId }) => [casePush(caseId)],
  }),
  /**
   * A decision about a reported message or an appeal. `reporterIds`: the first 100 who have reported it. `timeOutUntil`: the
   * end of the time-out that the decision `restrict` sets; `reverse` ends it. Its id is that of the case.
   */
  event('chat.case.decided.v1', {
    data: Type.Object({
      caseId: Uuid,
      decision: Type.Union([...CaseDecision.anyOf, ...AppealOutcome.anyOf]),
      authorId: Uuid,
      reporterIds: Type.Array(Uuid, { maxItems: 100 }),
      timeOutUntil: Type.Optional(Instant),
    }),
    consumers: ['auth'],
    push: ({ caseId, decision, authorId, reporterIds }) => [
      casePush(caseId),
      ...(decision === 'none'
        ? []
        : [push('user', topics.user(authorId), 'chat_decision', { caseId, decision })]),
      ...reporterIds.map((id) => push('user', topics.user(id), 'report_handled', { caseId })),
    ],
  }),
  /** A message waits for a moderator, or a moderator has decided about it. `posted`: an event above has the message. */
  event('chat.held.changed.v1', {
    data: Type.Object({ heldId: Uuid, channelId: Type.String(), authorId: Uuid, state: HeldState }),
    push: ({ heldId, channelId, authorId, state }) => [
      { ...push('moderation', topics.moderation, 'held', { heldId }), key: `held ${heldId}` },
      ...(state === 'waiting'
        ? []
        : [push('user', topics.user(authorId), 'held_message', { channelId, state })]),
    ],
  }),
  auditEvent('chat', { outdates: 'chat' }),
] as const
