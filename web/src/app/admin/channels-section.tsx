import { Link } from 'react-router-dom'
import { ChannelManager } from '../../features/channels/channel-manager.tsx'
import { ChannelPlaylistManager } from '../../features/channels/channel-playlist-manager.tsx'
import { StreamManager } from '../../features/operations/stream-manager.tsx'
import { paths } from '../../lib/paths.ts'
import { useSession } from '../../lib/session/session.tsx'
import { buttonClass } from '../../ui/button.tsx'

/** The "Channel Manager" section: channels, their playlists and their streams, as far as the role allows. */
export function ChannelsSection() {
  const { may } = useSession()
  return (
    <div className="grid min-w-0 gap-10">
      {may('channels:manage') && (
        <div className="grid min-w-0 gap-4">
          <ChannelManager />
          <Link to={paths.channels()} className={buttonClass('quiet', 'justify-self-start')}>
            All channels
          </Link>
        </div>
      )}
      <ChannelPlaylistManager />
      <StreamManager />
    </div>
  )
}
