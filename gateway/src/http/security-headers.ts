import { randomBytes } from 'node:crypto'
import fastifyHelmet from '@fastify/helmet'
import type { App } from '@looptide/service-kit/http/app'
import type { GatewayConfig } from '../config.ts'
import { CSP_REPORT_PATH } from './csp-reports.ts'

type Sources = Pick<
  GatewayConfig,
  'siteUrl' | 'youtubeBaseUrl' | 'imageOrigins' | 'mediaOrigins' | 'webDevUrl' | 'cast'
>

/** YouTube's privacy-enhanced host, for its player frames. The player script comes from the standard host. */
const YOUTUBE_ORIGIN = 'https://www.youtube.com'
const YOUTUBE_FRAMES = 'https://www.youtube-nocookie.com'

/** YouTube scripts that may run: the IFrame API, and the script that it loads. A path that ends in `/` allows all below it. */
const YOUTUBE_SCRIPTS = ['/iframe_api', '/s/player/']

/** Google Cast's scripts: those of a browser, and those of a device, which is reached by a socket. */
const CAST_SENDER = ['/cv/js/sender/v1/', '/cast/sdk/libs/sender/', '/eureka/clank/']
const CAST_RECEIVER = '/cast/sdk/libs/'
const CAST_DEVICE = 'ws://localhost:8008'

const framesOf = (youtube: string): string[] =>
  youtube === YOUTUBE_ORIGIN ? [youtube, YOUTUBE_FRAMES] : [youtube]

interface PolicyOptions {
  nonce?: string
  /** Whose pages may show the page in a frame. Default: nobody's. */
  frameAncestors?: readonly string[]
  /** Which part of Google Cast's framework the page may load, on stations that use it. Default: none. */
  cast?: 'sender' | 'receiver'
}

/**
 * The Content Security Policy of our pages. Scripts and frames come only from our own origin and the configured YouTube.
 * Inline styles of libraries need the `nonce` of this response; nothing else inline is allowed. Browsers report
 * violations.
 */
function contentSecurityPolicy(
  config: Sources,
  { nonce, frameAncestors = ["'none'"], cast }: PolicyOptions,
): Record<string, readonly string[] | null> {
  const { protocol, host } = new URL(config.siteUrl)
  const isHttps = protocol === 'https:'
  const youtube = new URL(config.youtubeBaseUrl).origin
  const socket = `${isHttps ? 'wss' : 'ws'}://${host}`
  const development = viteSources(config, nonce)
  const casting = castSources(config, cast)
  return {
    defaultSrc: ["'self'"],
    scriptSrc: [
      "'self'",
      ...YOUTUBE_SCRIPTS.map((path) => youtube + path),
      ...casting.scripts,
      ...development.scripts,
    ],
    scriptSrcAttr: ["'none'"],
    styleSrc: ["'self'", ...(nonce === undefined ? [] : [`'nonce-${nonce}'`])],
    styleSrcAttr: ["'none'"],
    imgSrc: ["'self'", 'data:', 'blob:', 'https://i.ytimg.com', youtube, ...config.imageOrigins],
    fontSrc: ["'self'", 'data:'],
    mediaSrc: ["'self'", 'blob:', ...config.mediaOrigins],
    connectSrc: ["'self'", socket, ...config.mediaOrigins, ...casting.sockets, ...development.sockets],
    frameSrc: [...framesOf(youtube), ...casting.frames],
    workerSrc: ["'self'", 'blob:'],
    manifestSrc: ["'self'"],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors,
    // On a plain http site, the upgrade would break the page's own requests; on a device, its socket in old browsers.
    upgradeInsecureRequests: isHttps && cast !== 'receiver' ? [] : null,
    reportUri: [CSP_REPORT_PATH],
  }
}

/** Additional sources for Vite's page in development: its inline script, and its socket for hot updates. */
function viteSources({ webDevUrl }: Sources, nonce?: string): { scripts: string[]; sockets: string[] } {
  if (webDevUrl === null) return { scripts: [], sockets: [] }
  const scripts = nonce === undefined ? [] : [`'nonce-${nonce}'`]
  return { scripts, sockets: [`ws://${new URL(webDevUrl).host}`] }
}

/**
 * Additional sources for Google Cast. A live page loads the sender framework. The page on a device loads the receiver
 * framework, which speaks to the device by a socket of its own, and shows the embed of a channel.
 */
function castSources({ cast }: Sources, part: PolicyOptions['cast']) {
  if (cast === null || part === undefined) return { scripts: [], sockets: [], frames: [] }
  const { origin } = new URL(cast.baseUrl)
  return part === 'sender'
    ? { scripts: CAST_SENDER.map((path) => origin + path), sockets: [], frames: [] }
    : { scripts: [`${origin}${CAST_RECEIVER}`], sockets: [CAST_DEVICE], frames: ["'self'"] }
}

const NONCE_BYTES = 16

/** A new nonce for the policy of one page. */
export const newNonce = (): string => randomBytes(NONCE_BYTES).toString('base64')

/** The policy as a header value. */
export function policyText(config: Sources, options: PolicyOptions = {}): string {
  return Object.entries(contentSecurityPolicy(config, options))
    .flatMap(([name, sources]) => {
      const directive = name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)
      return sources === null ? [] : [[directive, ...sources].join(' ')]
    })
    .join(';')
}

/** The policy of API responses: nothing may be loaded, run or framed if a browser displays one. */
const API_POLICY = "default-src 'none';frame-ancestors 'none'"

/** Registers the headers of every response, among them the Content Security Policy. */
export async function securityHeaders(app: App, config: Sources): Promise<void> {
  const youtube = new URL(config.youtubeBaseUrl).origin
  await app.register(fastifyHelmet, {
    // Set below. The plugin would build its text for every response.
    contentSecurityPolicy: false,
    // YouTube's player fails with error 153 on pages that send no referrer.
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    strictTransportSecurity: config.siteUrl.startsWith('https:') ? { maxAge: 31_536_000 } : false,
    crossOriginEmbedderPolicy: false,
    xFrameOptions: { action: 'deny' },
  })
  const frames = framesOf(youtube).map((origin) => `"${origin}"`)
  const allowlist = `(self ${frames.join(' ')})`
  const permissions = [
    ...['autoplay', 'fullscreen', 'encrypted-media', 'picture-in-picture'].map(
      (name) => `${name}=${allowlist}`,
    ),
    'screen-wake-lock=(self)',
    ...['camera', 'microphone', 'geolocation', 'payment', 'usb', 'browsing-topics'].map(
      (name) => `${name}=()`,
    ),
  ].join(', ')
  const policy = policyText(config)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    if (request.url.startsWith('/api/')) reply.header('content-security-policy', API_POLICY)
    else reply.headers({ 'content-security-policy': policy, 'permissions-policy': permissions })
  })
}
