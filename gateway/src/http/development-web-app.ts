import { extname } from 'node:path'
import fastifyHttpProxy from '@fastify/http-proxy'
import type { App } from '@looptide/service-kit/http/app'
import { errors } from '@looptide/service-kit/http/errors'
import type { PageRenderer } from '../pages/page-renderer.ts'

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
