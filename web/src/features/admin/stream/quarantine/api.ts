import type { QuarantinePage } from '@looptide/contracts/http/channels'
import { topics } from '@looptide/contracts/realtime'
import useSWRInfinite from 'swr/infinite'
import { api } from '../../../../lib/clients.ts'
import { usePushedChanges } from '../../../../lib/use-pushed-changes.ts'
import { useTopic } from '../../../../lib/use-topic.ts'

const PATH = '/api/channels/quarantine'
/** Deleting a video is known here a moment after the catalogue has told of it (ms). */
const SETTLE_MS = 500

/** The videos that are off the air because viewers could not play them, newest first; changes are pushed. */
export function useQuarantine() {
  const pages = useSWRInfinite(
    (index: number, previous: QuarantinePage | null): [string, string | undefined] | null => {
      if (index === 0) return [PATH, undefined]
      return previous?.nextCursor ? [PATH, previous.nextCursor] : null
    },
    ([path, cursor]) => api.get<QuarantinePage>(path, { query: { cursor } }),
    { revalidateAll: true },
  )
  const changes = usePushedChanges<QuarantinePage[], { releasedId: string }>(pages, {
    apply: (known, released) => {
      const ids = new Set(released.map(({ releasedId }) => releasedId))
      return known.map((page) => ({ ...page, items: page.items.filter(({ videoId }) => !ids.has(videoId)) }))
    },
    delayMs: SETTLE_MS,
  })
  const reload = () => changes.reload()
  useTopic(
    'admin',
    topics.admin,
    {
      quarantined: reload,
      video_removed: reload,
      audit: ({ entry }) => {
        if (entry.action === 'quarantine.release') reload()
      },
    },
    reload,
  )
  return {
    videos: pages.data?.flatMap((page) => page.items),
    error: pages.error as unknown,
    hasMore: Boolean(pages.data?.at(-1)?.nextCursor),
    isLoadingMore: pages.isValidating,
    loadMore: () => void pages.setSize(pages.size + 1),
    reload,
    /** Takes a video out of what is shown, until the server is asked again. */
    forget: (videoId: string) => changes.push({ releasedId: videoId }),
  }
}

/** Lets a video back on the air. */
export const releaseVideo = (videoId: string): Promise<void> =>
  api.delete(`${PATH}/${encodeURIComponent(videoId)}`)

/** Has YouTube asked once more what it says of the video. */
export const askYoutubeAgain = (videoId: string): Promise<unknown> =>
  api.post('/api/videos/update-metadata', { ids: [videoId] })

/** Takes a video out of the library and out of every channel's playlist. */
export const deleteVideo = (videoId: string): Promise<unknown> =>
  api.delete('/api/videos', { body: { ids: [videoId] } })
