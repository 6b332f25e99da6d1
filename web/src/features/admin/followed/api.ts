import type {
  FollowedList,
  FollowedLists,
  FollowListBody,
  UpdateFollowedListBody,
} from '@looptide/contracts/http/followed-lists'
import type { YoutubeListPreview } from '@looptide/contracts/http/metadata'
import { parseYoutubeListUrl } from '@looptide/contracts/youtube-url'
import useSWR, { mutate } from 'swr'
import useSWRImmutable from 'swr/immutable'
import { api } from '../../../lib/clients.ts'

const KEY = '/api/followed-lists'
const pathOf = (id: string): string => `${KEY}/${encodeURIComponent(id)}`
/** Time between two reloads while a list is checked, and otherwise, in ms. */
const CHECKING_RELOAD_MS = 2000
const RELOAD_MS = 60_000

/** The followed lists of the station, oldest first. */
export const useFollowedLists = () =>
  useSWR(KEY, async (path: string) => (await api.get<FollowedLists>(path)).items, {
    refreshInterval: (lists) =>
      lists?.some(({ isChecking }) => isChecking) ? CHECKING_RELOAD_MS : RELOAD_MS,
  })

/** The title and size of the list of a URL; nothing while the text is not the URL of a list. */
export const useListPreview = (url: string) =>
  useSWRImmutable(
    parseYoutubeListUrl(url) === null ? null : `/api/metadata/lists?url=${encodeURIComponent(url.trim())}`,
    (path: string) => api.get<YoutubeListPreview>(path),
    { shouldRetryOnError: false },
  )

/** Follows a list. Throws ApiError; its code is `conflict` if it is followed already. */
export async function followList(body: FollowListBody): Promise<FollowedList> {
  const list = await api.post<FollowedList>(KEY, body)
  await mutate(KEY)
  return list
}

export async function changeList(id: string, body: UpdateFollowedListBody): Promise<void> {
  await api.patch<FollowedList>(pathOf(id), body)
  await mutate(KEY)
}

export async function stopFollowing(id: string): Promise<void> {
  await api.delete(pathOf(id))
  await mutate(KEY)
}

export async function checkList(id: string): Promise<void> {
  await api.post<FollowedList>(`${pathOf(id)}/check`)
  await mutate(KEY)
}
