import type { Playlist } from '@looptide/contracts/http/playlists'
import { countText } from '../../lib/count-text.ts'

/** The badges of a playlist: Shuffle, "Loop {mode}", Public (docs/product/admin.md §2). */
export function PlaylistBadges({ playlist }: { playlist: Playlist }) {
  const badges = [
    playlist.shuffleMode && 'Shuffle',
    playlist.loopMode !== 'off' && `Loop ${playlist.loopMode}`,
    playlist.isPublic && 'Public',
  ].filter((badge) => badge !== false)
  if (badges.length === 0) return null
  return (
    <span className="flex flex-wrap gap-1.5">
      {badges.map((badge) => (
        <span
          key={badge}
          className="rounded-sm border border-line px-1.5 py-0.5 text-xs font-medium text-muted"
        >
          {badge}
        </span>
      ))}
    </span>
  )
}

/** A number of videos as a text. */
export const videoCount = (count: number): string => countText(count, 'video')
