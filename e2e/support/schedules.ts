import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { clientOf } from '@looptide/testkit/client'

/** Publishes a schedule and restarts the channel, so that the schedule's first programme starts immediately. */
export async function startSchedule(
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
  await client.call('POST /api/channels/:id/schedule/publish', { params }, options)
  await client.call('POST /api/channels/:id/stream', { params, body: { action: 'reset' } })
}
