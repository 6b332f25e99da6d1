import { ExportQuery, PollVoteExportPage } from '../../http/exports.ts'
import {
  CreatePollBody,
  ListPollsQuery,
  OwnPoll,
  Poll,
  PollChannelParams,
  PollPage,
  PollParams,
  PollVoteBody,
} from '../../http/polls.ts'
import { operation } from '../../operation.ts'

export const audiencePollList = operation({
  name: 'audience.poll.list',
  summary: 'List the polls of a channel, newest first',
  call: 'GET /api/channels/:id/polls',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  shared: { differsFor: 'schedules:edit' },
  input: { params: PollChannelParams, query: ListPollsQuery },
  output: { 200: PollPage },
})

export const audiencePollCreate = operation({
  name: 'audience.poll.create',
  summary: 'Ask a question in the chat of a channel',
  call: 'POST /api/channels/:id/polls',
  audience: 'chat:moderate',
  token: 'moderation',
  input: { params: PollChannelParams, body: CreatePollBody },
  output: { 201: Poll },
})

export const audiencePollGet = operation({
  name: 'audience.poll.get',
  summary: 'Get a poll, and for which answer the caller votes',
  call: 'GET /api/polls/:id',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  input: { params: PollParams },
  output: { 200: OwnPoll },
})

/** Idempotent: an account has one vote, which it may change while the poll is open. */
export const audiencePollVote = operation({
  name: 'audience.poll.vote',
  summary: 'Vote for an answer of an open poll',
  call: 'PUT /api/polls/:id/vote',
  audience: 'user',
  token: 'requests',
  anonymous: { purpose: 'vote in polls' },
  input: { params: PollParams, body: PollVoteBody },
  output: { 200: OwnPoll },
})

/** Idempotent. */
export const audiencePollEnd = operation({
  name: 'audience.poll.end',
  summary: 'Close a poll before its time',
  call: 'POST /api/polls/:id/end',
  audience: 'chat:moderate',
  token: 'moderation',
  input: { params: PollParams },
  output: { 200: Poll },
})

/** An open poll has no result then. The result of a closed one stays in the chat, whose moderators delete it there. */
export const audiencePollRemove = operation({
  name: 'audience.poll.remove',
  summary: 'Delete a poll with its votes',
  call: 'DELETE /api/polls/:id',
  audience: 'chat:moderate',
  token: 'moderation',
  input: { params: PollParams },
  output: { 204: null },
})

export const audiencePollVoteExport = operation({
  name: 'audience.poll_vote.export',
  summary: "Export the caller's votes in polls",
  call: 'GET /api/export/polls',
  audience: 'user',
  token: 'session-only',
  anonymous: 'allowed',
  perMinute: 60,
  input: { query: ExportQuery },
  output: { 200: PollVoteExportPage },
})
