import { type PageOf, requestOf } from '@looptide/contracts/client'
import type { NowState } from '@looptide/contracts/http/channels'
import type { Video } from '@looptide/contracts/http/videos'
import type { WebConfig } from '@looptide/contracts/realtime'
import { HOME_CALL } from '../features/home/home-call.ts'
import { listInput, readListQuery } from '../features/videos/list-query.ts'
import { requestEarly } from '../lib/api/early-answers.ts'
import { heroPictureUrls } from '../lib/browser/hero-picture-urls.ts'
import { paths } from '../lib/paths.ts'
import { mayBeSignedIn } from '../lib/session/stored-session.ts'

// A small script of its own, which runs while the app is being loaded: it requests what the page will show first.
// `vite.config.ts` builds it without the app's chunks, because it must not wait for them.

/** The JSON in a data block that the gateway has written into the page; undefined without it, as in development. */
function readBlock<T>(id: string): T | undefined {
  const text = document.getElementById(id)?.textContent
  return text ? (JSON.parse(text) as T) : undefined
}

/** Preloads the code of the view that this browser will show at the path, which the server does not know. */
function preloadView(isSignedIn: boolean): void {
  const files = readBlock<{ signedIn?: string[]; signedOut?: string[] }>('page-files')
  for (const href of (isSignedIn ? files?.signedIn : files?.signedOut) ?? []) {
    const link = document.createElement('link')
    link.rel = href.endsWith('.css') ? 'stylesheet' : 'modulepreload'
    link.crossOrigin = ''
    link.href = href
    document.head.append(link)
  }
}

/** Loads the largest picture of the first view. By default, browsers let pictures wait for the scripts. */
function loadPicture(url: string): void {
  const picture = new Image()
  picture.fetchPriority = 'high'
  picture.src = url
}

/** Requests the home page, what is on the air, and the picture of its first highlight. */
async function loadHome(): Promise<void> {
  void requestEarly(requestOf(...HOME_CALL).url)
  const id = readBlock<WebConfig>('station-config')?.defaultChannelId
  if (id === undefined) return
  const response = await requestEarly(requestOf('GET /api/channels/:id/now', { params: { id } }).url)
  const { programmes } = (await response.clone().json()) as NowState
  const onAir = programmes.find((programme) => programme.kind === 'video')
  const [url] = heroPictureUrls(onAir?.video.thumbnailUrl ?? null)
  if (url) loadPicture(url)
}

/** Requests the list of All Videos, and the picture of its first tile. */
async function loadVideos(parameters: URLSearchParams): Promise<void> {
  const { url } = requestOf('GET /api/videos', listInput(readListQuery(parameters)))
  const response = await requestEarly(url)
  const { items } = (await response.clone().json()) as PageOf<Video>
  if (items[0]?.thumbnailUrl) loadPicture(items[0].thumbnailUrl)
}

function start(): void {
  const { pathname, search } = window.location
  const parameters = new URLSearchParams(search)
  const isSignedIn = mayBeSignedIn()
  preloadView(isSignedIn)
  // A failure is the app's to report: it takes the same response, or sends the request again.
  if (pathname === paths.live()) {
    const id = parameters.get('channel') ?? readBlock<WebConfig>('station-config')?.defaultChannelId
    if (id) void requestEarly(requestOf('GET /api/channels/:id/now', { params: { id } }).url)
  } else if (pathname === paths.videos()) {
    loadVideos(parameters).catch(() => undefined)
  } else if (isSignedIn && search === '' && (pathname === paths.root() || pathname === paths.home())) {
    loadHome().catch(() => undefined)
  }
}

start()
