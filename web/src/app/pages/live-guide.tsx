import { GuideDialog } from '../../features/guide/guide-dialog.tsx'
import { AddToListButton } from '../../features/playlists/add-to-list-button.tsx'
import { useConfig } from '../../lib/use-config.ts'

/** The guide over the live page, with what can be kept in a list: the clips of the fallback channel cannot. */
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
