import { randomBytes } from 'node:crypto'
import fastifyHelmet from '@fastify/helmet'
import type { App } from '@looptide/service-kit/http/app'
import type { GatewayConfig } from '../config.ts'
import { CSP_REPORT_PATH } from './csp-reports.ts'

type Sources = Pick<
  GatewayConfig,
  'siteUrl' | 'youtubeBaseUrl' | 'imageOrigins' | 'mediaOrigins' | 'webDevUrl'
>

/** YouTube's privacy-enhanced host, for its player frames. The player script comes from the standard host. */
const YOUTUBE_ORIGIN = 'https://www.youtube.com'
const YOUTUBE_FRAMES = 'https://www.youtube-nocookie.com'

/** YouTube scripts that may run: the IFrame API, and the script that it loads. A path that ends in `/` allows all below it. */
const YOUTUBE_SCRIPTS = ['/iframe_api', '/s/player/']

const framesOf = (youtube: string): string[] =>
  youtube === YOUTUBE_ORIGIN ? [youtube, YOUTUBE_FRAMES] : [youtube]

interface PolicyOptions {
  nonce?: string
  /** Whose pages may show the page in a frame. Default: nobody's. */
  frameAncestors?: readonly string[]
}

/**
 * The Content Security Policy of our pages. Scripts and frames come only from our own origin and the configured YouTube.
 * Inline styles of libraries need the `nonce` of this response; nothing else inline is allowed. Browsers report
 * violations.
 */
function contentSecurityPolicy(
  config: Sources,
  { nonce, frameAncestors = ["'none'"] }: PolicyOptions,
): Record<string, readonly string[] | null> {
  const { protocol, host } = new URL(config.siteUrl)
  const isHttps = protocol === 'https:'
  const youtube = new URL(config.youtubeBaseUrl).origin
  const socket = `${isHttps ? 'wss' : 'ws'}://${host}`
  const development = viteSources(config, nonce)
  return {
    defaultSrc: ["'self'"],
    scriptSrc: ["'self'", ...YOUTUBE_SCRIPTS.map((path) => youtube + path), ...development.scripts],
    scriptSrcAttr: ["'none'"],
    styleSrc: ["'self'", ...(nonce === undefined ? [] : [`'nonce-${nonce}'`])],
    styleSrcAttr: ["'none'"],
    imgSrc: ["'self'", 'data:', 'blob:', 'https://i.ytimg.com', youtube, ...config.imageOrigins],
    fontSrc: ["'self'", 'data:'],
    mediaSrc: ["'self'", 'blob:', ...config.mediaOrigins],
    connectSrc: ["'self'", socket, ...config.mediaOrigins, ...development.sockets],
    frameSrc: framesOf(youtube),
    workerSrc: ["'self'", 'blob:'],
    manifestSrc: ["'self'"],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors,
    // On a plain http site, the upgrade would break the page's own requests.
    upgradeInsecureRequests: isHttps ? [] : null,
    reportUri: [CSP_REPORT_PATH],
  }
}

/** Additional sources for Vite's page in development: its inline script, and its socket for hot updates. */
function viteSources({ webDevUrl }: Sources, nonce?: string): { scripts: string[]; sockets: string[] } {
  if (webDevUrl === null) return { scripts: [], sockets: [] }
  const scripts = nonce === undefined ? [] : [`'nonce-${nonce}'`]
  return { scripts, sockets: [`ws://${new URL(webDevUrl).host}`] }
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
