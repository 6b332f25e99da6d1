import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import type { Upstreams } from '../config.ts'
import { ApiDocs } from './api-docs.ts'

it('renders the description once after a change, as JSON and as YAML', async () => {
  const docs = new ApiDocs({} as Upstreams)
  docs.describe({ paths: { '/api/health': { get: {} } } })
  const [json, yaml] = [docs.json(), await docs.yaml()]
  // Every client is sent these very bytes.
  expect(docs.json().bytes()).toBe(json.bytes())
  expect((await docs.yaml()).bytes()).toBe(yaml.bytes())
  docs.describe({ paths: { '/api/config': { get: {} } } })
  for (const text of [docs.json(), await docs.yaml()]) expect(text.body).toContain('/api/config')
})

it('describes the services in the same order, whichever answers first', async () => {
  const first = Promise.withResolvers<void>()
  const server = createServer(({ url }, response) => {
    const answer = () =>
      response.end(JSON.stringify({ paths: { [`/api${url}`]: { get: {} } } }), first.resolve)
    if (url === '/auth/openapi.json') void first.promise.then(answer)
    else answer()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const docs = new ApiDocs({ auth: `${origin}/auth`, catalogue: `${origin}/catalogue` } as Upstreams)
  await docs.fetchAll()
  server.close()
  const { paths } = JSON.parse(docs.json().body) as { paths: object }
  expect(Object.keys(paths)).toEqual(['/api/auth/openapi.json', '/api/catalogue/openapi.json'])
})
