import { MAX_LOOK_UP, VideoLookUp } from '@looptide/contracts/http/videos'
import { AppError } from '@looptide/service-kit/http/errors'
import { callInternal } from '@looptide/service-kit/identity/internal'
import { Check } from 'typebox/value'

/** Wait before the next attempt. The videos of an import of 20,000 arrive within ten seconds. */
const RETRY_AFTER_MS = 3000

/** The scheduler does not have these videos. */
export class UnknownVideosError extends AppError {
  readonly videoIds: readonly string[]

  constructor(videoIds: readonly string[]) {
    super('not_found', 'One of these videos was not found.')
    this.videoIds = videoIds
  }
}

/** The catalogue's internal address, and the token for it. */
export interface CatalogueAccess {
  catalogueUrl: string
  internalToken: string
}

/**
 * Runs a change that may throw {@link UnknownVideosError}. If the catalogue has the videos, their events have not arrived
 * yet, and the error becomes `video_not_ready`, which clients retry. `service_unavailable` if the catalogue does not
 * answer.
 */
export async function withReadinessCheck<T>(
  catalogue: CatalogueAccess,
  change: () => Promise<T>,
): Promise<T> {
  try {
    return await change()
  } catch (error) {
    if (error instanceof UnknownVideosError && (await hasAll(catalogue, error.videoIds))) {
      const message = 'New videos are still being prepared for channels. Please try again in a few seconds.'
      throw new AppError('video_not_ready', message, { retryAfterMs: RETRY_AFTER_MS })
    }
    throw error
  }
}

/** Whether the catalogue has public videos with all these ids. */
async function hasAll(
  { catalogueUrl, internalToken }: CatalogueAccess,
  videoIds: readonly string[],
): Promise<boolean> {
  for (let first = 0; first < videoIds.length; first += MAX_LOOK_UP) {
    const ids = videoIds.slice(first, first + MAX_LOOK_UP)
    const url = `${catalogueUrl}/api/videos/lookup?ids=${ids.join()}`
    const found = await callInternal(url, 'The catalogue', { internalToken })
    if (!Check(VideoLookUp, found)) throw new Error('the response of the catalogue is not a list of videos')
    if (found.items.length < new Set(ids).size) return false
  }
  return true
}
