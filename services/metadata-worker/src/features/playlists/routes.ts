import { metadataListPreview, metadataPlaylistRead } from '@looptide/contracts/operations/metadata'
import { parseYoutubeListUrl } from '@looptide/contracts/youtube-url'
import { errors } from '@looptide/service-kit/http/errors'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { PlaylistClient } from '../../youtube/playlist-client.ts'
import { toApiError } from './playlist-errors.ts'

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
