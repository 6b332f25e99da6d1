import { stat } from 'node:fs/promises'
import { extname, join, normalize } from 'node:path'
import fastifyHttpProxy from '@fastify/http-proxy'
import fastifyStatic from '@fastify/static'
import type { App } from '@looptide/service-kit/http/app'
import { errors } from '@looptide/service-kit/http/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FileResponses } from '../fast-path/file-responses.ts'
import type { PageRenderer } from '../pages/page-renderer.ts'
import { readRange } from './byte-range.ts'
import type { LocalLimits } from './local-limits.ts'

/** Path prefixes that are never pages. An unknown path below them is 404 instead of the app. */
const NOT_PAGES = [
  ...['/api', '/auth/v1', '/realtime', '/docs', '/internal', '/metrics', '/debug'],
  ...['/assets', '/test-card'],
]
const YEAR_S = 31_536_000
/**
 * Headers that apply to documents only. On the thirty scripts and styles of a page they are 1 kB each, which is a second
 * of loading at 400 kbit/s.
 */
const PAGE_HEADERS = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'permissions-policy',
  'referrer-policy',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
] as const

interface WebAppOptions {
  /** Folder of the build. */
  root: string
  pages: PageRenderer
  limits: LocalLimits
  files: FileResponses
}

const isPage = (path: string): boolean =>
  extname(path) === '' && !NOT_PAGES.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))

/** Serves the built web app: its files with byte ranges, and its HTML page for every path that is a page. */
export async function webApp(app: App, options: WebAppOptions): Promise<void> {
  const { root, files } = options
  await app.register(fastifyStatic, {
    root,
    serve: false,
    preCompressed: true,
    // Build output has a content hash in its name. Everything else is revalidated on each request.
    setHeaders: (reply, path) => {
      const isHashed = path.startsWith(join(root, 'assets'))
      reply.header('cache-control', isHashed ? `public, max-age=${YEAR_S}, immutable` : 'no-cache')
      if (isHashed) for (const name of PAGE_HEADERS) reply.removeHeader(name)
    },
    cacheControl: false,
  })
  const config = { operation: 'gateway.web.serve' }
  app.get(
    '/*',
    {
      schema: { hide: true },
      config,
      onSend: (request, reply, payload) => files.keep(request, reply, payload),
    },
    async (request, reply) => serve(options, request, reply),
  )
}

async function serve(
  { root, pages, limits }: WebAppOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const path = parsePath(request.url)
  if (path === null) throw errors.notFound('This URL')
  const isFileName = path !== '/' && path !== '/index.html'
  const bytes = isFileName ? await fileSize(join(root, path)) : null
  if (bytes !== null) {
    readRange(request.raw, bytes)
    return reply.sendFile(path)
  }
  if (!isPage(path)) throw errors.notFound('This URL')
  limits.count('page', request)
  const page = await pages.send(path, request, reply)
  if (page === null) throw errors.notFound('This URL')
  return page
}

/** The decoded path without query; null for a path with traversal, hidden files or invalid characters. */
function parsePath(url: string): string | null {
  try {
    const path = decodeURIComponent(url.split('?', 1)[0] ?? '')
    if (path.includes('\0') || path.includes('\\')) return null
    return normalize(path) === path && !path.includes('/.') ? path : null
  } catch {
    return null
  }
}

/** Size of a file in bytes. Null if there is no file. */
const fileSize = async (path: string): Promise<number | null> => {
  try {
    const found = await stat(path)
    return found.isFile() ? found.size : null
  } catch {
    return null
  }
}

/** Path prefixes that are neither pages nor files of the web app. */
const NOT_WEB = ['/api', '/auth/v1', '/realtime', '/docs', '/internal', '/metrics', '/debug']

interface DevelopmentWebAppOptions {
  /** URL of Vite's development server. */
  webDevUrl: string
  pages: PageRenderer
}

/** Serves the web app from Vite, at the gateway's address: pages are rendered as in production, files are proxied. */
export async function developmentWebApp(
  app: App,
  { webDevUrl, pages }: DevelopmentWebAppOptions,
): Promise<void> {
  // The proxy has parsers of its own, so that bodies pass unparsed.
  app.removeAllContentTypeParsers()
  await app.register(fastifyHttpProxy, {
    upstream: webDevUrl,
    prefix: '/',
    httpMethods: ['GET', 'HEAD'],
    config: { operation: 'gateway.web.serve' },
    disableRequestLogging: true,
    handler: async (request, reply, target, hooks) => {
      const path = request.url.split('?', 1)[0] ?? ''
      if (NOT_WEB.some((prefix) => path === prefix || path.startsWith(`${prefix}/`)))
        throw errors.notFound('This URL')
      // Vite's virtual modules, such as `/@vite/client`, have no extension.
      const isFile = extname(path) !== '' || path.startsWith('/@')
      if (isFile) return reply.from(target, hooks)
      return pages.send(path, request, reply)
    },
  })
}
