import type { CurationItem } from '@looptide/contracts/http/videos'
import { topics } from '@looptide/contracts/realtime'
import useSWR from 'swr'
import { allVersionedPages, type VersionedList } from '../../../lib/api/all-pages.ts'
import { keyOf } from '../../../lib/api/use-call.ts'
import { useReload } from '../../../lib/api/use-pushed-changes.ts'
import { useTopic } from '../../../lib/realtime/use-topic.ts'

/** The curation of the home page, by section and position, with the version of the order. */
export type Curation = VersionedList<CurationItem>

/** The curation of the home page. Reloaded after each change by another admin. */
export function useCuration() {
  const response = useSWR(keyOf('GET /api/curation', {}, { shape: 'versioned' }), readCuration, {
    revalidateOnFocus: false,
  })
  const reload = useReload(response)
  useTopic('station', topics.station, { home: reload }, reload)
  return response
}

/** Everything on the home screen with its ETag. Throws ApiError. */
export const readCuration = (): Promise<Curation> => allVersionedPages('GET /api/curation', {})
