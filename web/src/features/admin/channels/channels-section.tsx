import { StreamManager } from '../stream/stream-manager.tsx'
import { ChannelManager } from './channel-manager.tsx'
import { ChannelPlaylistManager } from './channel-playlist-manager.tsx'

/** The "Channel Manager" section: channels, their playlists and their streams. */
export function ChannelsSection() {
  return (
    <div className="grid min-w-0 gap-10">
      <ChannelManager />
      <ChannelPlaylistManager />
      <StreamManager />
    </div>
  )
}
