import { type ComponentType, isValidElement, Suspense, useEffect } from 'react'
import {
  createRoutesFromElements,
  matchRoutes,
  Navigate,
  Outlet,
  Route,
  useLocation,
  useRoutes,
} from 'react-router-dom'
import { part } from '../lib/browser/part.tsx'
import { authClient } from '../lib/clients.ts'
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

const INTENT_EVENTS = ['pointerover', 'focusin', 'touchstart'] as const

/** Loads the code of a page as soon as a link to it is pointed at or focused. */
function preloadOnIntent(): () => void {
  const onIntent = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
    if (link && link.origin === window.location.origin) void preloadPage(link.pathname)
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
const HomePage = page(async () => (await import('./pages/home-page.tsx')).loadHomePage())
const SearchPage = page(async () => (await import('../features/search/search-page.tsx')).SearchPage)
const VideosPage = page(async () => (await import('./pages/videos-page.tsx')).loadVideosPage())
const AdminFrame = page(async () => (await import('./admin/admin-frame.tsx')).AdminFrame)
const AdminPage = page(async () => (await import('./admin/admin-page.tsx')).AdminPage)
const PageEditorPage = page(
  async () => (await import('../features/appearance/page-editor/page-editor-page.tsx')).PageEditorPage,
)
const SchedulePage = page(async () => (await import('../features/schedule/schedule-page.tsx')).SchedulePage)
const ChannelsPage = page(async () => (await import('./admin/channels-page.tsx')).ChannelsPage)
const SubmissionsPage = page(
  async () => (await import('../features/submissions/submissions-page.tsx')).SubmissionsPage,
)
const TakeoverPage = page(async () => (await import('../features/takeover/takeover-page.tsx')).TakeoverPage)
const AuditPage = page(async () => (await import('../features/audit/audit-page.tsx')).AuditPage)
const ControlPage = page(async () => (await import('./admin/control-page.tsx')).ControlPage)
const ProfileFrame = page(async () => (await import('../features/profile/profile-frame.tsx')).ProfileFrame)
const NamesPage = page(async () => (await import('../features/profile/names-page.tsx')).NamesPage)
const OwnPlaylistsPage = page(
  async () => (await import('./pages/profile/playlists-page.tsx')).OwnPlaylistsPage,
)
const OwnSubmissionsPage = page(
  async () => (await import('../features/profile/own-submissions-page.tsx')).OwnSubmissionsPage,
)
const OwnSignInPage = page(async () => (await import('./pages/profile/sign-in-page.tsx')).OwnSignInPage)
const OwnDevicesPage = page(async () => (await import('./pages/profile/devices-page.tsx')).OwnDevicesPage)
const DataPage = page(async () => (await import('../features/profile/data-page.tsx')).DataPage)
const MemberPage = page(async () => (await import('./pages/public-member-page.tsx')).PublicMemberPage)
const PlaylistPage = page(async () => (await import('../features/playlists/playlist-page.tsx')).PlaylistPage)
const PlaylistPlayerPage = page(
  async () => (await import('../features/playlists/player/player-page.tsx')).PlayerPage,
)
const HistoryPage = page(async () => (await import('./pages/history-page.tsx')).HistoryPage)
const FirestickPage = page(async () => (await import('./pages/firestick-page.tsx')).FirestickPage)
const PairPage = page(async () => (await import('../features/pair/pair-page.tsx')).PairPage)
const RemotePage = page(async () => (await import('../features/remote/remote-page.tsx')).RemotePage)
const NotFoundPage = page(async () => (await import('./pages/not-found-page.tsx')).NotFoundPage)

preloadsPage(RootPage, () =>
  authClient.state().status === 'signed-out' ? SignInPage.preload() : HomePage.preload(),
)
preloadsPage(WithHeader, AppHeader.preload)
preloadsPage(LiveRoute, LivePage.preload)

const ROUTES = createRoutesFromElements(
  <>
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
      <Route element={<AdminFrame />}>
        <Route path={paths.admin()} element={<AdminPage />} />
        <Route path={paths.pageEditor()} element={<PageEditorPage />} />
        <Route path={`${paths.channels()}/:id?`} element={<ChannelsPage />} />
        <Route path={paths.schedule()} element={<SchedulePage />} />
        <Route path={paths.audit()} element={<AuditPage />} />
        <Route path={paths.control()} element={<ControlPage />} />
      </Route>
      <Route path={paths.submissions()} element={<SubmissionsPage />} />
      <Route path={paths.takeover()} element={<TakeoverPage />} />
      <Route element={<ProfileFrame />}>
        <Route path={paths.members()} element={<NamesPage />} />
        <Route path={paths.ownPlaylists()} element={<OwnPlaylistsPage />} />
        <Route path={paths.ownSubmissions()} element={<OwnSubmissionsPage />} />
        <Route path={paths.signInSettings()} element={<OwnSignInPage />} />
        <Route path={paths.devices()} element={<OwnDevicesPage />} />
        <Route path={paths.ownData()} element={<DataPage />} />
      </Route>
      <Route path={paths.member()} element={<MemberPage />} />
      <Route path={paths.playlist()} element={<PlaylistPage />} />
      <Route path={paths.playlistPlayer()} element={<PlaylistPlayerPage />} />
      <Route path={paths.history()} element={<HistoryPage />} />
      <Route path={paths.pair()} element={<PairPage />} />
      <Route path={paths.remote()} element={<RemotePage />} />
      <Route path={paths.firestick()} element={<FirestickPage />} />
      <Route path="*" element={<NotFoundPage />} />
    </Route>
  </>,
)

/**
 * Loads the code of the page at a path, with its header. Resolves also after a failure: the code is requested again when
 * the page is shown.
 */
export async function preloadPage(path: string): Promise<void> {
  const loading = (matchRoutes(ROUTES, path) ?? []).map(async ({ route: { element } }) => {
    if (isValidElement(element) && typeof element.type !== 'string') await loads.get(element.type)?.()
  })
  await Promise.allSettled(loading)
}

/** All pages of the app by path. The code of each is loaded on demand, that of the first before the first render. */
export function AppRoutes() {
  useEffect(preloadOnIntent, [])
  const page = useRoutes(ROUTES)
  return (
    <Suspense fallback={<PageFallback />}>
      {page}
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
