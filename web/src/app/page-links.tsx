import { Link, NavLink } from 'react-router-dom'
import { paths } from '../lib/paths.ts'
import { useSession } from '../lib/session/session.tsx'
import { buttonClass } from '../ui/button.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'

interface PageLink {
  text: string
  path: string
  icon: IconName
  /** Whether the page needs a session. */
  isOwn?: boolean
}

const LINKS: readonly PageLink[] = [
  { text: 'Home', path: paths.root(), icon: 'home' },
  { text: 'Live TV', path: paths.live(), icon: 'tv' },
  { text: 'Library', path: paths.videos(), icon: 'library' },
  { text: 'My Lists', path: paths.playlistPlayer({ tab: 'playlists' }), icon: 'list', isOwn: true },
  { text: 'What was on', path: paths.history(), icon: 'clock' },
]

function useLinks(): readonly PageLink[] {
  const { status } = useSession()
  return LINKS.filter(({ isOwn }) => !isOwn || status === 'signed-in')
}

/** The station's pages in the header. On narrow windows a red LIVE button, because {@link TabBar} has the pages. */
export function PageLinks() {
  const links = useLinks()
  return (
    <>
      <Link
        to={paths.live()}
        className={buttonClass('plain', 'shrink-0 bg-live hover:brightness-110 lg:hidden')}
      >
        <span className="font-bold tracking-wider text-on-live">LIVE</span>
      </Link>
      <span className="hidden shrink-0 lg:flex">
        {links.map(({ text, path }) => (
          <NavLink
            key={path}
            to={path}
            className={buttonClass(
              'plain',
              'px-3 aria-[current]:text-text aria-[current]:underline aria-[current]:decoration-2 aria-[current]:underline-offset-8',
            )}
          >
            {text}
          </NavLink>
        ))}
      </span>
    </>
  )
}

/** The station's pages at the bottom of narrow windows; in windows of little height, below the header. */
export function TabBar() {
  const links = useLinks()
  return (
    <nav
      aria-label="Pages"
      data-tab-bar
      className="z-30 flex border-line/60 bg-deep pb-[env(safe-area-inset-bottom)] lg:hidden tall:fixed tall:inset-x-0 tall:bottom-0 tall:border-t"
    >
      {links.map(({ text, path, icon }) => (
        <NavLink
          key={path}
          to={path}
          className="grid h-14 min-w-0 flex-auto content-center justify-items-center gap-0.5 px-0.5 text-center text-xs leading-tight text-muted -outline-offset-3! aria-[current]:text-text"
        >
          <Icon name={icon} className="size-5" />
          {text}
        </NavLink>
      ))}
    </nav>
  )
}
