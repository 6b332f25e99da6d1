import { GuideScreen } from '../../features/guide/guide-screen.tsx'
import type { LiveGuideProps } from '../../features/live/live-view-props.ts'
import { AddToListButton } from '../../features/playlists/add-to-list-button.tsx'
import { useConfig } from '../../lib/api/use-config.ts'

/** The guide of the live page. Its videos can be added to lists, except the fallback channel's clips. */
export function LiveGuide({ channelId, close, watch, tune }: LiveGuideProps) {
  const { fallbackChannelId } = useConfig()
  return (
    <GuideScreen
      channelId={channelId}
      onClose={close}
      onWatch={watch}
      onTune={tune}
      actions={(programme) =>
        programme.videoId !== null &&
        programme.channelId !== fallbackChannelId && (
          <AddToListButton video={{ id: programme.videoId, title: programme.video.title }} />
        )
      }
    />
  )
}
