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
import { loader } from '../lib/browser/loader.ts'
import { part } from '../lib/browser/part.tsx'
import { usePreload } from '../lib/browser/use-preload.ts'
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

const loadMorePages = loader(async () => (await import('./more-pages.ts')).MORE_PAGES)
/** An element that shows one of the pages of `more-pages.ts`. */
function more(name: keyof Awaited<ReturnType<typeof loadMorePages>>) {
  const Page = page(async () => (await loadMorePages(false))[name]())
  return <Page />
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
const HomePage = page(async () => (await import('./pages/home-page.tsx')).loadHomePage())
const VideosPage = page(async () => (await import('./pages/videos-page.tsx')).loadVideosPage())

preloadsPage(RootPage, () =>
  authClient.state().status === 'signed-out' ? SignInPage.preload() : HomePage.preload(),
)
preloadsPage(WithHeader, AppHeader.preload)
preloadsPage(LiveRoute, LivePage.preload)

const ROUTES = createRoutesFromElements(
  <>
    <Route path={paths.live()} element={<LiveRoute />} />
    <Route element={<WithoutHeader />}>
      <Route path={paths.confirm()} element={more('ConfirmPage')} />
      <Route path={paths.callback()} element={more('CallbackPage')} />
      <Route path={paths.reset()} element={more('ResetPage')} />
    </Route>
    <Route element={<WithHeader />}>
      <Route path={paths.root()} element={<RootPage />} />
      <Route path={paths.home()} element={<RootPage />} />
      <Route path={paths.search()} element={more('SearchPage')} />
      {/* One route for both, so that opening and closing a video keeps the list as it is. */}
      <Route path={`${paths.videos()}/:videoId?`} element={<VideosPage />} />
      <Route element={more('AdminFrame')}>
        <Route path={paths.admin()} element={more('AdminPage')} />
        <Route path={paths.pageEditor()} element={more('PageEditorPage')} />
        <Route path={`${paths.channels()}/:id?`} element={more('ChannelsPage')} />
        <Route path={paths.schedule()} element={more('SchedulePage')} />
        <Route path={paths.audit()} element={more('AuditPage')} />
        <Route path={paths.control()} element={more('ControlPage')} />
        <Route path={paths.moderation()} element={more('ModerationPage')} />
      </Route>
      <Route path={paths.submissions()} element={more('SubmissionsPage')} />
      <Route path={paths.takeover()} element={more('TakeoverPage')} />
      <Route element={more('ProfileFrame')}>
        <Route path={paths.members()} element={more('NamesPage')} />
        <Route path={paths.ownPlaylists()} element={more('OwnPlaylistsPage')} />
        <Route path={paths.ownSubmissions()} element={more('OwnSubmissionsPage')} />
        <Route path={paths.ownReminders()} element={more('OwnRemindersPage')} />
        <Route path={paths.signInSettings()} element={more('OwnSignInPage')} />
        <Route path={paths.devices()} element={more('OwnDevicesPage')} />
        <Route path={paths.ownData()} element={more('DataPage')} />
      </Route>
      <Route path={paths.member()} element={more('MemberPage')} />
      <Route path={paths.playlist()} element={more('PlaylistPage')} />
      <Route path={paths.playlistPlayer()} element={more('PlaylistPlayerPage')} />
      <Route path={paths.history()} element={more('HistoryPage')} />
      <Route path={`${paths.airing()}/:again?`} element={more('AiringPage')} />
      <Route path={paths.pair()} element={more('PairPage')} />
      <Route path={paths.remote()} element={more('RemotePage')} />
      <Route path={paths.firestick()} element={more('FirestickPage')} />
      <Route path="*" element={more('NotFoundPage')} />
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
  usePreload(loadMorePages)
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
