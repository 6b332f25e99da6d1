import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'
import { fileURLToPath } from 'node:url'
import sendFile from '@fastify/send'
import type { Answer } from './answer.ts'
import { apiError, listVideos, quotaExceeded, refuseKey } from './data-api.ts'
import { type FakeIframeApiOptions, iframeApiScript } from './iframe-api.ts'
import { type FakePlaylist, listChannels, listPlaylistItems, listPlaylists } from './playlist-items.ts'
import { type FakeVideo, FakeVideos } from './videos.ts'
import { watchPage } from './watch-page.ts'

type DataEndpoint = 'videosList' | 'playlistItems' | 'playlists' | 'channels'
type Endpoint = DataEndpoint | 'oembed' | 'watch' | 'iframeApi'

export interface FakeYoutube {
  /** `http://127.0.0.1:port`: base URL of both the API and the site. */
  url: string
  /** Number of requests per endpoint, including refused ones. */
  calls: Record<Endpoint, number>
  /** How often each video was requested from `videos.list`. */
  lookUps: ReadonlyMap<string, number>
  /** Changes a video; omitted fields keep their values. */
  set(id: string, facts: Partial<Omit<FakeVideo, 'id'>>): void
  /** A public playlist of these videos, by default with its id as title; of a channel, its uploads. */
  setPlaylist(id: string, youtubeIds: readonly string[], facts?: Partial<FakePlaylist>): void
  /** Removes a playlist, or makes it private, which has the same effect. */
  removePlaylist(id: string): void
  /** The next `n` requests are refused with this status. */
  failNext(n: number, status: number): void
  /** Number of calls to the Data API until the quota is exceeded; `null` for no limit. */
  setQuota(calls: number | null): void
  stop(): Promise<void>
}

interface Options {
  videos?: Record<string, Partial<Omit<FakeVideo, 'id'>>>
  quota?: number
  /** Without `media`, every video plays a clip of ten minutes. */
  iframe?: Omit<FakeIframeApiOptions, 'media'> & Partial<Pick<FakeIframeApiOptions, 'media'>>
  port?: number
}

interface State {
  videos: FakeVideos
  playlists: Map<string, FakePlaylist>
  calls: FakeYoutube['calls']
  lookUps: Map<string, number>
  failures: number[]
  quota: number | null
  iframe: FakeIframeApiOptions
}

/**
 * A fake YouTube over HTTP: `videos.list`, `playlistItems.list`, `playlists.list` and `channels.list` of
 * the Data API, oEmbed, watch pages and the IFrame API, with their errors. Any 11-character id is a video. Other processes can control it: `POST /__control` with
 * `{set: {id, …}}`, `{setPlaylist: {id, youtubeIds, …}}`, `{failNext: {n, status}}` or `{quota}`; `GET /__control` returns the calls.
 */
export async function startFakeYoutube(options: Options = {}): Promise<FakeYoutube> {
  const state: State = {
    videos: new FakeVideos(),
    playlists: new Map(),
    calls: { videosList: 0, playlistItems: 0, playlists: 0, channels: 0, oembed: 0, watch: 0, iframeApi: 0 },
    lookUps: new Map(),
    failures: [],
    quota: options.quota ?? null,
    iframe: { media: {}, ...(options.iframe ?? DEFAULT_IFRAME) },
  }
  for (const [id, facts] of Object.entries(options.videos ?? {})) state.videos.set(id, facts)
  const failNext = (n: number, status: number): void => {
    state.failures.push(...Array.from({ length: n }, () => status))
  }
  const server = createServer((request, response) => {
    if (request.url === CLIP) void sendClip(request, response)
    else void handle(state, failNext, request).then((answer) => send(response, answer))
  })
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  state.iframe.media = { '*': url + CLIP, ...state.iframe.media }
  return {
    url,
    calls: state.calls,
    lookUps: state.lookUps,
    set: (id, facts) => state.videos.set(id, facts),
    setPlaylist: (id, youtubeIds, facts) =>
      void state.playlists.set(id, { title: id, ...state.playlists.get(id), ...facts, youtubeIds }),
    removePlaylist: (id) => void state.playlists.delete(id),
    failNext,
    setQuota: (calls) => {
      state.quota = calls
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function handle(
  state: State,
  failNext: FakeYoutube['failNext'],
  request: IncomingMessage,
): Promise<Answer> {
  const url = new URL(request.url ?? '/', 'http://fake')
  if (url.pathname === '/__control') return control(state, failNext, request)
  const endpoint = ENDPOINTS[url.pathname]
  if (endpoint === undefined) return { status: 404, text: 'Not Found' }
  state.calls[endpoint] += 1
  const failure = state.failures.shift()
  if (failure !== undefined) return refusal(failure)
  if (isDataEndpoint(endpoint)) {
    if (state.quota !== null && state.quota-- <= 0) {
      state.quota = 0
      return quotaExceeded()
    }
    return (
      refuseKey(url.searchParams) ??
      dataApi(endpoint, url.searchParams, state, request.headers['if-none-match'])
    )
  }
  if (endpoint === 'oembed') return oembed(url.searchParams, state.videos)
  if (endpoint === 'watch') return watchPage(url.searchParams, state.videos)
  return { status: 200, script: iframeApiScript(state.iframe) }
}

const DATA_ENDPOINTS: readonly string[] = ['videosList', 'playlistItems', 'playlists', 'channels']
const isDataEndpoint = (endpoint: Endpoint): endpoint is DataEndpoint => DATA_ENDPOINTS.includes(endpoint)

function dataApi(
  endpoint: DataEndpoint,
  query: URLSearchParams,
  { videos, playlists, lookUps }: Pick<State, 'videos' | 'playlists' | 'lookUps'>,
  ifNoneMatch: string | undefined,
): Answer {
  switch (endpoint) {
    case 'videosList':
      for (const id of query.get('id')?.split(',') ?? []) lookUps.set(id, (lookUps.get(id) ?? 0) + 1)
      return listVideos(query, videos)
    case 'playlistItems':
      return listPlaylistItems(query, { playlists, videos, ifNoneMatch })
    case 'playlists':
      return listPlaylists(query, playlists)
    case 'channels':
      return listChannels(query, playlists)
  }
}

const MEDIA_DIR = fileURLToPath(new URL('../../media', import.meta.url))
const CLIP = '/ten-minutes.mp4'
/** The clip is shorter than the videos of the tests: on a station that has run for a while it would be over at once. */
const DEFAULT_IFRAME: FakeIframeApiOptions = { media: { '*': '/test-card/colour-bars.mp4' }, repeats: true }

/** Supports range requests, which browsers need for seeking. */
async function sendClip(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { statusCode, headers, stream } = await sendFile(request, CLIP, { root: MEDIA_DIR })
  response.writeHead(statusCode, headers)
  // A browser may abort the request. That is not an error, but the file must be closed.
  pipeline(stream, response, () => {})
}

const ENDPOINTS: Record<string, Endpoint> = {
  '/youtube/v3/videos': 'videosList',
  '/youtube/v3/playlistItems': 'playlistItems',
  '/youtube/v3/playlists': 'playlists',
  '/youtube/v3/channels': 'channels',
  '/oembed': 'oembed',
  '/watch': 'watch',
  '/iframe_api': 'iframeApi',
}

function refusal(status: number): Answer {
  if (status === 403) return quotaExceeded()
  const answer = apiError(status, status === 429 ? 'rateLimitExceeded' : 'backendError', 'Try again later.')
  return status === 429 ? { ...answer, headers: { 'retry-after': '1' } } : answer
}

async function control(
  state: State,
  failNext: FakeYoutube['failNext'],
  request: IncomingMessage,
): Promise<Answer> {
  if (request.method !== 'POST') return { status: 200, json: { calls: state.calls } }
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const command = JSON.parse(Buffer.concat(chunks).toString()) as {
    set?: Partial<FakeVideo> & { id: string }
    setPlaylist?: FakePlaylist & { id: string }
    failNext?: { n: number; status: number }
    quota?: number | null
  }
  if (command.set !== undefined) state.videos.set(command.set.id, command.set)
  if (command.setPlaylist !== undefined) state.playlists.set(command.setPlaylist.id, command.setPlaylist)
  if (command.failNext !== undefined) failNext(command.failNext.n, command.failNext.status)
  if (command.quota !== undefined) state.quota = command.quota
  return { status: 200, json: { calls: state.calls } }
}

function send(response: ServerResponse, answer: Answer): void {
  const [type, body] =
    'json' in answer
      ? ['application/json; charset=UTF-8', JSON.stringify(answer.json)]
      : 'html' in answer
        ? ['text/html; charset=utf-8', answer.html]
        : 'script' in answer
          ? ['text/javascript; charset=utf-8', answer.script]
          : ['text/plain', answer.text]
  response.writeHead(answer.status, { 'content-type': type, ...answer.headers }).end(body)
}

/** `GET /oembed`: 401 if embedding is disabled, 403 for a private video, 404 for a removed one, 400 for an invalid URL. */
function oembed(query: URLSearchParams, videos: FakeVideos): Answer {
  const url = URL.parse(query.get('url') ?? '')
  const video = videos.get(url?.searchParams.get('v') ?? '')
  if (video === undefined) return { status: 400, text: 'Bad Request' }
  if (video.state === 'removed') return { status: 404, text: 'Not Found' }
  if (video.state === 'private') return { status: 403, text: 'Forbidden' }
  if (video.state === 'unembeddable') return { status: 401, text: 'Unauthorized' }
  return {
    status: 200,
    json: {
      title: video.title,
      author_name: video.channel,
      author_url: 'https://www.youtube.com/@fake',
      type: 'video',
      height: 113,
      width: 200,
      version: '1.0',
      provider_name: 'YouTube',
      provider_url: 'https://www.youtube.com/',
      thumbnail_height: 360,
      thumbnail_width: 480,
      thumbnail_url: `https://i.ytimg.com/vi/${video.id}/hqdefault.jpg`,
      html: `<iframe width="200" height="113" src="https://www.youtube.com/embed/${video.id}?feature=oembed"></iframe>`,
    },
  }
}
