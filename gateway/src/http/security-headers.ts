import fastifyHelmet from '@fastify/helmet'
import type { App } from '@looptide/service-kit/server'
import type { GatewayConfig } from '../config.ts'
import { CSP_REPORT_PATH } from './csp-reports.ts'

type Sources = Pick<GatewayConfig, 'siteUrl' | 'youtubeBaseUrl' | 'imageOrigins' | 'mediaOrigins'>

/** YouTube's privacy-enhanced host, from which its frames come; the script still comes from the first. */
const YOUTUBE_ORIGIN = 'https://www.youtube.com'
const YOUTUBE_FRAMES = 'https://www.youtube-nocookie.com'

/** What may run of YouTube: the IFrame API, and the script that this loads. A path that ends in `/` allows all below it. */
const YOUTUBE_SCRIPTS = ['/iframe_api', '/s/player/']

const framesOf = (youtube: string): string[] =>
  youtube === YOUTUBE_ORIGIN ? [youtube, YOUTUBE_FRAMES] : [youtube]

/**
 * What a page of ours may load, and from where. Scripts and frames: only our own and the configured
 * YouTube. Nothing inline: a library that puts a style into the page needs the `nonce` that only this
 * answer's page knows. Browsers tell of what they refuse.
 */
export function contentSecurityPolicy(config: Sources, nonce?: string): Record<string, string[] | null> {
  const { protocol, host } = new URL(config.siteUrl)
  const isHttps = protocol === 'https:'
  const youtube = new URL(config.youtubeBaseUrl).origin
  const socket = `${isHttps ? 'wss' : 'ws'}://${host}`
  return {
    defaultSrc: ["'self'"],
    scriptSrc: ["'self'", ...YOUTUBE_SCRIPTS.map((path) => youtube + path)],
    scriptSrcAttr: ["'none'"],
    styleSrc: ["'self'", ...(nonce === undefined ? [] : [`'nonce-${nonce}'`])],
    styleSrcAttr: ["'none'"],
    imgSrc: ["'self'", 'data:', 'blob:', 'https://i.ytimg.com', youtube, ...config.imageOrigins],
    fontSrc: ["'self'", 'data:'],
    mediaSrc: ["'self'", 'blob:', ...config.mediaOrigins],
    connectSrc: ["'self'", socket, ...config.mediaOrigins],
    frameSrc: framesOf(youtube),
    workerSrc: ["'self'", 'blob:'],
    manifestSrc: ["'self'"],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
    // A demo on plain http would have its own parts upgraded away.
    upgradeInsecureRequests: isHttps ? [] : null,
    reportUri: [CSP_REPORT_PATH],
  }
}

/** The same as the text of the header. */
export function policyText(config: Sources, nonce: string): string {
  return Object.entries(contentSecurityPolicy(config, nonce))
    .flatMap(([name, sources]) => {
      const directive = name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)
      return sources === null ? [] : [[directive, ...sources].join(' ')]
    })
    .join(';')
}

/** For answers to programs: nothing in them is to be loaded, run or framed, should a browser ever be led to show one. */
const NO_PAGE = "default-src 'none';frame-ancestors 'none'"

export async function securityHeaders(app: App, config: Sources): Promise<void> {
  const youtube = new URL(config.youtubeBaseUrl).origin
  await app.register(fastifyHelmet, {
    contentSecurityPolicy: { useDefaults: false, directives: contentSecurityPolicy(config) },
    // YouTube's player answers error 153 to pages that hide where they are.
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    strictTransportSecurity: config.siteUrl.startsWith('https:') ? { maxAge: 31_536_000 } : false,
    crossOriginEmbedderPolicy: false,
    xFrameOptions: { action: 'deny' },
  })
  const frames = framesOf(youtube).map((origin) => `"${origin}"`)
  const shared = `(self ${frames.join(' ')})`
  const permissions = [
    ...['autoplay', 'fullscreen', 'encrypted-media', 'picture-in-picture'].map((name) => `${name}=${shared}`),
    'screen-wake-lock=(self)',
    ...['camera', 'microphone', 'geolocation', 'payment', 'usb', 'browsing-topics'].map(
      (name) => `${name}=()`,
    ),
  ].join(', ')
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    if (request.url.startsWith('/api/')) reply.header('content-security-policy', NO_PAGE)
    else reply.header('permissions-policy', permissions)
  })
}
