import type { TestUser } from '@looptide/testkit/identity'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CatalogueHarness, startCatalogue } from './_harness.ts'

let catalogue: CatalogueHarness
let outdated: TestUser
beforeAll(async () => {
  catalogue = await startCatalogue()
  const { id } = catalogue.admin
  outdated = await catalogue.identity.createUser('admin', { id, factorAgeS: 601 })
})
afterAll(() => catalogue.close())

const ids = Array.from({ length: 50 }, (_, n) => `0190aaaa-0000-7000-8000-${String(n).padStart(12, '0')}`)

/** The outage of the guard, which does not run in these tests: the request got further than the check of the factor. */
const PASSED = [200, 503]

describe.each([
  ['POST', '/api/videos/export', {}],
  ['GET', '/api/export/playlists', undefined],
  ['GET', '/api/export/videos', undefined],
  ['DELETE', '/api/videos', { ids }],
  ['DELETE', '/api/videos/deleted', { ids }],
] as const)('%s %s', (method, path, body) => {
  it('is refused when the second factor was verified more than ten minutes ago', async () => {
    const request = { as: outdated, ...(body && { body }) }
    expect(await catalogue.call(method, path, request)).toMatchObject({
      status: 403,
      body: { code: 'second_factor_outdated' },
    })
  })

  it('is allowed for ten minutes after it', async () => {
    const { id } = catalogue.admin
    // Its age grows while the request is sent.
    const fresh = await catalogue.identity.createUser('admin', { id, factorAgeS: 570 })
    const response = await fetch(catalogue.service.url + path, {
      method,
      headers: { ...fresh.headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    await response.body?.cancel()
    expect(PASSED).toContain(response.status)
  })
})
