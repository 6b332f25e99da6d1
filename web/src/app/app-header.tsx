import { Suspense, useState } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { useBrand } from '../lib/api/use-config.ts'
import { part } from '../lib/browser/part.tsx'
import { PartBoundary } from '../lib/browser/part-boundary.tsx'
import { usePreload } from '../lib/browser/use-preload.ts'
import { paths } from '../lib/paths.ts'
import { useSignInPath } from '../lib/session/next-page.ts'
import { useSession } from '../lib/session/session.tsx'
import { useStationPictures } from '../lib/station-pictures.ts'
import { buttonClass } from '../ui/button.tsx'
import { Logo } from '../ui/logo.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { AccountButton } from './account-button.tsx'
import { HeaderSearch } from './header-search.tsx'
import { OfflineNotice } from './offline-notice.tsx'
import { PageLinks, TabBar } from './page-links.tsx'

const AvatarMenu = part(async () => (await import('./avatar-menu.tsx')).AvatarMenu)

/** The navigation of every page except the live page: logo, pages, search and account. */
export function AppHeader() {
  const { shortName } = useBrand()
  const { logoUrl } = useStationPictures()
  return (
    <>
      <header className="sticky top-0 z-30 border-b border-line/60 bg-deep/85 backdrop-blur-md">
        <a
          href="#main"
          className="lrud-ignore sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-20 focus:rounded-md focus:bg-raised focus:px-4 focus:py-2"
        >
          Skip to content
        </a>
        <nav
          aria-label="Main"
          className="mx-auto flex h-16 max-w-[110rem] items-center gap-2 px-3 sm:gap-4 sm:px-6"
        >
          <Link to={paths.root()} className="lift shrink-0 rounded-md p-1.5">
            <Logo name={shortName} imageUrl={logoUrl} />
            <span className="sr-only"> home</span>
          </Link>
          <PageLinks />
          <HeaderSearch />
          <AccountArea />
        </nav>
        <OfflineNotice />
      </header>
      <TabBar />
    </>
  )
}

/** The account menu, or a sign-in link; nothing on the sign-in screen itself. */
function AccountArea() {
  const { status } = useSession()
  const signInPath = useSignInPath()
  const { pathname } = useLocation()
  if (status === 'signed-in') return <LazyAccountMenu />
  if (status === 'unknown') return <Skeleton className="size-11 shrink-0 rounded-full" />
  if (pathname === paths.root() || pathname === paths.home()) return null
  return (
    <Link to={signInPath} className={buttonClass('quiet', 'shrink-0')}>
      Sign In
    </Link>
  )
}

/** Loads the menu's code after the page, or when the button is pressed. */
function LazyAccountMenu() {
  const [isRequested, setRequested] = useState(false)
  usePreload(AvatarMenu.preload)
  const button = <AccountButton onClick={() => setRequested(true)} />
  if (!isRequested) return button
  return (
    <PartBoundary onFailure={() => setRequested(false)}>
      <Suspense fallback={button}>
        <AvatarMenu />
      </Suspense>
    </PartBoundary>
  )
}
