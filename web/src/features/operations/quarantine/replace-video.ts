import { ApiError } from '../../../lib/api/api-error.ts'
import { api } from '../../../lib/clients.ts'
import { deleteVideo } from './api.ts'

/** Attempts and interval (ms): the scheduler knows a new video shortly after it was added to the library. */
const MAX_ATTEMPTS = 10
const RETRY_INTERVAL_MS = 500

/** The URL is not the URL of a different, single video. */
export class NotAVideoUrlError extends Error {}

/**
 * Adds the video at `url` to the library (if it is not there yet), replaces the quarantined video with it in all
 * playlists and deletes the quarantined one. Returns the number of replaced playlist entries. Throws {@link
 * NotAVideoUrlError} or ApiError.
 */
export async function replaceVideo(
  quarantined: { id: string; artistName: string; genre: string },
  url: string,
): Promise<number> {
  const { artistName, genre } = quarantined
  const added = await api.call('POST /api/videos', { body: { urls: [url], artistName, genre } })
  const video = added.lines[0]?.video
  if (!video || video.id === quarantined.id) throw new NotAVideoUrlError()
  const places = await replaceInPlaylists(quarantined.id, video.id)
  await deleteVideo(quarantined.id)
  return places
}

async function replaceInPlaylists(videoId: string, replacementId: string): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { count } = await api.call('POST /api/channels/quarantine/:videoId/replacement', {
        params: { videoId },
        body: { replacementId },
      })
      return count
    } catch (failure) {
      const isUnknown = failure instanceof ApiError && failure.code === 'not_found'
      if (!isUnknown || attempt === MAX_ATTEMPTS) throw failure
      await new Promise((resolve) => setTimeout(resolve, RETRY_INTERVAL_MS))
    }
  }
}
