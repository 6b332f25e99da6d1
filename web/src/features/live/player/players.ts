import { Html5Player } from './html5-player.ts'
import type { PlayerFactory, PlayerKind } from './player.ts'
import { YouTubePlayer } from './youtube-player.ts'

/** The factories of both players. `youtubeBaseUrl` is the origin of the IFrame API, without a trailing slash. */
export function playerFactories(youtubeBaseUrl: string): Record<PlayerKind, PlayerFactory> {
  return {
    html5: (host, listener) => new Html5Player(host, listener),
    youtube: (host, listener) => new YouTubePlayer(host, listener, youtubeBaseUrl),
  }
}
