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
