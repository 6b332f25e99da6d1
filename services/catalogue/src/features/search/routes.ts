import { catalogueVideoSearch } from '@looptide/contracts/operations/catalogue/videos'
import { errors } from '@looptide/service-kit/http/errors'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { CatalogueDb } from '../../db/schema.ts'
import { presentVideo } from '../videos/present-video.ts'
import { searchByText, videosOfArtist } from './search-repository.ts'

/** Maximum artists in a result. */
const MAX_ARTISTS = 5

/** Routes of the search. */
export const searchRoutes = ({ db }: { db: CatalogueDb }): Route[] => [
  route(catalogueVideoSearch, async ({ query }) => {
    const { q = '', artist, limit = 20 } = query
    if (artist !== undefined) {
      const rows = artist.includes('\0') ? [] : await videosOfArtist(db, artist, limit)
      return { videos: rows.map(presentVideo), artists: [] }
    }
    const text = q.trim()
    if (text === '') throw errors.validation('Enter a search text or an artist.')
    const { videos, artists } = await searchByText(db, text, { videos: limit, artists: MAX_ARTISTS })
    return { videos: videos.map(presentVideo), artists }
  }),
]
