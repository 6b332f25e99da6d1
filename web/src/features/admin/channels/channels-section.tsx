import { useSession } from '../../../lib/session/session.tsx'
import { StreamManager } from '../stream/stream-manager.tsx'
import { ChannelManager } from './channel-manager.tsx'
import { ChannelPlaylistManager } from './channel-playlist-manager.tsx'

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
