import { metadataListPreview, metadataPlaylistRead } from '@looptide/contracts/operations/metadata'
import { parseYoutubeListUrl } from '@looptide/contracts/youtube-url'
import { AppError, errors } from '@looptide/service-kit/http/errors'
import { type Route, route } from '@looptide/service-kit/routes/route'
import { nextPacificMidnight } from '../../queue/pacific-day.ts'
import { QuotaExhaustedError } from '../../youtube/outcome.ts'
import { type PlaylistClient, PlaylistNotFoundError } from '../../youtube/playlist-client.ts'

/** Routes of YouTube playlists and channels. */
export const playlistRoutes = ({ playlists }: { playlists: PlaylistClient | null }): Route[] => [
  route(metadataPlaylistRead, ({ params }) => {
    if (playlists === null)
      throw errors.conflict('Importing a playlist requires a YouTube API key (YOUTUBE_API_KEY).')
    return asApiError(playlists.read(params.playlistId))
  }),
  route(metadataListPreview, async ({ query }) => {
    const name = parseYoutubeListUrl(query.url)
    if (name === null) throw errors.validation('Enter the URL of a YouTube playlist or channel.')
    if (playlists === null)
      throw errors.conflict('Following a list requires a YouTube API key (YOUTUBE_API_KEY).')
    const { kind, title, itemCount } = await asApiError(playlists.describe(name))
    return { kind, title, itemCount }
  }),
]

const asApiError = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: unknown) => {
    throw toApiError(error)
  })

/** The API's error for an error of YouTube. */
function toApiError(error: unknown, nowMs: number = Date.now()): unknown {
  if (error instanceof PlaylistNotFoundError) return errors.notFound('This playlist')
  if (error instanceof QuotaExhaustedError) {
    const retryAfterMs = nextPacificMidnight(nowMs) - nowMs
    return new AppError('rate_limited', 'The daily quota is used up.', { retryAfterMs })
  }
  return errors.unavailable('YouTube')
}
