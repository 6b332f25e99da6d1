import { StreamManager } from '../stream/stream-manager.tsx'
import { ChannelManager } from './channel-manager.tsx'
import { ChannelPlaylistManager } from './channel-playlist-manager.tsx'

/** The section "Channel Manager": the channels, what they play, and whether they are on the air. */
export function ChannelsSection() {
  return (
    <div className="grid min-w-0 gap-10">
      <ChannelManager />
      <ChannelPlaylistManager />
      <StreamManager />
    </div>
  )
}
