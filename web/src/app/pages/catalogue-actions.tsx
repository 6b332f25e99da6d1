import type { Video } from '@looptide/contracts/http/videos'
import { AddToListButton } from '../../features/playlists/add-to-list-button.tsx'
import { RequestAction } from '../../features/requests/request-action.tsx'
import { LikeAction } from '../../lib/likes/like-action.tsx'

/** The buttons of a video's details beside Play Now. */
export function CatalogueActions({ video }: { video: Video }) {
  return (
    <>
      <LikeAction video={video} />
      <AddToListButton video={video} />
      <RequestAction video={video} />
    </>
  )
}
