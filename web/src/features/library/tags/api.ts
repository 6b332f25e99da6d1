import type { TagList } from '@looptide/contracts/http/videos'
import { mutate } from 'swr'
import { isKeyOf, useCall } from '../../../lib/api/use-call.ts'

/** The tags of the library in lower case, most frequent first. Empty until they are loaded. */
export function useTags(): TagList['items'] {
  return useCall('GET /api/videos/tags', {}).data?.items ?? []
}

/** Call it when tags have changed. */
export const reloadTags = (): void => void mutate(isKeyOf('GET /api/videos/tags'))
