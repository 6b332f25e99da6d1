import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { TestAuthority } from '@looptide/testkit/certificates'

const PICTURES = ['horizon', 'rings', 'spectrum', 'circle', 'diamonds'].map((name) =>
  readFileSync(new URL(`../../web/public/test-card/${name}.jpg`, import.meta.url)),
)

/**
 * Stands in for i.ytimg.com, with pictures of 11 to 15 kB, over TLS as the page's policy requires. The browser's network
 * emulation limits it like the station.
 */
export class ThumbnailServer {
  readonly #server: Server
  readonly #authority: TestAuthority

  constructor(server: Server, authority: TestAuthority) {
    this.#server = server
    this.#authority = authority
  }

  static async start(): Promise<ThumbnailServer> {
    const authority = await TestAuthority.create()
    const { cert, key } = await authority.issue('i.ytimg.com', { names: ['i.ytimg.com'] })
    let sent = 0
    const server = createServer(
      { cert: readFileSync(cert), key: readFileSync(key) },
      (_request, response) => {
        response.setHeader('content-type', 'image/jpeg').end(PICTURES[sent % PICTURES.length])
        sent += 1
      },
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new ThumbnailServer(server, authority)
  }

  /** Arguments with which Chromium uses it. */
  get browserArguments(): string[] {
    const { port } = this.#server.address() as AddressInfo
    return [`--host-resolver-rules=MAP i.ytimg.com:443 127.0.0.1:${port}`, '--ignore-certificate-errors']
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
    this.#authority.remove()
  }
}
