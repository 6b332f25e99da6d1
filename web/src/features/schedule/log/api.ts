import type { ChannelLog, LogEditResult } from '@looptide/contracts/http/log'
import { topics } from '@looptide/contracts/realtime'
import useSWR, { mutate } from 'swr'
import { keyOf } from '../../../lib/api/use-call.ts'
import { useReload } from '../../../lib/api/use-pushed-changes.ts'
import { api } from '../../../lib/clients.ts'
import { useTopic } from '../../../lib/realtime/use-topic.ts'
import { PLAN_TIMEOUT_MS } from '../api.ts'
import { bodyOf, type LogChangeRequest } from './log-change.ts'

/** The log of a channel with its version. */
export type VersionedLog = ChannelLog & { etag: string }

const logKey = (channelId: string) =>
  keyOf('GET /api/channels/:id/log', { params: { id: channelId } }, { shape: 'versioned' })

async function readLog([call, input]: ReturnType<typeof logKey>): Promise<VersionedLog> {
  const { body, etag } = await api.callVersioned(call, input)
  return { ...body, etag }
}

/** The log of a channel, reloaded when its timeline or what is on the air changes. */
export function useLog(channelId: string) {
  const response = useSWR(logKey(channelId), readLog, { revalidateOnFocus: false })
  const reload = useReload(response)
  const reloadIfChanged = (changed: { channelId: string }) => {
    if (changed.channelId === channelId) reload()
  }
  useTopic(
    'admin',
    topics.admin,
    { timeline: reloadIfChanged, status: reloadIfChanged, programme: reloadIfChanged },
    reload,
  )
  return response
}

/** Changes to a channel's log. Each throws ApiError. */
export const logActions = {
  reload: (channelId: string) => mutate<VersionedLog>(logKey(channelId)),

  /** What a change of the log of version `etag` would do. Changes nothing. */
  plan: (channelId: string, change: LogChangeRequest, etag: string): Promise<LogEditResult> =>
    api.call(
      'POST /api/channels/:id/log/edits',
      { params: { id: channelId }, body: { ...bodyOf(change), dryRun: true } },
      { ifMatch: etag, timeoutMs: PLAN_TIMEOUT_MS },
    ),

  async apply(channelId: string, change: LogChangeRequest, etag: string): Promise<LogEditResult> {
    const result = await api.call(
      'POST /api/channels/:id/log/edits',
      { params: { id: channelId }, body: bodyOf(change) },
      { ifMatch: etag, timeoutMs: PLAN_TIMEOUT_MS },
    )
    await mutate(logKey(channelId))
    return result
  },

  async undo(channelId: string, editId: string): Promise<LogEditResult> {
    const result = await api.call(
      'DELETE /api/channels/:id/log/edits/:editId',
      { params: { id: channelId, editId } },
      { timeoutMs: PLAN_TIMEOUT_MS },
    )
    await mutate(logKey(channelId))
    return result
  },
}
