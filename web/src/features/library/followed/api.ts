import type {
  FollowedList,
  FollowListBody,
  UpdateFollowedListBody,
} from '@looptide/contracts/http/followed-lists'
import { parseYoutubeListUrl } from '@looptide/contracts/youtube-url'
import { mutate } from 'swr'
import { isKeyOf, READ_ONCE, useCall } from '../../../lib/api/use-call.ts'
import { api } from '../../../lib/clients.ts'

const reload = () => mutate(isKeyOf('GET /api/followed-lists'))
/** Time between two reloads while a list is checked, and otherwise, in ms. */
const CHECKING_RELOAD_MS = 2000
const RELOAD_MS = 60_000

/** The followed lists of the station, oldest first. */
export const useFollowedLists = () =>
  useCall(
    'GET /api/followed-lists',
    {},
    {
      refreshInterval: (lists) =>
        lists?.items.some(({ isChecking }) => isChecking) ? CHECKING_RELOAD_MS : RELOAD_MS,
    },
  )

/** The title and size of the list of a URL; nothing while the text is not the URL of a list. */
export const useListPreview = (url: string) =>
  useCall(
    'GET /api/metadata/lists',
    parseYoutubeListUrl(url) === null ? null : { query: { url: url.trim() } },
    { ...READ_ONCE, shouldRetryOnError: false },
  )

/** Follows a list. Throws ApiError; its code is `conflict` if it is followed already. */
export async function followList(body: FollowListBody): Promise<FollowedList> {
  const list = await api.call('POST /api/followed-lists', { body })
  await reload()
  return list
}

/** Changes a followed list, and reloads the lists. Throws ApiError. */
export async function changeList(id: string, body: UpdateFollowedListBody): Promise<void> {
  await api.call('PATCH /api/followed-lists/:id', { params: { id }, body })
  await reload()
}

/** Stops following a list, and reloads the lists. Its videos stay in the library. Throws ApiError. */
export async function stopFollowing(id: string): Promise<void> {
  await api.call('DELETE /api/followed-lists/:id', { params: { id } })
  await reload()
}

/** Requests that a list is read now, and reloads the lists. Throws ApiError. */
export async function checkList(id: string): Promise<void> {
  await api.call('POST /api/followed-lists/:id/check', { params: { id } })
  await reload()
}
