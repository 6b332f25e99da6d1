import { request as httpRequest } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { type GatewayHarness, startGatewayHarness } from './_harness.ts'
import { RawClient } from './_raw-client.ts'

let harness: GatewayHarness
afterEach(() => harness.close())

const DEVELOPMENT = { LOOPTIDE_DEBUG: 'on', SITE_URL: 'http://localhost:8080' }

const page = async (path = '/debug'): Promise<string> => {
  const response = await fetch(harness.gateway.url + path)
  expect(response.status).toBe(200)
  return response.text()
}

/** The status for a request with this `Host`, which `fetch` does not let a caller set. */
const statusFor = (host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const request = httpRequest(`${harness.gateway.url}/debug`, { headers: { host } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    request.on('error', reject).end()
  })

describe('/debug', () => {
  it('shows topics, viewers, settings and the reports of the services, without secrets and scripts', async () => {
    harness = await startGatewayHarness(DEVELOPMENT)
    harness.scheduler.respond = () => ({
      status: 200,
      body: {
        process: 'stream-scheduler',
        sections: [
          {
            title: 'Timelines',
            rows: [{ channel: 'default', onTheAir: '<script>alert(1)</script>' }],
            error: null,
          },
        ],
      },
    })
    harness.chat.respond = () => null
    const client = await new RawClient(harness.realtimeUrl).open()
    await client.join('realtime:stream:default')
    const html = await page()
    client.close()
    expect(html).toContain('<td>realtime:stream:default</td><td>1</td>')
    expect(html).toContain('<th scope="col">onTheAir</th>')
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(html).not.toContain('<script')
    expect(html).toMatch(/<h2 id="chat-title">chat<\/h2><h3>Report<\/h3><p>Not available: /)
    expect(html).toContain('<td>siteUrl</td><td>http://localhost:8080/</td>')
    expect(html).not.toContain(harness.config.internalToken)
    const [asked] = harness.scheduler.requests.filter(({ url }) => url === '/internal/debug')
    expect(asked?.headers['x-internal-token']).toBe(harness.config.internalToken)
  })

  it('refreshes itself on request only', async () => {
    harness = await startGatewayHarness(DEVELOPMENT)
    expect(await page()).not.toContain('http-equiv="refresh"')
    expect(await page('/debug?refresh=on')).toContain('<meta http-equiv="refresh" content="5">')
  })

  it('is missing for a request by another host name', async () => {
    harness = await startGatewayHarness(DEVELOPMENT)
    expect(await statusFor('localhost:8080')).toBe(200)
    expect(await statusFor('evil.test')).toBe(404)
  })

  it('is missing outside development', async () => {
    harness = await startGatewayHarness()
    const response = await fetch(`${harness.gateway.url}/debug`)
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toContain('application/json')
  })
})
