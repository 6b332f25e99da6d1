import { afterAll, beforeAll, expect, it } from 'vitest'
import { type GatewayHarness, startGatewayHarness } from './_harness.ts'

/** A station that uses Google Cast, and one that does not. */
let casting: GatewayHarness
let plain: GatewayHarness

beforeAll(async () => {
  casting = await startGatewayHarness({ CAST_APP_ID: 'A1B2C3D4' })
  plain = await startGatewayHarness()
})
afterAll(async () => {
  await casting.close()
  await plain.close()
})

const GOOGLE = 'https://www.gstatic.com'
const get = ({ gateway }: GatewayHarness, path: string): Promise<Response> => fetch(gateway.url + path)
/** What the policy of a page allows of a kind, besides what every page has. */
async function allowed(harness: GatewayHarness, path: string, directive: string): Promise<string[]> {
  const { headers } = await get(harness, path)
  const policy = headers.get('content-security-policy') ?? ''
  const sources = new RegExp(`${directive} ([^;]*)`).exec(policy)?.[1]?.split(' ') ?? []
  return sources.filter((source) => /gstatic|8008|^'self'$/.test(source))
}

it('allows the frameworks of Google Cast to the pages that need them, and nothing without a receiver app', async () => {
  const sender = ['/cv/js/sender/v1/', '/cast/sdk/libs/sender/', '/eureka/clank/'].map(
    (path) => GOOGLE + path,
  )
  for (const path of ['/', '/live']) {
    expect(await allowed(casting, path, 'script-src')).toEqual(["'self'", ...sender])
    expect(await allowed(casting, path, 'frame-src')).toEqual([])
  }
  expect(await allowed(casting, '/cast', 'script-src')).toEqual(["'self'", `${GOOGLE}/cast/sdk/libs/`])
  expect(await allowed(casting, '/cast', 'connect-src')).toEqual(["'self'", 'ws://localhost:8008'])
  expect(await allowed(casting, '/cast', 'frame-src')).toEqual(["'self'"])
  for (const path of ['/tv', '/embed/default', '/embed/default/now'])
    expect([path, await allowed(casting, path, 'script-src')]).toEqual([path, ["'self'"]])
  for (const path of ['/', '/live', '/tv', '/embed/default'])
    expect([path, await allowed(plain, path, 'script-src')]).toEqual([path, ["'self'"]])
})

it('has a page for devices that may not be framed, only with a receiver app', async () => {
  const page = await get(casting, '/cast')
  expect([page.status, page.headers.get('x-frame-options')]).toEqual([200, 'DENY'])
  expect(await page.text()).toContain(`<script src="${GOOGLE}/cast/sdk/libs/caf_receiver/v3/`)
  expect((await get(plain, '/cast')).status).toBe(404)
})

it('names the receiver app in the settings of the web app', async () => {
  const settings = { cast: { appId: 'A1B2C3D4', baseUrl: GOOGLE } }
  expect(await (await get(casting, '/api/config')).json()).toMatchObject(settings)
  expect(await (await get(plain, '/api/config')).json()).toMatchObject({ cast: null })
})
