import type {
  AddCurationBody,
  CurationItem,
  UpdateCurationBody,
  VideoPage,
} from '@looptide/contracts/http/videos'
import { topics } from '@looptide/contracts/realtime'
import useSWR from 'swr'
import { allPages } from '../../../lib/all-pages.ts'
import { api } from '../../../lib/clients.ts'
import { useReload } from '../../../lib/use-pushed-changes.ts'
import { useTopic } from '../../../lib/use-topic.ts'

/** How many videos the picker offers at a time; the search narrows them down. */
const CHOICES = 30

/** Everything admins have put on the home page, by section and place. What another desk changes shows at once. */
export function useCuration() {
  const answer = useSWR('/api/curation', readCuration, { revalidateOnFocus: false })
  const reload = useReload(answer)
  useTopic('station', topics.station, { home: reload }, reload)
  return answer
}

export const readCuration = (): Promise<CurationItem[]> => allPages('/api/curation')

/** Public videos that contain the text, newest first (docs/product/admin.md §7). */
export function useVideoChoices(q: string) {
  return useSWR(
    ['/api/videos', 'choices', q],
    ([path]) => api.get<VideoPage>(path, { query: { q: q || undefined, sort: 'newest', limit: CHOICES } }),
    { revalidateOnFocus: false, keepPreviousData: true },
  )
}

export const addCuration = (wish: AddCurationBody): Promise<CurationItem> => api.post('/api/curation', wish)

export const updateCuration = (id: string, change: UpdateCurationBody): Promise<CurationItem> =>
  api.patch(`/api/curation/${encodeURIComponent(id)}`, change)

export const removeCuration = (id: string): Promise<void> =>
  api.delete(`/api/curation/${encodeURIComponent(id)}`)
