import { Link } from 'react-router-dom'
import { paths } from '../../lib/paths.ts'
import { Icon } from '../../ui/icon.tsx'
import { LiveBadge } from '../../ui/live-badge.tsx'
import { useOnAir } from './api.ts'

/** A link to the stream with its current programme. */
export function OnAirLink() {
  const { programme, isOffAir } = useOnAir()
  return (
    <Link
      to={paths.live()}
      className="lift flex min-h-12 w-fit max-w-full items-center gap-3 rounded-full border border-white/15 bg-black/65 py-2 pr-4 pl-3 font-semibold backdrop-blur-sm hover:bg-black/85"
    >
      {!isOffAir && <LiveBadge />}
      <span className="shrink-0">Watch Live TV</span>
      {programme && (
        <span className="min-w-0 truncate font-normal text-muted max-sm:hidden">
          <bdi>{programme.video.title}</bdi> – <bdi>{programme.video.artistName}</bdi>
        </span>
      )}
      {isOffAir && <span className="font-normal text-muted">Off the air</span>}
      <Icon name="forward" className="size-4 shrink-0" />
    </Link>
  )
}
