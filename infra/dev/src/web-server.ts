import { join } from 'node:path'
import { createServer, type ViteDevServer } from 'vite'
import { repositoryRoot } from '../../runner/src/paths.ts'
import { freePort } from '../../runner/src/ports/free-port.ts'

/** Placeholder in the page that the gateway replaces with the nonce of each response. */
const NONCE = '__CSP_NONCE__'
const HOST = '127.0.0.1'

/** A running Vite, for the gateway's `WEB_DEV_URL`. */
export interface WebServer {
  url: string
  close(): Promise<void>
}

/** Starts Vite for the web app. The gateway serves its files; hot updates come over Vite's own socket. */
export async function startWebServer(): Promise<WebServer> {
  const port = await freePort()
  const vite: ViteDevServer = await createServer({
    root: join(repositoryRoot, 'web'),
    configFile: join(repositoryRoot, 'web/vite.config.ts'),
    clearScreen: false,
    logLevel: 'warn',
    html: { cspNonce: NONCE },
    server: { host: HOST, port, strictPort: true, ws: { host: HOST, clientPort: port }, proxy: {} },
  })
  await vite.listen()
  return { url: `http://${HOST}:${port}`, close: () => vite.close() }
}
