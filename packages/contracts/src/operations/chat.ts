import {
  ChatChannelParams,
  ChatCountBody,
  ChatCounts,
  ChatListQuery,
  ChatMessage,
  ChatMessageParams,
  ChatPage,
  ChatPermissions,
  ChatSettings,
  HeldMessage,
  PostChatBody,
} from '../http/chat.ts'
import {
  AppealBody,
  CaseParams,
  ChatCaseDetails,
  ChatCasePage,
  DecideCaseBody,
  DecidedCase,
  ListCasesQuery,
  OwnCaseQuery,
  OwnDecision,
  OwnDecisionPage,
  OwnReport,
  OwnReportPage,
  ReportMessageBody,
} from '../http/chat-cases.ts'
import { ExportQuery, MessageExportPage } from '../http/exports.ts'
import { DecideHeldBody, HeldParams, ListHeldQuery, WaitingMessagePage } from '../http/held-messages.ts'
import { StoredWordList, TryWordListBody, WordList, WordListTrial } from '../http/word-list.ts'
import { operation } from '../operation.ts'

export const chatSettingsGet = operation({
  name: 'chat.settings.get',
  summary: 'Get the chat settings of a channel',
  call: 'GET /api/chat/channels/:id/settings',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  input: { params: ChatChannelParams },
  output: { 200: ChatSettings },
})

export const chatSettingsUpdate = operation({
  name: 'chat.settings.update',
  summary: 'Change the chat settings of a channel',
  call: 'PATCH /api/chat/channels/:id/settings',
  audience: 'chat:moderate',
  token: 'moderation',
  input: { params: ChatChannelParams, body: ChatSettings },
  output: { 200: ChatSettings },
})

export const chatMessageList = operation({
  name: 'chat.message.list',
  summary: 'List the chat messages of a channel',
  call: 'GET /api/chat/channels/:id/messages',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  shared: {},
  input: { params: ChatChannelParams, query: ChatListQuery },
  output: { 200: ChatPage },
})

export const chatMessageExport = operation({
  name: 'chat.message.export',
  summary: "Export the caller's chat messages",
  call: 'GET /api/export/messages',
  audience: 'user',
  token: 'session-only',
  anonymous: 'allowed',
  perMinute: 60,
  input: { query: ExportQuery },
  output: { 200: MessageExportPage },
})

/**
 * Responds 201 with the new message, 200 with the first one if the `clientId` was posted before, and 202 if the message waits
 * for a moderator.
 */
export const chatMessagePost = operation({
  name: 'chat.message.post',
  summary: 'Post a chat message',
  call: 'POST /api/chat/channels/:id/messages',
  audience: 'user',
  token: 'chat',
  anonymous: { purpose: 'write in the chat' },
  input: { params: ChatChannelParams, body: PostChatBody },
  output: { 200: ChatMessage, 201: ChatMessage, 202: HeldMessage },
})

export const chatMessageRemove = operation({
  name: 'chat.message.remove',
  summary: 'Delete a chat message',
  call: 'DELETE /api/chat/channels/:id/messages/:messageId',
  audience: 'chat:moderate',
  token: 'moderation',
  input: { params: ChatMessageParams },
  output: { 204: null },
})

export const chatPermissionsGet = operation({
  name: 'chat.permissions.get',
  summary: 'Get what the caller may do in a chat',
  call: 'GET /api/chat/channels/:id/permissions',
  audience: 'user',
  token: 'read',
  anonymous: 'allowed',
  input: { params: ChatChannelParams },
  output: { 200: ChatPermissions },
})

/** Audience counts the messages of each programme. */
export const chatMessageCount = operation({
  name: 'chat.message.count',
  summary: 'Count the chat messages of times',
  call: 'POST /internal/chat/message-counts',
  audience: 'internal',
  token: 'session-only',
  input: { body: ChatCountBody },
  output: { 200: ChatCounts },
})

export const chatWordListGet = operation({
  name: 'chat.word_list.get',
  summary: 'Get the word list of the chat',
  call: 'GET /api/chat/word-list',
  audience: 'chat:moderate',
  token: 'moderation',
  versioned: ['ETag'],
  output: { 200: StoredWordList },
})

/** Replaces the whole list. It applies to every message that is posted after the answer. */
export const chatWordListUpdate = operation({
  name: 'chat.word_list.update',
  summary: 'Replace the word list of the chat',
  call: 'PUT /api/chat/word-list',
  audience: 'chat:moderate',
  token: 'moderation',
  versioned: ['ETag', 'If-Match'],
  outdatesShared: false,
  bodyBytes: 1_000_000,
  input: { body: WordList },
  output: { 200: StoredWordList },
})

export const chatWordListTry = operation({
  name: 'chat.word_list.try',
  summary: 'Try a word list with a message',
  call: 'POST /api/chat/word-list/try',
  audience: 'chat:moderate',
  token: 'moderation',
  outdatesShared: false,
  perMinute: 60,
  bodyBytes: 1_000_000,
  input: { body: TryWordListBody },
  output: { 200: WordListTrial },
})

/** Responds 201, or 200 with the earlier report if the caller has reported the message before. */
export const chatMessageReport = operation({
  name: 'chat.message.report',
  summary: 'Report a chat message to the moderators',
  call: 'POST /api/chat/channels/:id/messages/:messageId/report',
  audience: 'user',
  token: 'chat',
  anonymous: { purpose: 'report messages' },
  perMinute: 30,
  outdatesShared: false,
  input: { params: ChatMessageParams, body: ReportMessageBody },
  output: { 200: OwnReport, 201: OwnReport },
})

export const chatReportList = operation({
  name: 'chat.report.list',
  summary: "List the caller's reports of chat messages",
  call: 'GET /api/chat/reports',
  audience: 'user',
  token: 'read',
  anonymous: 'allowed',
  input: { query: OwnCaseQuery },
  output: { 200: OwnReportPage },
})

export const chatReportExport = operation({
  name: 'chat.report.export',
  summary: "Export the caller's reports of chat messages",
  call: 'GET /api/export/reports',
  audience: 'user',
  token: 'session-only',
  anonymous: 'allowed',
  perMinute: 60,
  input: { query: ExportQuery },
  output: { 200: OwnReportPage },
})

export const chatDecisionList = operation({
  name: 'chat.decision.list',
  summary: "List decisions against the caller's chat messages",
  call: 'GET /api/chat/decisions',
  audience: 'user',
  token: 'read',
  anonymous: 'allowed',
  input: { query: OwnCaseQuery },
  output: { 200: OwnDecisionPage },
})

export const chatDecisionExport = operation({
  name: 'chat.decision.export',
  summary: "Export decisions about the caller's chat messages",
  call: 'GET /api/export/decisions',
  audience: 'user',
  token: 'session-only',
  anonymous: 'allowed',
  perMinute: 60,
  input: { query: ExportQuery },
  output: { 200: OwnDecisionPage },
})

export const chatDecisionAppeal = operation({
  name: 'chat.decision.appeal',
  summary: "Appeal against a decision about the caller's chat message",
  call: 'POST /api/chat/decisions/:id/appeal',
  audience: 'user',
  token: 'chat',
  anonymous: { purpose: 'appeal' },
  outdatesShared: false,
  input: { params: CaseParams, body: AppealBody },
  output: { 200: OwnDecision },
})

export const chatCaseList = operation({
  name: 'chat.case.list',
  summary: 'List reported chat messages',
  call: 'GET /api/chat/cases',
  audience: 'chat:moderate',
  token: 'moderation',
  input: { query: ListCasesQuery },
  output: { 200: ChatCasePage },
})

export const chatCaseGet = operation({
  name: 'chat.case.get',
  summary: 'Get a reported chat message with the messages around it and its author’s history',
  call: 'GET /api/chat/cases/:id',
  audience: 'chat:moderate',
  token: 'moderation',
  input: { params: CaseParams },
  output: { 200: ChatCaseDetails },
})

export const chatCaseDecide = operation({
  name: 'chat.case.decide',
  summary: 'Decide about a reported chat message or an appeal',
  call: 'POST /api/chat/cases/:id/decision',
  audience: 'chat:moderate',
  token: 'moderation',
  input: { params: CaseParams, body: DecideCaseBody },
  output: { 200: DecidedCase },
})

export const chatHeldList = operation({
  name: 'chat.held.list',
  summary: 'List chat messages that wait for a moderator',
  call: 'GET /api/chat/held',
  audience: 'chat:moderate',
  token: 'moderation',
  input: { query: ListHeldQuery },
  output: { 200: WaitingMessagePage },
})

export const chatHeldDecide = operation({
  name: 'chat.held.decide',
  summary: 'Post or reject a chat message that waits for a moderator',
  call: 'POST /api/chat/held/:id/decision',
  audience: 'chat:moderate',
  token: 'moderation',
  input: { params: HeldParams, body: DecideHeldBody },
  output: { 204: null },
})
