import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router-dom'
import { useSignInPath } from '../lib/next-page.ts'
import { useSession } from '../lib/session.tsx'
import { useBrand } from '../lib/use-config.ts'
import { buttonClass, IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Logo } from '../ui/logo.tsx'
import { HeaderSearch } from './header-search.tsx'
import { paths } from './paths.ts'

const loadMenu = async () => ({ default: (await import('./avatar-menu.tsx')).AvatarMenu })
const AvatarMenu = lazy(loadMenu)

/** On every page but the live one: logo, Live TV, search, and who is here. */
export function AppHeader() {
  const { status } = useSession()
  const { shortName } = useBrand()
  const signInPath = useSignInPath()
  return (
    <header className="sticky top-0 z-30 border-b border-line/60 bg-deep/85 backdrop-blur-md">
      <a
        href="#main"
        className="lrud-ignore sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-10 focus:rounded-md focus:bg-raised focus:px-4 focus:py-2"
      >
        Skip to content
      </a>
      <nav
        aria-label="Main"
        className="mx-auto flex h-16 max-w-[110rem] items-center gap-2 px-3 sm:gap-4 sm:px-6"
      >
        <Link to={paths.root()} className="lift rounded-md p-1.5">
          <Logo name={shortName} />
          <span className="sr-only"> home</span>
        </Link>
        <Link
          to={paths.live()}
          className={buttonClass(
            'plain',
            'bg-live text-on-live hover:brightness-110 sm:bg-transparent sm:text-text',
          )}
        >
          <Icon name="tv" className="hidden size-5 sm:block" />
          <span className="hidden sm:inline">Live TV</span>
          <span className="font-bold tracking-wider sm:hidden">LIVE</span>
        </Link>
        <HeaderSearch className="ml-auto w-full max-w-md" />
        {status === 'signed-in' && <MenuSlot />}
        {status === 'signed-out' && (
          <Link to={signInPath} className={buttonClass('quiet', 'shrink-0')}>
            Sign In
          </Link>
        )}
      </nav>
    </header>
  )
}

/** The menu's code comes when somebody is about to open it. */
function MenuSlot() {
  const [isWanted, setWanted] = useState(false)
  const button = (
    <IconButton
      icon="user"
      label="Account"
      tone="quiet"
      className="rounded-full"
      aria-haspopup="menu"
      onPointerEnter={() => void loadMenu()}
      onFocus={() => void loadMenu()}
      onClick={() => setWanted(true)}
    />
  )
  if (!isWanted) return button
  return (
    <Suspense fallback={button}>
      <AvatarMenu />
    </Suspense>
  )
}
