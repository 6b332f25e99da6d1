import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { clientOf } from '@looptide/testkit/client'

/** Publishes a schedule, which follows the programme on the air if nothing is protected. */
export async function publishSchedule(
  stationUrl: string,
  token: string,
  channelId: string,
  document: ScheduleDocument,
): Promise<void> {
  const client = clientOf(stationUrl, token)
  const params = { id: channelId }
  const draft = await client.send('GET /api/channels/:id/schedule/draft', { params })
  const saved = await client.send(
    'PUT /api/channels/:id/schedule/draft',
    { params, body: document },
    { ifMatch: draft.headers.get('etag') ?? '' },
  )
  const options = { ifMatch: saved.headers.get('etag') ?? '' }
  await client.call('POST /api/channels/:id/schedule/publish', { params, body: {} }, options)
}

/** Publishes a schedule and restarts the channel, so that the schedule's first programme starts immediately. */
export async function startSchedule(...given: Parameters<typeof publishSchedule>): Promise<void> {
  await publishSchedule(...given)
  const [stationUrl, token, id] = given
  const body = { action: 'reset' } as const
  await clientOf(stationUrl, token).call('POST /api/channels/:id/stream', { params: { id }, body })
}
