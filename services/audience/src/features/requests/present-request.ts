import type { ViewerRequest } from '@looptide/contracts/http/requests'
import type { RequestRow } from './request-repository.ts'
import type { VoteCount } from './vote-repository.ts'

/** A request as clients see it. Without `count` nobody has voted for it. */
export const presentRequest = (row: RequestRow, count: VoteCount | undefined): ViewerRequest => ({
  id: row.id,
  video: {
    id: row.videoId,
    title: row.title,
    artistName: row.artistName,
    thumbnailUrl: row.thumbnailUrl,
    durationMs: row.durationMs,
  },
  requestedBy: row.userId === null ? null : { userId: row.userId, handle: row.handle },
  requestedAt: row.requestedAt.toISOString(),
  votes: count?.votes ?? 0,
  hasVoted: count?.hasVoted ?? false,
  state: row.state,
  isPinned: row.pinnedAt !== null,
  // The planner does not plan requests yet (docs/audience-plan.md).
  expectedAt: null,
  blockedBy: null,
})
