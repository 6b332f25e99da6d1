import { GuideDialog } from '../../features/guide/guide-dialog.tsx'
import { AddToListButton } from '../../features/playlists/add-to-list-button.tsx'
import { useConfig } from '../../lib/api/use-config.ts'

/** The guide dialog of the live page. Its videos can be added to lists, except the fallback channel's clips. */
export function LiveGuide(props: {
  channelId: string
  onClose: () => void
  onWatch: (channelId: string) => void
}) {
  const { fallbackChannelId } = useConfig()
  return (
    <GuideDialog
      {...props}
      actions={({ channelId, videoId, video }) =>
        videoId !== null &&
        channelId !== fallbackChannelId && <AddToListButton video={{ id: videoId, title: video.title }} />
      }
    />
  )
}
