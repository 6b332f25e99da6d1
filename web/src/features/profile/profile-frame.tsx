import type { Me } from '@looptide/contracts/http/users'
import { type ReactNode, Suspense, useEffect, useRef } from 'react'
import { Link, NavLink, Outlet, useLocation, useOutletContext } from 'react-router-dom'
import { useConfig } from '../../lib/api/use-config.ts'
import { usePageTitle } from '../../lib/browser/use-page-title.ts'
import { paths } from '../../lib/paths.ts'
import { useSignInPath } from '../../lib/session/next-page.ts'
import { useSession } from '../../lib/session/session.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { EmptyNotice, ErrorNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { hasStoredDraft } from './use-draft.ts'

/** The user whose profile is open, for its pages. */
export const useProfileUser = (): Me => useOutletContext<Me>()

/** The frame of all pages of the profile: the list of the pages, and beside it the open one. */
export function ProfileFrame() {
  const { status, me, isRoleLoading, retry } = useSession()
  if (status === 'signed-out') return <SignedOut />
  if (!me && status === 'signed-in' && !isRoleLoading) {
    return (
      <Alone>
        <ErrorNotice text="Your profile could not be loaded." onRetry={() => void retry()} />
      </Alone>
    )
  }
  return (
    <div className="mx-auto grid max-w-5xl grid-cols-[minmax(0,1fr)] items-start gap-x-14 px-4 sm:px-6 lg:grid-cols-[12rem_minmax(0,1fr)] lg:py-12">
      {me ? <PageList hasAccount={me.email !== null} /> : <Skeleton className="my-3 h-11 lg:my-0 lg:h-72" />}
      <main
        id="main"
        className="grid max-w-2xl grid-cols-[minmax(0,1fr)] content-start gap-8 pt-5 pb-10 lg:py-0"
      >
        {me ? (
          <Suspense fallback={<Waiting />}>
            <Outlet key={me.id} context={me} />
          </Suspense>
        ) : (
          <Waiting />
        )}
      </main>
    </div>
  )
}

interface ListedPage {
  title: string
  path: string
  /** Anonymous users have nothing there. */
  needsAccount?: true
  /** Only where audience runs. */
  needsRequests?: true
}

const PAGES: readonly ListedPage[] = [
  { title: 'Profile', path: paths.members() },
  { title: 'Playlists', path: paths.ownPlaylists() },
  { title: 'Submissions', path: paths.ownSubmissions(), needsAccount: true },
  { title: 'Reminders', path: paths.ownReminders(), needsRequests: true },
  { title: 'Sign-in', path: paths.signInSettings(), needsAccount: true },
  { title: 'Devices', path: paths.devices() },
  { title: 'Your data', path: paths.ownData() },
]

/** Links to the pages. On narrow windows one line that scrolls horizontally, with the open page in view. */
function PageList({ hasAccount }: { hasAccount: boolean }) {
  const { pathname } = useLocation()
  const { requests } = useConfig()
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    nav.current
      ?.querySelector(`[href="${CSS.escape(pathname)}"]`)
      ?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [pathname])
  return (
    <nav
      ref={nav}
      aria-label="My Profile"
      className="-mx-4 flex gap-1 overflow-x-auto border-b border-line/60 px-4 py-2 scrollbar-none sm:-mx-6 sm:px-6 lg:sticky lg:top-28 lg:mx-0 lg:flex-col lg:overflow-visible lg:border-0 lg:p-0"
    >
      {PAGES.filter(
        ({ needsAccount, needsRequests }) => (hasAccount || !needsAccount) && (requests || !needsRequests),
      ).map(({ title, path }) => (
        <NavLink
          key={path}
          to={path}
          end
          className={({ isActive }) =>
            classNames(
              'lift flex min-h-11 shrink-0 items-center rounded-md px-3 text-sm font-medium hover:bg-raised hover:text-text',
              isActive ? 'bg-raised text-text' : 'text-muted',
            )
          }
        >
          {title}
        </NavLink>
      ))}
    </nav>
  )
}

/** One page of the profile. `title` is its heading, and with the name of the profile its title in the browser. */
export function ProfilePage(props: { title: string; text: string; action?: ReactNode; children: ReactNode }) {
  const { title, text, action, children } = props
  usePageTitle(title === MY_PROFILE ? title : `${title} · ${MY_PROFILE}`)
  return (
    <>
      <header className="flex flex-wrap items-start gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <h1 className="text-2xl font-semibold">{title}</h1>
          <p className="mt-1 text-muted">{text}</p>
        </div>
        {action}
      </header>
      {children}
    </>
  )
}

export const MY_PROFILE = 'My Profile'

function Waiting() {
  return (
    <>
      <h1 className="sr-only">{MY_PROFILE}</h1>
      <div className="grid gap-2">
        <Skeleton className="h-8 w-48" />
        <Skeleton className="h-5 w-72 max-w-full" />
      </div>
      <Skeleton className="h-72" />
    </>
  )
}

function SignedOut() {
  const signInPath = useSignInPath()
  return (
    <Alone>
      <EmptyNotice title="Sign in to see your profile">
        {hasStoredDraft() && <p>Your changes are saved until then.</p>}
        <Link to={signInPath} className={buttonClass('primary')}>
          Sign In
        </Link>
      </EmptyNotice>
    </Alone>
  )
}

/** A notice instead of the pages. */
function Alone({ children }: { children: ReactNode }) {
  usePageTitle(MY_PROFILE)
  return (
    <main id="main" className="mx-auto grid max-w-5xl gap-8 px-4 py-8 sm:px-6 lg:py-12">
      <h1 className="text-2xl font-semibold">{MY_PROFILE}</h1>
      {children}
    </main>
  )
}
