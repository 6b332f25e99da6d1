import type { QuarantinePage } from '@looptide/contracts/http/playback-problems'
import { topics } from '@looptide/contracts/realtime'
import { useListPage } from '../../../lib/api/use-list-page.ts'
import { usePushedChanges, useReload } from '../../../lib/api/use-pushed-changes.ts'
import { api } from '../../../lib/clients.ts'
import { useTopic } from '../../../lib/realtime/use-topic.ts'

/** Reload delay in ms: the scheduler learns of a deleted video shortly after the catalogue has pushed it. */
const RELOAD_DELAY_MS = 500

/** Quarantined videos: off the air because viewers could not play them. Newest first; changes are pushed. */
export function useQuarantine() {
  const { pages, ...list } = useListPage('GET /api/channels/quarantine', {}, { revalidateAll: true })
  const changes = usePushedChanges<QuarantinePage[], { releasedId: string }>(pages, {
    apply: (known, released) => {
      const ids = new Set(released.map(({ releasedId }) => releasedId))
      return known.map((page) => ({ ...page, items: page.items.filter(({ videoId }) => !ids.has(videoId)) }))
    },
    delayMs: RELOAD_DELAY_MS,
  })
  const reload = () => changes.reload()
  useTopic(
    'admin',
    topics.admin,
    {
      quarantined: reload,
      video_removed: reload,
      change: ({ action }) => {
        if (action === 'quarantine.release') reload()
      },
    },
    reload,
  )
  return {
    ...list,
    reload,
    /** Removes a video from the shown list until the next reload. */
    hide: (videoId: string) => changes.push({ releasedId: videoId }),
  }
}

/** Videos that did not play for some viewers in the last week, that of the newest report first. */
export function usePlaybackProblems() {
  const { pages, ...list } = useListPage('GET /api/channels/playback-problems', {}, { revalidateAll: true })
  const reload = useReload(pages, RELOAD_DELAY_MS)
  useTopic('admin', topics.admin, { quarantined: reload, video_removed: reload }, reload)
  return { ...list, reload }
}

/** Deletes a video from the library and from all channel playlists. */
export const deleteVideo = (videoId: string): Promise<unknown> =>
  api.call('DELETE /api/videos', { body: { ids: [videoId] } })
