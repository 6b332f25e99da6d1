import type { ReplaceVideoResult } from '@looptide/contracts/http/channels'
import type { AddVideosResult } from '@looptide/contracts/http/videos'
import { ApiError } from '../../../../lib/api-error.ts'
import { api } from '../../../../lib/clients.ts'
import { deleteVideo } from './api.ts'

/** A new video is known to the channels a moment after the library has it: so often, so far apart (ms), it is tried. */
const TRIES = 10
const PAUSE_MS = 500

/** The address is none of a single video. */
export class NoVideoAddressError extends Error {}

/**
 * Adds the video at `url` (or takes it, if it is in the library), puts it into the dead one's places, and deletes that.
 * Answers how many places there were. Throws {@link NoVideoAddressError} or ApiError.
 */
export async function replaceVideo(
  dead: { id: string; artistName: string; genre: string },
  url: string,
): Promise<number> {
  const { artistName, genre } = dead
  const added = await api.post<AddVideosResult>('/api/videos', { urls: [url], artistName, genre })
  const video = added.lines[0]?.video
  if (!video || video.id === dead.id) throw new NoVideoAddressError()
  const places = await putInPlace(dead.id, video.id)
  await deleteVideo(dead.id)
  return places
}

async function putInPlace(videoId: string, replacementId: string): Promise<number> {
  const path = `/api/channels/quarantine/${encodeURIComponent(videoId)}/replacement`
  for (let tries = 1; ; tries += 1) {
    try {
      return (await api.post<ReplaceVideoResult>(path, { replacementId })).count
    } catch (failure) {
      const isUnknown = failure instanceof ApiError && failure.code === 'not_found'
      if (!isUnknown || tries === TRIES) throw failure
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
}
