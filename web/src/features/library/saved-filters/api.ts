import type { SavedFilter, UpdateFilterBody, VideoFilter } from '@looptide/contracts/http/video-filters'
import { mutate } from 'swr'
import { isKeyOf, useCall } from '../../../lib/api/use-call.ts'
import { api } from '../../../lib/clients.ts'

const reload = () => mutate(isKeyOf('GET /api/videos/filters'))

/** The saved filters of all admins, by name. */
export const useSavedFilters = () => useCall('GET /api/videos/filters', {})

/** Saves a filter. Throws ApiError; its code is `conflict` if the name is taken. */
export async function saveFilter(name: string, filter: VideoFilter): Promise<SavedFilter> {
  const saved = await api.call('POST /api/videos/filters', { body: { name, filter } })
  await reload()
  return saved
}

/** Renames or replaces a filter. Throws ApiError as {@link saveFilter}. */
export async function changeFilter(id: string, body: UpdateFilterBody): Promise<void> {
  await api.call('PATCH /api/videos/filters/:id', { params: { id }, body })
  await reload()
}

export async function deleteFilter(id: string): Promise<void> {
  await api.call('DELETE /api/videos/filters/:id', { params: { id } })
  await reload()
}
