import { RequestAction } from '../../features/requests/request-action.tsx'
import { type useVideoDialogs, VideoDialogs } from '../../features/videos/video-dialogs.tsx'
import { part } from '../../lib/browser/part.tsx'
import { usePreload } from '../../lib/browser/use-preload.ts'

const AddToListButton = part(
  async () => (await import('../../features/playlists/add-to-list-button.tsx')).AddToListButton,
)

/** The details and the player of a video of the catalogue. Their code is loaded after the page. */
export function CatalogueDialogs({ dialogs }: { dialogs: ReturnType<typeof useVideoDialogs> }) {
  usePreload(AddToListButton.preload)
  return (
    <VideoDialogs
      dialogs={dialogs}
      actions={(video) => (
        <>
          <AddToListButton video={video} />
          <RequestAction video={video} />
        </>
      )}
    />
  )
}
