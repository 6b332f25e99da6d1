import { MAX_LOOK_UP, VideoLookUp } from '@looptide/contracts/http/videos'
import { AppError } from '@looptide/service-kit/errors'
import { callInternal } from '@looptide/service-kit/internal'
import { Check } from 'typebox/value'

/** Time after which another try makes sense. An import of 20,000 videos arrives within ten seconds. */
const RETRY_AFTER_MS = 3000

/** A refusal: the scheduler does not have these videos. */
export class UnknownVideos extends AppError {
  readonly videoIds: readonly string[]

  constructor(videoIds: readonly string[]) {
    super('not_found', 'One of these videos was not found.')
    this.videoIds = videoIds
  }
}

export interface CatalogueAddress {
  catalogueUrl: string
  internalToken: string
}

/**
 * Runs a change that may refuse {@link UnknownVideos}. Videos that the catalogue has are on their way to the scheduler:
 * they are refused as `video_not_ready`, which is worth another try. `service_unavailable` when the catalogue cannot
 * be asked.
 */
export async function withReadiness<T>(catalogue: CatalogueAddress, change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    if (error instanceof UnknownVideos && (await hasAll(catalogue, error.videoIds))) {
      const message = 'New videos are still being prepared for channels. Please try again in a few seconds.'
      throw new AppError('video_not_ready', message, { retryAfterMs: RETRY_AFTER_MS })
    }
    throw error
  }
}

/** Whether the catalogue has public videos of all these ids. */
async function hasAll(
  { catalogueUrl, internalToken }: CatalogueAddress,
  videoIds: readonly string[],
): Promise<boolean> {
  for (let first = 0; first < videoIds.length; first += MAX_LOOK_UP) {
    const ids = videoIds.slice(first, first + MAX_LOOK_UP)
    const url = `${catalogueUrl}/api/videos/lookup?ids=${ids.join()}`
    const found = await callInternal(url, 'The catalogue', { internalToken })
    if (!Check(VideoLookUp, found))
      throw new Error('the catalogue answered something that is not a list of videos')
    if (found.items.length < new Set(ids).size) return false
  }
  return true
}
