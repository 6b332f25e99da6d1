import fastifyHelmet from '@fastify/helmet'
import type { App } from '@looptide/service-kit/server'
import type { GatewayConfig } from '../config.ts'

type Sources = Pick<GatewayConfig, 'siteUrl' | 'youtubeBaseUrl' | 'imageOrigins' | 'mediaOrigins'>

/**
 * What a page of ours may load, and from where. Scripts and frames: only our own and the configured
 * YouTube. Inline styles are allowed, for the toasts and the drag-and-drop write theirs into the page;
 * inline scripts are not.
 */
export function contentSecurityPolicy(config: Sources): Record<string, string[] | null> {
  const { protocol, host } = new URL(config.siteUrl)
  const isHttps = protocol === 'https:'
  const youtube = new URL(config.youtubeBaseUrl).origin
  const socket = `${isHttps ? 'wss' : 'ws'}://${host}`
  return {
    defaultSrc: ["'self'"],
    scriptSrc: ["'self'", youtube],
    scriptSrcAttr: ["'none'"],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:', 'blob:', 'https://i.ytimg.com', youtube, ...config.imageOrigins],
    fontSrc: ["'self'", 'data:'],
    mediaSrc: ["'self'", 'blob:', ...config.mediaOrigins],
    connectSrc: ["'self'", socket, ...config.mediaOrigins],
    frameSrc: [youtube],
    workerSrc: ["'self'", 'blob:'],
    manifestSrc: ["'self'"],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
    // A demo on plain http would have its own parts upgraded away.
    upgradeInsecureRequests: isHttps ? [] : null,
  }
}

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
  const permissions = `autoplay=(self "${youtube}"), fullscreen=(self "${youtube}"), camera=(), microphone=(), geolocation=(), payment=()`
  app.addHook('onRequest', async (request, reply) => {
    reply.header('permissions-policy', permissions)
    reply.header('x-request-id', request.id)
  })
}
