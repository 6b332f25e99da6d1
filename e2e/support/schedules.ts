import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { askAsAdmin } from './channels.ts'

/** Publishes a schedule and restarts the channel, so that the schedule's first programme starts immediately. */
export async function startSchedule(
  stationUrl: string,
  token: string,
  channelId: string,
  document: ScheduleDocument,
): Promise<void> {
  const draftUrl = `${stationUrl}/api/channels/${channelId}/schedule/draft`
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const draft = await fetch(draftUrl, { headers })
  const saved = await fetch(draftUrl, {
    method: 'PUT',
    headers: { ...headers, 'if-match': draft.headers.get('etag') ?? '' },
    body: JSON.stringify(document),
  })
  const published = await fetch(`${stationUrl}/api/channels/${channelId}/schedule/publish`, {
    method: 'POST',
    headers: { authorization: headers.authorization, 'if-match': saved.headers.get('etag') ?? '' },
  })
  if (!published.ok) throw new Error(`publishing answered ${published.status}: ${await published.text()}`)
  await askAsAdmin(stationUrl, token, 'POST', `/api/channels/${channelId}/stream`, { action: 'reset' })
}
