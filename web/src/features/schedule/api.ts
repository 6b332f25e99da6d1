import type {
  PublishPreview,
  PublishResult,
  ScheduleDraft,
  SchedulePreviewBody,
  ScheduleRemoval,
} from '@looptide/contracts/http/schedules'
import { topics } from '@looptide/contracts/realtime'
import type { ScheduleDocument, Source } from '@looptide/contracts/schedule'
import useSWR, { mutate } from 'swr'
import { isKeyOf, keyOf, useCall } from '../../lib/api/use-call.ts'
import { useListPage } from '../../lib/api/use-list-page.ts'
import { useReload } from '../../lib/api/use-pushed-changes.ts'
import { api } from '../../lib/clients.ts'
import { useTopic } from '../../lib/realtime/use-topic.ts'
import { useDebounced } from '../../lib/time/use-debounced.ts'

const draftKey = (channelId: string) =>
  keyOf('GET /api/channels/:id/schedule/draft', { params: { id: channelId } }, { shape: 'versioned' })

/** Plans are computed on demand, so that these requests may take longer than others, in ms. */
export const PLAN_TIMEOUT_MS = 30_000
/** Delay after the last change of a document before it is checked or previewed, in ms. */
const PREVIEW_DELAY_MS = 400
/** Interval in which changed videos are collected before a source is counted again, in ms. An import changes many. */
const LIBRARY_DELAY_MS = 2_000

/** The saved draft with its version. */
export type SavedDraft = ScheduleDraft & { etag: string }

async function readDraft([call, input]: ReturnType<typeof draftKey>): Promise<SavedDraft> {
  const { body, etag } = await api.callVersioned(call, input)
  return { ...body, etag }
}

/** The saved draft of a channel's schedule, reloaded after each change by another admin. */
export function useSavedDraft(channelId: string) {
  const response = useSWR(draftKey(channelId), readDraft, { revalidateOnFocus: false })
  useReloadOnChange(channelId, useReload(response))
  return response
}

/** The published schedule of a channel, reloaded after each change by another admin. */
export function usePublishedSchedule(channelId: string) {
  const response = useCall(
    'GET /api/channels/:id/schedule',
    { params: { id: channelId } },
    { revalidateOnFocus: false },
  )
  useReloadOnChange(channelId, useReload(response))
  return response
}

/** Calls `reload` when an admin has changed the schedule of a channel, and after a reconnection. */
function useReloadOnChange(channelId: string, reload: () => void): void {
  useTopic(
    'admin',
    topics.admin,
    {
      change: ({ action, targetId }) => {
        if (targetId === channelId && action.startsWith('schedule.')) reload()
      },
    },
    reload,
  )
}

/** The published versions, newest first, page by page. */
export function useVersions(channelId: string) {
  const { pages, ...list } = useListPage('GET /api/channels/:id/schedule/versions', {
    params: { id: channelId },
    query: { limit: 30 },
  })
  const reload = useReload(pages)
  useReloadOnChange(channelId, reload)
  return { ...list, reload }
}

/** A published version with its document. */
export const useVersion = (channelId: string, version: number) =>
  useCall('GET /api/channels/:id/schedule/versions/:version', { params: { id: channelId, version } })

/**
 * What a document would put on the air from `fromMs` to `toMs` (epoch ms), and the document's problems. The previous
 * answer is shown until the next one arrives.
 */
export function usePreview(channelId: string, document: ScheduleDocument, fromMs: number, toMs: number) {
  const body: SchedulePreviewBody = {
    document,
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
  }
  const json = useDebounced(JSON.stringify(body), PREVIEW_DELAY_MS)
  return useSWR(
    ['schedule-preview', channelId, json] as const,
    ([, id, text]) =>
      api.call(
        'POST /api/channels/:id/schedule/preview',
        { params: { id }, body: JSON.parse(text) },
        { timeoutMs: PLAN_TIMEOUT_MS },
      ),
    { keepPreviousData: true, revalidateOnFocus: false, shouldRetryOnError: false },
  )
}

/** The number of videos that a source provides, and the first ten of them. Follows changes of the library. */
export function useSourceMatches(channelId: string, source: Source) {
  const json = useDebounced(JSON.stringify({ source }), PREVIEW_DELAY_MS)
  const response = useSWR(
    ['schedule-source', channelId, json] as const,
    ([, id, text]) =>
      api.call('POST /api/channels/:id/schedule/source', { params: { id }, body: JSON.parse(text) }),
    { keepPreviousData: true, revalidateOnFocus: false, shouldRetryOnError: false },
  )
  const reload = useReload(response, LIBRARY_DELAY_MS)
  useTopic('admin', topics.admin, { video: reload, videos: reload, video_removed: reload }, reload)
  return response
}

/** Reads draft, published schedule and versions again. */
const reloadAll = (channelId: string) =>
  Promise.all([
    mutate(draftKey(channelId)),
    mutate(isKeyOf('GET /api/channels/:id/schedule', { id: channelId })),
    mutate(isKeyOf('GET /api/channels/:id/schedule/versions', { id: channelId })),
    mutate(isKeyOf('GET /api/channels/:id/schedule/versions/:version', { id: channelId })),
  ])

/** Changes to a channel's schedule. Each throws ApiError. */
export const scheduleActions = {
  /** Saves the draft, if it still has version `etag`. Resolves to the new version. */
  async saveDraft(channelId: string, document: ScheduleDocument, etag: string): Promise<string> {
    const saved = await api.callVersioned(
      'PUT /api/channels/:id/schedule/draft',
      { params: { id: channelId }, body: document },
      { ifMatch: etag },
    )
    const next: SavedDraft = { ...saved.body, etag: saved.etag }
    await mutate(draftKey(channelId), next, { revalidate: false })
    return saved.etag
  },

  reloadDraft: (channelId: string) => mutate<SavedDraft>(draftKey(channelId)),

  /** Discards the draft: the published version is edited again. */
  async discardDraft(channelId: string): Promise<void> {
    await api.call('DELETE /api/channels/:id/schedule/draft', { params: { id: channelId } })
    await mutate(draftKey(channelId))
  },

  /** What publishing the draft of version `etag` would change on the air. */
  previewPublication: (channelId: string, etag: string): Promise<PublishPreview> =>
    api.call(
      'POST /api/channels/:id/schedule/publish/preview',
      { params: { id: channelId }, body: {} },
      { ifMatch: etag, timeoutMs: PLAN_TIMEOUT_MS },
    ),

  /** Submits the draft of version `etag` for approval. */
  async submit(channelId: string, etag: string, note: string): Promise<void> {
    const saved = await api.callVersioned(
      'PUT /api/channels/:id/schedule/draft/submission',
      { params: { id: channelId }, body: { note } },
      { ifMatch: etag, timeoutMs: PLAN_TIMEOUT_MS },
    )
    await mutate(draftKey(channelId), { ...saved.body, etag: saved.etag }, { revalidate: false })
  },

  /** Withdraws one's own submission of the draft, or sends that of another person back. `reason`: empty without one. */
  async endSubmission(channelId: string, reason = ''): Promise<void> {
    const input = { params: { id: channelId }, body: { reason } }
    await api.call('DELETE /api/channels/:id/schedule/draft/submission', input)
    await mutate(draftKey(channelId))
  },

  async publish(channelId: string, etag: string, note: string): Promise<PublishResult> {
    const result = await api.call(
      'POST /api/channels/:id/schedule/publish',
      { params: { id: channelId }, body: { note } },
      { ifMatch: etag, timeoutMs: PLAN_TIMEOUT_MS },
    )
    await reloadAll(channelId)
    return result
  },

  /** Publishes an old version again. */
  async restore(channelId: string, version: number): Promise<PublishResult> {
    const result = await api.call(
      'POST /api/channels/:id/schedule/versions/:version/restore',
      { params: { id: channelId, version } },
      { timeoutMs: PLAN_TIMEOUT_MS },
    )
    await reloadAll(channelId)
    return result
  },

  /** Removes the schedule: the channel repeats its playlist again. */
  async stopUsing(channelId: string): Promise<ScheduleRemoval> {
    const result = await api.call(
      'DELETE /api/channels/:id/schedule',
      { params: { id: channelId } },
      { timeoutMs: PLAN_TIMEOUT_MS },
    )
    await reloadAll(channelId)
    return result
  },
}
