import type {
  SavedFilter,
  SavedFilterList,
  UpdateFilterBody,
  VideoFilter,
} from '@looptide/contracts/http/video-filters'
import useSWR, { mutate } from 'swr'
import { api } from '../../../../lib/clients.ts'

const KEY = '/api/videos/filters'
const pathOf = (id: string): string => `${KEY}/${encodeURIComponent(id)}`

/** The saved filters of all admins, by name. */
export const useSavedFilters = () =>
  useSWR(KEY, async (path: string) => (await api.get<SavedFilterList>(path)).items)

/** Saves a filter. Throws ApiError; its code is `conflict` if the name is taken. */
export async function saveFilter(name: string, filter: VideoFilter): Promise<SavedFilter> {
  const saved = await api.post<SavedFilter>(KEY, { name, filter })
  await mutate(KEY)
  return saved
}

/** Renames or replaces a filter. Throws ApiError as {@link saveFilter}. */
export async function changeFilter(id: string, body: UpdateFilterBody): Promise<void> {
  await api.patch<SavedFilter>(pathOf(id), body)
  await mutate(KEY)
}

export async function deleteFilter(id: string): Promise<void> {
  await api.delete(pathOf(id))
  await mutate(KEY)
}
