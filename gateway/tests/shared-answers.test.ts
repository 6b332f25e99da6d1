import { randomUUID } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { until } from '@looptide/testkit/until'
import { request } from 'undici'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startStation, type TestStation } from './_util.ts'

let station: TestStation
let asked: string[]

beforeAll(async () => {
  station = await startStation()
})
afterAll(() => station.close())
beforeEach(() => {
  asked = []
  let count = 0
  station.catalogue.answer = ({ url }) => {
    asked.push(url ?? '')
    count += 1
    return { status: 200, body: { count } }
  }
})

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(station.gateway.url + path, { headers })
/** An address that no test before has asked for. */
const home = () => `/api/home?seed=${randomUUID()}`

describe('answers that are the same for everybody', () => {
  it('are asked for once, however many come at a time, and whoever they are', async () => {
    const path = home()
    const bodies = await Promise.all(
      Array.from({ length: 50 }, async (_, index) =>
        (await get(path, index % 2 === 0 ? { authorization: `Bearer ${index}` } : {})).json(),
      ),
    )
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
    expect(asked).toEqual([path])
    await get(home())
    expect(asked).toHaveLength(2)
  })

  it('are not sent again to whoever has them', async () => {
    const path = home()
    const first = await get(path)
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^W\/"/)
    expect(first.headers.get('cache-control')).toBe('no-cache')
    const again = await get(path, { 'if-none-match': etag })
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200)
  })

  it('are sent small to whoever takes that', async () => {
    station.catalogue.answer = () => ({ status: 200, body: { text: 'x'.repeat(20_000) } })
    const { headers, body: sent } = await request(station.gateway.url + home(), {
      headers: { 'accept-encoding': 'gzip' },
    })
    const body = Buffer.from(await sent.arrayBuffer())
    expect(headers['content-encoding']).toBe('gzip')
    expect(headers.vary).toContain('accept-encoding')
    expect(body.length).toBeLessThan(1000)
    expect(JSON.parse(gunzipSync(body).toString())).toEqual({ text: 'x'.repeat(20_000) })
  })

  it('are forgotten when the catalogue tells of a change', async () => {
    const path = home()
    await get(path)
    station.publish('catalogue.home.changed.v1', {})
    await until('it is asked for again', async () => {
      await get(path)
      return asked.filter((url) => url === path).length > 1
    })
  })

  it('are forgotten by whoever changes something, before that is answered; a view is no such change', async () => {
    const path = home()
    await get(path)
    await fetch(`${station.gateway.url}/api/videos/x/views`, { method: 'POST' })
    await get(path)
    expect(asked.filter((url) => url === path)).toHaveLength(1)
    await fetch(`${station.gateway.url}/api/videos/x`, { method: 'DELETE' })
    await get(path)
    expect(asked.filter((url) => url === path)).toHaveLength(2)
  })

  it('what is refused is the service’s own word, each time anew', async () => {
    const path = `/api/search?q=${randomUUID()}`
    const error = { code: 'validation_failed', message: 'Give a text.' }
    station.catalogue.answer = () => ({ status: 400, body: { error } })
    const refused = await get(path)
    expect([refused.status, await refused.json()]).toEqual([400, { error }])
    station.catalogue.answer = () => ({ status: 200, body: { videos: [] } })
    expect((await get(path)).status).toBe(200)
  })
})
