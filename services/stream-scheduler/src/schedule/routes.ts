import type { Role } from '@looptide/contracts/common'
import {
  streamScheduleDraftDiscard,
  streamScheduleDraftGet,
  streamScheduleDraftSave,
  streamScheduleDraftSubmit,
  streamScheduleDraftWithdraw,
  streamScheduleGet,
  streamSchedulePreview,
  streamSchedulePublish,
  streamSchedulePublishPreview,
  streamScheduleRemove,
  streamScheduleSource,
  streamScheduleVersionsGet,
  streamScheduleVersionsList,
  streamScheduleVersionsRestore,
} from '@looptide/contracts/operations/stream/schedules'
import { may } from '@looptide/contracts/permissions'
import { AppError } from '@looptide/service-kit/http/errors'
import { answer, type Route, route } from '@looptide/service-kit/routes/route'
import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { ScheduleApproval } from '../config.ts'
import type { Database } from '../db/schema.ts'
import { publishedSchedule, versionDocument, versionPage } from './published-schedule.ts'
import type { ScheduleDrafts } from './schedule-drafts.ts'
import type { SchedulePreviews } from './schedule-previews.ts'
import type { SchedulePublisher } from './schedule-publisher.ts'
import type { ScheduleReader } from './schedule-reader.ts'

interface Deps {
  db: Kysely<Database>
  schedules: ScheduleReader
  now: () => number
  drafts: ScheduleDrafts
  previews: SchedulePreviews
  publisher: SchedulePublisher
  scheduleApproval: ScheduleApproval
}

const draftRoutes = (drafts: ScheduleDrafts): Route[] => [
  route(streamScheduleDraftGet, async ({ params }) => {
    const { draft, etag } = await drafts.get(params.id)
    return answer(200, draft, { etag })
  }),
  route(streamScheduleDraftSave, async ({ params, body, cause, expected }) => {
    const { draft, etag } = await drafts.save(params.id, body, cause, expected)
    return answer(200, draft, { etag })
  }),
  route(streamScheduleDraftDiscard, ({ params, cause, expected }) =>
    drafts.discard(params.id, cause, expected),
  ),
  route(
    streamScheduleDraftSubmit,
    async ({ params, body, cause, expected }) => {
      const { draft, etag } = await drafts.submit(params.id, body.note, cause, expected)
      return answer(200, draft, { etag })
    },
    WITHOUT_BODY,
  ),
  route(
    streamScheduleDraftWithdraw,
    ({ params, body, cause }) => drafts.endSubmission(params.id, body.reason, cause),
    WITHOUT_BODY,
  ),
]

/** Routes of the schedules of channels. */
export function scheduleRoutes(deps: Deps): Route[] {
  const { db, schedules, now, drafts, previews, publisher } = deps
  const needsApproval = deps.scheduleApproval === 'required'
  const requireApprover = ({ role }: { role: Role }) => {
    if (needsApproval && !may(role, 'channels:manage')) throw approvalRequired()
  }
  return [
    route(streamScheduleGet, ({ params }) =>
      publishedSchedule(db, schedules, params.id, { nowMs: now(), needsApproval }),
    ),
    route(streamScheduleRemove, ({ params, cause, user }) => {
      requireApprover(user)
      return publisher.remove(params.id, cause)
    }),
    ...draftRoutes(drafts),
    route(streamSchedulePreview, ({ params, body }) => previews.preview(params.id, body)),
    route(streamScheduleSource, ({ params, body }) => previews.source(params.id, body)),
    route(
      streamSchedulePublish,
      ({ params, body, cause, expected, user }) => {
        requireApprover(user)
        return publisher.publish(params.id, body.note, cause, expected)
      },
      WITHOUT_BODY,
    ),
    route(
      streamSchedulePublishPreview,
      ({ params, body, expected }) => publisher.preview(params.id, body.document, expected),
      // Without a body, the draft is previewed.
      WITHOUT_BODY,
    ),
    route(streamScheduleVersionsList, ({ params, query }) => versionPage(db, params.id, query)),
    route(streamScheduleVersionsGet, ({ params }) => versionDocument(db, params.id, params.version)),
    route(streamScheduleVersionsRestore, ({ params: { id, version }, cause, user }) => {
      requireApprover(user)
      return publisher.restore(id, version, cause)
    }),
  ]
}

/** For operations whose body has only optional fields: a request without one is complete. A body of `null` is invalid. */
const WITHOUT_BODY = {
  preValidation: async (request: FastifyRequest) => {
    if (request.body === undefined) request.body = {}
  },
}

const approvalRequired = (): AppError =>
  new AppError(
    'approval_required',
    'Schedules of this station are published by an admin. Submit the draft for approval.',
  )
