import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Video } from '@looptide/contracts/http/videos'

/** A stub of the catalogue: it looks up `videos` by id, and answers 503 for the whole list. */
export interface CatalogueStub {
  url: string
  videos: Video[]
  stop(): Promise<void>
}

export async function startCatalogueStub(): Promise<CatalogueStub> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x')
    const ids = (searchParams.get('ids') ?? '').split(',')
    response.statusCode = pathname === '/api/videos/lookup' ? 200 : 503
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ items: stub.videos.filter(({ id }) => ids.includes(id)) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stub: CatalogueStub = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    videos: [],
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return stub
}
