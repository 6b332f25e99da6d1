import { READ_ONCE, useCall } from '../../lib/api/use-call.ts'
import { useConfig } from '../../lib/api/use-config.ts'
import { REPLAY_MS, type ReplayItem, replayItems } from './replay.ts'

/** Programmes that are played again at most: those of one page of the air log, and of one look-up of videos. */
const LIMIT = 100

/** The programmes of an hour from an instant on, with their videos. `items` is undefined until both are loaded. */
export function useReplay(channelId: string, fromMs: number) {
  const query = { afterMs: fromMs, beforeMs: fromMs + REPLAY_MS, order: 'oldest', limit: LIMIT } as const
  const log = useCall(
    'GET /api/channels/:id/air-log',
    { params: { id: channelId }, query },
    { anonymous: true, ...READ_ONCE },
  )
  const entries = log.data?.items
  const ids = [...new Set(entries?.map(({ videoId }) => videoId))].join()
  const videos = useCall('GET /api/videos/lookup', ids === '' ? null : { query: { ids } }, {
    anonymous: true,
    ...READ_ONCE,
  })
  const found = ids === '' ? [] : videos.data?.items
  const items: ReplayItem[] | undefined = entries && found && replayItems(entries, found)
  return {
    items,
    error: (log.error ?? videos.error) as unknown,
    retry: () => {
      void log.mutate()
      void videos.mutate()
    },
  }
}

/** The reactions to a programme in the order of time; none on a station where they are not stored. */
export function useReactionPace(channelId: string, airingId: string) {
  const { requests } = useConfig()
  const { data } = useCall(
    'GET /api/channels/:id/airings/:airingId/reactions',
    requests ? { params: { id: channelId, airingId } } : null,
    { anonymous: true, ...READ_ONCE, shouldRetryOnError: false },
  )
  return data?.steps ?? []
}
