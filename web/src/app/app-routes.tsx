import { type ComponentType, isValidElement, type ReactNode, Suspense, useEffect, useState } from 'react'
import {
  createRoutesFromElements,
  matchRoutes,
  Navigate,
  Outlet,
  Route,
  type RouteObject,
  useLocation,
  useRoutes,
} from 'react-router-dom'
import { part } from '../lib/browser/part.tsx'
import { paths } from '../lib/paths.ts'
import { nextPageOf } from '../lib/session/next-page.ts'
import { useSession } from '../lib/session/session.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { LiveLayer, LivePage } from './live-layer.tsx'
import { OfflineNotice } from './offline-notice.tsx'

const loads = new WeakMap<object, () => Promise<unknown>>()

/** A page whose code is loaded when it is first shown, or when a link to it is pointed at or focused. */
function page(load: () => Promise<ComponentType>) {
  const Page = part(load, true)
  loads.set(Page, Page.preload)
  return Page
}

/** For a route that shows one of several pages: the page to load when a link to the route is pointed at or focused. */
const preloadsPage = (route: ComponentType, load: () => Promise<unknown>): void => void loads.set(route, load)

/** Like `Routes`, but loads the code of a page as soon as a link to it is pointed at or focused. */
function PageRoutes({ children }: { children: ReactNode }) {
  // The routes are constant, so those of the first render are kept.
  const [routes] = useState(() => createRoutesFromElements(children))
  useEffect(() => preloadOnIntent(routes), [routes])
  return useRoutes(routes)
}

const INTENT_EVENTS = ['pointerover', 'focusin', 'touchstart'] as const

function preloadOnIntent(routes: RouteObject[]): () => void {
  const onIntent = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
    if (!link || link.origin !== window.location.origin) return
    const element = matchRoutes(routes, link.pathname)?.at(-1)?.route.element
    const load = isValidElement(element) && typeof element.type !== 'string' && loads.get(element.type)
    // After a failure the code is requested again when the link is followed.
    if (load) load().catch(() => undefined)
  }
  for (const type of INTENT_EVENTS) document.addEventListener(type, onIntent, { passive: true })
  return () => {
    for (const type of INTENT_EVENTS) document.removeEventListener(type, onIntent)
  }
}

const AppHeader = page(async () => (await import('./app-header.tsx')).AppHeader)
const SignInPage = page(async () => (await import('../features/sign-in/sign-in-page.tsx')).SignInPage)
const ConfirmPage = page(async () => (await import('../features/sign-in/confirm-page.tsx')).ConfirmPage)
const CallbackPage = page(async () => (await import('../features/sign-in/callback-page.tsx')).CallbackPage)
const ResetPage = page(async () => (await import('../features/sign-in/reset-page.tsx')).ResetPage)
const HomePage = page(async () => (await import('./pages/home-page.tsx')).HomePage)
const SearchPage = page(async () => (await import('../features/search/search-page.tsx')).SearchPage)
const VideosPage = page(async () => (await import('./pages/videos-page.tsx')).VideosPage)
const AdminPage = page(async () => (await import('./admin/admin-page.tsx')).AdminPage)
const PageEditorPage = page(
  async () => (await import('../features/appearance/page-editor/page-editor-page.tsx')).PageEditorPage,
)
const SchedulePage = page(async () => (await import('../features/schedule/schedule-page.tsx')).SchedulePage)
const SubmissionsPage = page(
  async () => (await import('../features/submissions/submissions-page.tsx')).SubmissionsPage,
)
const TakeoverPage = page(async () => (await import('../features/takeover/takeover-page.tsx')).TakeoverPage)
const AuditPage = page(async () => (await import('../features/audit/audit-page.tsx')).AuditPage)
const ControlPage = page(async () => (await import('./admin/control-page.tsx')).ControlPage)
const MyProfilePage = page(async () => (await import('./pages/my-profile-page.tsx')).MyProfilePage)
const MemberPage = page(async () => (await import('./pages/public-member-page.tsx')).PublicMemberPage)
const PlaylistPage = page(async () => (await import('../features/playlists/playlist-page.tsx')).PlaylistPage)
const PlaylistPlayerPage = page(
  async () => (await import('../features/playlists/player/player-page.tsx')).PlayerPage,
)
const HistoryPage = page(async () => (await import('./pages/history-page.tsx')).HistoryPage)
const FirestickPage = page(async () => (await import('./pages/firestick-page.tsx')).FirestickPage)
const NotFoundPage = page(async () => (await import('./pages/not-found-page.tsx')).NotFoundPage)

preloadsPage(RootPage, HomePage.preload)
preloadsPage(LiveRoute, LivePage.preload)

/** All pages of the app by path. The code of each is loaded on demand. */
export function AppRoutes() {
  return (
    <Suspense fallback={<PageFallback />}>
      <PageRoutes>
        <Route path={paths.live()} element={<LiveRoute />} />
        <Route element={<WithoutHeader />}>
          <Route path={paths.confirm()} element={<ConfirmPage />} />
          <Route path={paths.callback()} element={<CallbackPage />} />
          <Route path={paths.reset()} element={<ResetPage />} />
        </Route>
        <Route element={<WithHeader />}>
          <Route path={paths.root()} element={<RootPage />} />
          <Route path={paths.home()} element={<RootPage />} />
          <Route path={paths.search()} element={<SearchPage />} />
          {/* One route for both, so that opening and closing a video keeps the list as it is. */}
          <Route path={`${paths.videos()}/:videoId?`} element={<VideosPage />} />
          <Route path={paths.admin()} element={<AdminPage />} />
          <Route path={paths.pageEditor()} element={<PageEditorPage />} />
          <Route path={paths.schedule()} element={<SchedulePage />} />
          <Route path={paths.submissions()} element={<SubmissionsPage />} />
          <Route path={paths.takeover()} element={<TakeoverPage />} />
          <Route path={paths.audit()} element={<AuditPage />} />
          <Route path={paths.control()} element={<ControlPage />} />
          <Route path={paths.members()} element={<MyProfilePage />} />
          <Route path={paths.member()} element={<MemberPage />} />
          <Route path={paths.playlist()} element={<PlaylistPage />} />
          <Route path={paths.playlistPlayer()} element={<PlaylistPlayerPage />} />
          <Route path={paths.history()} element={<HistoryPage />} />
          <Route path={paths.firestick()} element={<FirestickPage />} />
          <Route path="*" element={<NotFoundPage />} />
        </Route>
      </PageRoutes>
      <LiveLayer />
    </Suspense>
  )
}

/** Nothing: {@link LiveLayer} shows the live page. */
function LiveRoute() {
  return null
}

/** Home for signed-in users, the sign-in screen for visitors. */
function RootPage() {
  const { status } = useSession()
  const { search } = useLocation()
  if (status === 'unknown') return <PageFallback />
  if (status === 'signed-out') {
    return (
      <div className="grid min-h-[calc(100dvh-4rem-1px-var(--tab-bar))] *:[main]:min-h-0">
        <SignInPage />
      </div>
    )
  }
  const next = nextPageOf(search, window.location.origin)
  return next ? <Navigate to={next} replace /> : <HomePage />
}

/** The header loads in parallel with the page; its space is reserved until then. */
function Header() {
  return (
    <Suspense fallback={<div className="h-[calc(4rem+1px)] border-b border-line/60" />}>
      <AppHeader />
    </Suspense>
  )
}

function WithHeader() {
  const { pathname } = useLocation()
  return (
    <>
      <Header />
      <ErrorBoundary page={pathname}>
        <Suspense fallback={<PageFallback />}>
          <Outlet />
        </Suspense>
      </ErrorBoundary>
    </>
  )
}

function WithoutHeader() {
  return (
    <>
      <div className="fixed inset-x-0 top-0 z-30">
        <OfflineNotice />
      </div>
      <Outlet />
    </>
  )
}

function PageFallback() {
  return (
    <main className="grid min-h-[70dvh] place-items-center">
      <Spinner text="Loading..." className="text-muted" />
    </main>
  )
}
