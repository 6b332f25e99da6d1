import type { Envelope } from '@looptide/contracts/events'
import type { DeadLetterOperations } from '@looptide/contracts/operations/dead-letters'
import {
  metadataJobList,
  metadataJobRetry,
  metadataJobRetryAll,
  metadataStatusRead,
} from '@looptide/contracts/operations/metadata'
import { decodeCursor, toPage } from '@looptide/service-kit/http/cursor'
import { errors } from '@looptide/service-kit/http/errors'
import type { Guard } from '@looptide/service-kit/limits/guard'
import { deadLetterFacts } from '@looptide/service-kit/routes/dead-letters'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { AuditRecorder } from '../../audit/audit-recorder.ts'
import type { RedisInbox } from '../../inbox/redis-inbox.ts'
import type { JobService } from './job-service.ts'

/** Routes of metadata jobs. */
export const jobRoutes = ({ jobs }: { jobs: JobService }): Route[] => [
  route(metadataJobList, ({ query }) => jobs.list(query)),
  route(metadataJobRetry, ({ params, cause }) => jobs.retry(params.youtubeId, cause)),
  route(metadataJobRetryAll, async ({ cause }) => ({ count: await jobs.retryAll(cause) })),
  route(metadataStatusRead, () => jobs.status()),
]

interface DeadLetterDeps {
  operations: DeadLetterOperations
  inbox: RedisInbox
  audit: AuditRecorder
  guard: Guard
  replay: (envelope: Envelope) => Promise<void>
}

const SERVICE = 'metadata-worker'

/** Routes of dead letters, as in every service. */
export const deadLetterRoutes = ({ operations, inbox, audit, guard, replay }: DeadLetterDeps): Route[] => {
  const find = async (id: number) => {
    const letter = await inbox.findDeadLetter(String(id))
    if (letter === null) throw errors.notFound('This dead letter')
    return letter
  }
  return [
    route(operations.list, async ({ query: { limit = 100, cursor } }) => {
      const before = cursor === undefined ? undefined : decodeCursor(cursor, ['number'])[0]
      const letters = await inbox.deadLetters(limit + 1, before)
      return toPage(
        letters,
        limit,
        (letter) => letter,
        (letter) => [Number(letter.id)],
      )
    }),
    route(operations.drop, async ({ params, cause }) => {
      const letter = await find(params.id)
      await audit.record(cause, deadLetterFacts(SERVICE, 'drop', letter))
      if (!(await inbox.dropDeadLetter(letter.id))) throw errors.notFound('This dead letter')
    }),
    route(operations.replay, async ({ request, params, cause }) => {
      await guard.check(request, 'dead_letter.replay.admin')
      const letter = await find(params.id)
      if (letter.replayedAt !== null) return { replayed: true as const }
      await replay(letter.envelope as Envelope).catch((error: unknown) => {
        throw errors.conflict(`The replay failed: ${error instanceof Error ? error.message : String(error)}`)
      })
      await audit.record(cause, deadLetterFacts(SERVICE, 'replay', letter))
      await inbox.markReplayed(letter)
      return { replayed: true as const }
    }),
  ]
}
