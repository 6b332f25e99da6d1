import { RequestAction } from '../../features/requests/request-action.tsx'
import { SearchDialog } from '../../features/search/search-dialog.tsx'
import { LikeAction } from '../../lib/likes/like-action.tsx'

/** The search of the live page. Its videos can be liked, and requested for the channel, where viewers may. */
export function LiveSearch(props: {
  channelId: string
  onPlay: (videoId: string) => void
  onClose: () => void
}) {
  const { channelId, onPlay, onClose } = props
  return (
    <SearchDialog
      actions={(video) => (
        <>
          <LikeAction video={video} />
          <RequestAction video={video} channelId={channelId} />
        </>
      )}
      onPlay={onPlay}
      onClose={onClose}
    />
  )
}
