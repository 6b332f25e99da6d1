import type { DebugSource } from '@looptide/service-kit/debug/debug-report'
import type { RedisInbox } from './inbox/redis-inbox.ts'
import type { LookupQueue } from './queue/lookup-queue.ts'

const MAX_LETTERS = 20

/** State that `/debug` shows in development: the look-up queue and the dead letters, which are in Redis. */
export const debugSources = (queue: LookupQueue, inbox: RedisInbox): DebugSource[] => [
  { title: 'Look-ups', read: async () => [await queue.counts()] },
  {
    title: `Dead letters, newest first (at most ${MAX_LETTERS})`,
    read: async () => {
      const letters = await inbox.deadLetters(MAX_LETTERS, undefined)
      return letters
        .filter(({ replayedAt }) => replayedAt === null)
        .map(({ id, consumer, subject, error, failedAt }) => ({ id, consumer, subject, error, failedAt }))
    },
  },
]
