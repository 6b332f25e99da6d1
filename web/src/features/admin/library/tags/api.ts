import type { TagList } from '@looptide/contracts/http/videos'
import useSWR, { mutate } from 'swr'
import { api } from '../../../../lib/clients.ts'

const KEY = '/api/videos/tags'

/** The tags of the library in lower case, most frequent first. Empty until they are loaded. */
export function useTags(): TagList['items'] {
  const { data } = useSWR(KEY, (path: string) => api.get<TagList>(path))
  return data?.items ?? []
}

/** Call it when tags have changed. */
export const reloadTags = (): void => void mutate(KEY)
