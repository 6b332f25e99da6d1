import type { UnplayableVideo } from '@looptide/contracts/http/simulation'

const REASONS: Record<UnplayableVideo['reason'], string> = {
  removed: 'no longer in the library',
  quarantined: 'viewers could not play it',
  unavailable: 'no longer on YouTube',
  unsupported: 'unsupported URL',
}

/** Videos of the playlist that cannot be played, with the reasons. */
export function UnplayableList({ videos, count }: { videos: readonly UnplayableVideo[]; count: number }) {
  if (count === 0) return null
  return (
    <details className="text-sm">
      <summary className="cursor-pointer font-semibold">
        ⚠ {count} {count === 1 ? 'video' : 'videos'} cannot be played
      </summary>
      <ul aria-label="Videos that cannot be played" className="mt-2 grid max-h-48 gap-1 overflow-y-auto">
        {videos.map(({ videoId, title, reason }) => (
          <li key={videoId} className="break-words text-muted">
            <span className="text-text">{title}</span>: {REASONS[reason]}
          </li>
        ))}
      </ul>
    </details>
  )
}
