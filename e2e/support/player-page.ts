import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type FakeIframeApiOptions, iframeApiScript } from '@looptide/testkit/fake-youtube/iframe-api'
import type { LiveProgramme } from '../../web/src/features/live/player/live-state.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Serves the page's modules: the TypeScript sources with their types stripped, at their paths in the repository. */
const MODULES = [
  { prefix: '/web/src/', folder: 'web/src', suffix: '' },
  { prefix: '/playhead/', folder: 'packages/playhead/src', suffix: '.ts' },
] as const

const HLS_MODULE = 'web/node_modules/hls.js/dist/hls.mjs'

const PAGE = `<!doctype html><meta charset="utf-8"><title>Player</title>
<style>body{margin:0;background:#000}#picture{position:relative;width:640px;height:360px}</style>
<script type="importmap">{"imports":{"@looptide/playhead/":"/playhead/","hls.js":"/hls.js"}}</script>
<div id="picture"></div><button id="tune-in">Tune in</button>
<script type="module">
  import { LiveSession } from '/web/src/features/live/player/live-session.ts'
  import { playerFactories } from '/web/src/features/live/player/players.ts'
  import { writeSessionAttributes } from '/web/src/features/live/player/session-attributes.ts'
  const calls = { needed: 0, unplayable: [], unreachable: [], durations: [] }
  const session = new LiveSession({
    serverNowMs: () => performance.timeOrigin + performance.now(),
    players: playerFactories(location.origin + '/youtube'),
    findSubstitutes: async () => [],
    onProgrammesNeeded: () => { calls.needed += 1 },
    onUnplayable: (programme, kind, code) => calls.unplayable.push({ id: programme.id, kind, code }),
    onUnreachable: (kind) => calls.unreachable.push(kind),
    onDuration: (programme, durationMs) => calls.durations.push({ id: programme.id, durationMs }),
  })
  const picture = document.getElementById('picture')
  writeSessionAttributes(picture, session)
  document.getElementById('tune-in').addEventListener('click', () => session.tuneIn())
  session.setAudioAllowed(new URLSearchParams(location.search).has('sound'))
  Object.assign(window, { session, calls })
  session.start(picture)
  session.setTimeline(await (await fetch('/timeline')).json())
</script>`

export interface PlayerPage {
  url: string
  /** What is on; read when the page loads. */
  setTimeline: (programmes: readonly LiveProgramme[]) => void
  /** Behaviour of the fake YouTube for pages loaded from now on. Undefined: it does not respond. */
  setYouTube: (options: FakeIframeApiOptions | undefined) => void
  close: () => Promise<void>
}

/** A page with only the player, and a server for its modules, the Test Card clips and a fake YouTube. */
export async function startPlayerPage(): Promise<PlayerPage> {
  let timeline: readonly LiveProgramme[] = []
  let youtube: FakeIframeApiOptions | undefined
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '/', 'http://page')
    const module = MODULES.find(({ prefix }) => pathname.startsWith(prefix))
    if (pathname === '/') send(response, 'text/html', PAGE)
    else if (pathname === '/timeline') send(response, 'application/json', JSON.stringify(timeline))
    else if (pathname === '/youtube/iframe_api' && youtube) {
      send(response, 'text/javascript', iframeApiScript(youtube))
    } else if (pathname === '/hls.js') {
      send(response, 'text/javascript', await readFile(join(root, HLS_MODULE), 'utf8'))
    } else if (module) {
      const path = join(root, module.folder, `${pathname.slice(module.prefix.length)}${module.suffix}`)
      send(response, 'text/javascript', stripTypeScriptTypes(await readFile(path, 'utf8')))
    } else if (pathname.startsWith('/test-card/')) {
      await sendFile(request, response, join(root, 'web/public', pathname), 'video/mp4')
    } else if (pathname === '/hls/live.m3u8') {
      send(response, 'application/vnd.apple.mpegurl', livePlaylist(Date.now()))
    } else if (pathname.startsWith('/hls/')) {
      const type = pathname.endsWith('.m3u8') ? 'application/vnd.apple.mpegurl' : 'video/mp4'
      await sendFile(request, response, join(root, 'e2e/support', pathname), type)
    } else response.writeHead(404).end()
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(404).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    setTimeline: (programmes) => {
      timeline = programmes
    },
    setYouTube: (options) => {
      youtube = options
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const SEGMENT_MS = 4000
const SEGMENTS = 5

/** A live stream: the clip again and again since 1970, of which the last minute is available, with the time of each segment. */
function livePlaylist(nowMs: number): string {
  const last = Math.floor(nowMs / SEGMENT_MS) - 1
  const numbers = Array.from({ length: 15 }, (_, index) => last - 14 + index)
  const first = numbers[0] ?? 0
  const lines = numbers.flatMap((number) => [
    ...(number % SEGMENTS === 0 ? ['#EXT-X-DISCONTINUITY'] : []),
    `#EXT-X-PROGRAM-DATE-TIME:${new Date(number * SEGMENT_MS).toISOString()}`,
    '#EXTINF:4.000000,',
    `part-${number % SEGMENTS}.m4s`,
  ])
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    '#EXT-X-TARGETDURATION:4',
    `#EXT-X-MEDIA-SEQUENCE:${first}`,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${Math.ceil(first / SEGMENTS)}`,
    '#EXT-X-MAP:URI="init.mp4"',
    ...lines,
  ].join('\n')
}

function send(response: ServerResponse, type: string, body: string): void {
  response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' }).end(body)
}

/** With byte ranges: a browser does not seek without them. */
async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  type: string,
): Promise<void> {
  const { size } = await stat(path)
  const match = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '')
  const start = Number(match?.[1] ?? 0)
  const end = Math.min(match?.[2] ? Number(match[2]) : size - 1, size - 1)
  response.writeHead(match ? 206 : 200, {
    'content-type': type,
    'accept-ranges': 'bytes',
    'content-length': end - start + 1,
    ...(match ? { 'content-range': `bytes ${start}-${end}/${size}` } : {}),
  })
  if (request.method === 'HEAD') response.end()
  else createReadStream(path, { start, end }).pipe(response)
}
