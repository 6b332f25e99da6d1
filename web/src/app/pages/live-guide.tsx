import { GuideScreen } from '../../features/guide/guide-screen.tsx'
import type { ShownProgramme } from '../../features/guide/placeholders.ts'
import type { LiveGuideProps } from '../../features/live/live-view-props.ts'
import { AddToListButton } from '../../features/playlists/add-to-list-button.tsx'
import { useConfig } from '../../lib/api/use-config.ts'
import { serverClock } from '../../lib/clients.ts'
import { RemindAction } from '../../lib/reminders/remind-action.tsx'

/**
 * The guide of the live page. Its videos can be added to lists, except the fallback channel's clips, and viewers can be
 * reminded of them.
 */
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
          <>
            <Reminders programme={programme} />
            <AddToListButton video={{ id: programme.videoId, title: programme.video.title }} />
          </>
        )
      }
    />
  )
}

function Reminders({ programme }: { programme: ShownProgramme }) {
  const { id, channelId, startsAtMs, video } = programme
  const { title, artistName } = video
  return (
    <>
      {startsAtMs > serverClock.nowMs() && (
        <RemindAction target={{ kind: 'programme', channelId, ref: id, title }} />
      )}
      <RemindAction
        label="Remind Me of This Artist"
        target={{ kind: 'artist', channelId, ref: artistName, title: artistName }}
      />
    </>
  )
}
