import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { join } from 'node:path'
import { createServer } from 'vite'
import { freePort } from '../../../packages/backing/src/free-port.ts'
import { repositoryRoot } from '../../../packages/backing/src/paths.ts'

/** Placeholder in the page that the gateway replaces with the nonce of each response. */
const NONCE = '__CSP_NONCE__'
const HOST = '127.0.0.1'

/** A running Vite, for the gateway's `WEB_DEV_URL`. */
export interface WebServer {
  url: string
  close(): Promise<void>
}

/**
 * Starts Vite for the web app. The gateway serves its files; hot updates come over Vite's own socket. Vite runs as
 * middleware of our own server: its own server would end the process at SIGTERM, before the station has stopped.
 */
export async function startWebServer(): Promise<WebServer> {
  const port = await freePort()
  const http = createHttpServer()
  const vite = await createServer({
    root: join(repositoryRoot, 'web'),
    configFile: join(repositoryRoot, 'web/vite.config.ts'),
    clearScreen: false,
    logLevel: 'warn',
    html: { cspNonce: NONCE },
    server: {
      middlewareMode: true,
      ws: { server: http, host: HOST, clientPort: port },
      proxy: {},
    },
  })
  http.on('request', vite.middlewares)
  http.listen(port, HOST)
  await once(http, 'listening')
  const close = async () => {
    await vite.close()
    http.closeAllConnections()
    http.close()
  }
  return { url: `http://${HOST}:${port}`, close }
}
