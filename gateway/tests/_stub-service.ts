import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A `Buffer` is sent as it is, everything else as JSON. Without a body, an empty response without a content type. */
export type StubResponse = { status: number; body?: unknown; headers?: Record<string, string> } | null

/** A stub of a service behind the gateway, over real HTTP, with responses that a test can change. */
export interface StubService {
  url: string
  /** Every request that it received, newest last. */
  requests: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[]
  /** URLs of the requests whose response was received completely, or fits into the buffers of the system. */
  answered: string[]
  /** Returns the response; null for a request that gets no response. */
  respond: (request: IncomingMessage, body: string) => StubResponse | Promise<StubResponse>
  /** Stops listening; {@link StubService.restart} listens on the same port again. */
  stop(): Promise<void>
  restart(): Promise<void>
}

/** Starts a stub that answers 200 with `{}`. */
export async function startStub(): Promise<StubService> {
  const stub: StubService = {
    url: '',
    requests: [],
    answered: [],
    respond: () => ({ status: 200, body: {} }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
    restart: () => listen(Number(new URL(stub.url).port)),
  }
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const { method = '', url = '', headers } = request
    if (url === '/readyz') return void response.end('{"ready":true,"checks":[]}')
    if (url === '/openapi.json') return void response.end(JSON.stringify(openApi))
    stub.requests.push({ method, url, headers, body })
    const stubResponse = await stub.respond(request, body)
    if (stubResponse === null) return
    response.once('finish', () => stub.answered.push(url))
    const { status, body: answer, headers: added } = stubResponse
    if (answer === undefined) return void response.writeHead(status, added).end()
    response
      .writeHead(status, { 'content-type': 'application/json', ...added })
      .end(answer instanceof Buffer ? answer : JSON.stringify(answer))
  }
  const server = createServer((request, response) => {
    // A client that disconnects within its body gets no response.
    handle(request, response).catch(() => response.destroy())
  })
  const listen = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', resolve)
    })
  await listen(0)
  stub.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return stub
}

const openApi = {
  paths: { '/api/videos': { get: { summary: 'Videos' } }, '/internal/guard': { post: { summary: 'No' } } },
}
