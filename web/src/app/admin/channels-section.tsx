import { ChannelManager } from '../../features/channels/channel-manager.tsx'
import { ChannelPlaylistManager } from '../../features/channels/channel-playlist-manager.tsx'
import { StreamManager } from '../../features/operations/stream-manager.tsx'
import { useSession } from '../../lib/session/session.tsx'

/** The "Channel Manager" section: channels, their playlists and their streams, as far as the role allows. */
export function ChannelsSection() {
  const { may } = useSession()
  return (
    <div className="grid min-w-0 gap-10">
      {may('channels:manage') && <ChannelManager />}
      <ChannelPlaylistManager />
      <StreamManager />
    </div>
  )
}
