import {
  streamScheduleDraftDiscard,
  streamScheduleDraftGet,
  streamScheduleDraftSave,
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
import { answer, type Route, route } from '@looptide/service-kit/routes/route'
import type { Kysely } from 'kysely'
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
}

/** Routes of the schedules of channels. */
export const scheduleRoutes = ({ db, schedules, now, drafts, previews, publisher }: Deps): Route[] => [
  route(streamScheduleGet, ({ params }) => publishedSchedule(db, schedules, params.id, now())),
  route(streamScheduleRemove, ({ params, cause }) => publisher.remove(params.id, cause)),
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
  route(streamSchedulePreview, ({ params, body }) => previews.preview(params.id, body)),
  route(streamScheduleSource, ({ params, body }) => previews.source(params.id, body)),
  route(streamSchedulePublish, ({ params, cause, expected }) =>
    publisher.publish(params.id, cause, expected),
  ),
  route(
    streamSchedulePublishPreview,
    ({ params, body, expected }) => publisher.preview(params.id, body.document, expected),
    {
      preValidation: async (request) => {
        // Without a body, the draft is previewed. A body of `null` is invalid.
        if (request.body === undefined) request.body = {}
      },
    },
  ),
  route(streamScheduleVersionsList, ({ params, query }) => versionPage(db, params.id, query)),
  route(streamScheduleVersionsGet, ({ params }) => versionDocument(db, params.id, params.version)),
  route(streamScheduleVersionsRestore, ({ params: { id, version }, cause }) =>
    publisher.restore(id, version, cause),
  ),
]
