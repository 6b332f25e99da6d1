import type { Poll } from '@looptide/contracts/http/polls'
import type { PollRow } from './poll-repository.ts'

/** A poll as everyone sees it, with the votes that were counted last. */
export const presentPoll = ({ answers, counts, askedAt, closesAt, closedAt, ...row }: PollRow): Poll => ({
  id: row.id,
  channelId: row.channelId,
  airingId: row.airingId,
  question: row.question,
  answers: answers.map((text, index) => ({ text, votes: counts[index] ?? 0 })),
  votes: counts.reduce((sum, count) => sum + count, 0),
  state: closedAt === null ? 'open' : 'closed',
  askedAt: askedAt.toISOString(),
  closesAt: closesAt.toISOString(),
  closedAt: closedAt?.toISOString() ?? null,
  version: row.version,
})
