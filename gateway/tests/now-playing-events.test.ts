import { until } from '@looptide/testkit/until'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { differences } from './_azuracast.ts'
import { EventClient } from './_event-client.ts'
import { type GatewayHarness, nowState, startGatewayHarness } from './_harness.ts'
import { RawClient } from './_raw-client.ts'

const PATH = '/api/live/nowplaying/sse?channel='
let harness: GatewayHarness
let clients: EventClient[] = []

beforeAll(async () => {
  harness = await startGatewayHarness({
    MAX_SOCKETS: '300',
    MAX_SOCKETS_PER_NETWORK: '250',
    TRUST_PROXY: '1',
  })
})
afterAll(() => harness.close())
afterEach(async () => {
  for (const client of clients) client.close()
  clients = []
  await until('the gateway has no streams', async () => (await openStreams()) === 0)
})

/** `network`: the last byte of the client's address. */
function follow(channel: string, network = 1, headers: Record<string, string> = {}): EventClient {
  const client = new EventClient(harness.gateway.url, PATH + channel, {
    'x-forwarded-for': `198.51.100.${network}`,
    ...headers,
  })
  clients.push(client)
  return client
}

async function openStreams(): Promise<number> {
  const text = await (await fetch(`${harness.gateway.metricsUrl}/metrics`)).text()
  return Number(/^looptide_event_streams(?:\{[^}]*\})? (\d+)/m.exec(text)?.[1])
}

const titleOf = (event: Record<string, unknown> | undefined): string =>
  (event as { now_playing: { song: { title: string } } }).now_playing.song.title

/** A channel of the test's own whose current programme ends in `endsInMs`. */
async function channelEndingIn(id: string, endsInMs: number): Promise<void> {
  const state = nowState(id)
  const shiftMs = (state.programmes[0]?.endsAtMs ?? 0) - Date.now() - endsInMs
  const programmes = state.programmes.map((one) => ({
    ...one,
    startsAtMs: one.startsAtMs - shiftMs,
    endsAtMs: one.endsAtMs - shiftMs,
  }))
  harness.channels.set(id, { ...state, programmes })
  await until('the channel is listed', async () => {
    const response = await fetch(`${harness.gateway.url}/api/nowplaying/${id}`)
    await response.text()
    return response.status === 200
  })
}

describe('events of what is on', () => {
  it('begin with the object of the JSON route, and headers for pages of every origin', async () => {
    const client = follow('default', 1, { origin: 'https://blog.example' })
    const [first] = await client.received(1)
    expect(client.status).toBe(200)
    expect(differences('NowPlaying', first)).toEqual([])
    for (const line of [
      'content-type: text/event-stream',
      'cache-control: no-store',
      'access-control-allow-origin: *',
      'x-accel-buffering: no',
      'x-content-type-options: nosniff',
    ])
      expect(client.head).toContain(line)
    expect(client.head).not.toContain('set-cookie')
    expect(client.text).toMatch(/\r\n\r\nretry: [2-5]\d{3}\nevent: nowplaying\n/)
  })

  it('come once for each programme, when it starts', async () => {
    await channelEndingIn('changing', 1500)
    const client = follow('changing')
    const events = await client.received(2)
    expect(events.map(titleOf)).toEqual(['Song 0', 'Song 1'])
    const { now_playing } = events[1] as { now_playing: { elapsed: number; duration: number } }
    expect(now_playing.elapsed).toBeLessThanOrEqual(1)
  })

  it('come for a change within the second of the last one, after that second', async () => {
    await channelEndingIn('skipping', 3000)
    const client = follow('skipping')
    await client.received(2)
    const before = performance.now()
    const state = harness.channels.get('skipping')
    if (state === undefined) throw new Error('no channel')
    harness.channels.set('skipping', {
      ...state,
      timelineVersion: 2,
      programmes: nowState('skipping').programmes.map((one) => ({ ...one, id: `again-${one.id}` })),
    })
    harness.publish('stream.timeline.changed.v1', { channelId: 'skipping', timelineVersion: 2, fromSeq: 0 })
    const events = await client.received(3)
    expect(performance.now() - before).toBeGreaterThan(500)
    expect(titleOf(events[2])).toBe('Song 0')
  })

  it('come when the published number of viewers has changed', async () => {
    const client = follow('default')
    await client.received(1)
    const viewer = await new RawClient(harness.realtimeUrl).open()
    await viewer.join('realtime:stream:default')
    await until(
      'the number has arrived',
      () => (client.events.at(-1) as { listeners: { current: number } }).listeners.current === 1,
      { timeoutMs: 15_000 },
    )
    viewer.close()
  })

  it('are the same bytes for all clients of a channel', async () => {
    await channelEndingIn('crowded', 4000)
    const all = Array.from({ length: 100 }, () => follow('crowded'))
    await Promise.all(all.map((client) => client.received(2)))
    const second = all.map((client) => JSON.stringify(client.events[1]))
    expect(new Set(second).size).toBe(1)
  })

  it('do not wait for a client that does not read, which gets the newest one', async () => {
    await channelEndingIn('paused', 3000)
    const slow = follow('paused')
    const quick = follow('paused')
    await Promise.all([slow.received(1), quick.received(1)])
    slow.socket.pause()
    await quick.received(2)
    slow.socket.resume()
    const events = await slow.received(2)
    expect(titleOf(events[1])).toBe('Song 1')
  })

  it('are refused for unknown channels and queries', async () => {
    const all = [follow('nowhere'), follow('A%20b'), follow('default&unknown=1')]
    expect(await Promise.all(all.map((client) => client.answered()))).toEqual([404, 400, 400])
  })

  it('end when the client sends more, which is not read as a request', async () => {
    const client = follow('default')
    await client.received(1)
    client.socket.write('GET /api/viewers HTTP/1.1\r\nhost: a\r\n\r\n')
    await client.closed()
    expect(client.text).not.toContain('counts')
  })

  it('count as sockets: of a network, and of the gateway', async () => {
    const ofOne = Array.from({ length: 250 }, () => follow('default', 7))
    await Promise.all(ofOne.map((client) => client.received(1)))
    const oneMore = follow('default', 7)
    expect(await oneMore.answered()).toBe(429)
    expect(oneMore.head).toContain('retry-after: 10')
    const ofAnother = Array.from({ length: 50 }, () => follow('default', 8))
    await Promise.all(ofAnother.map((client) => client.received(1)))
    expect(await follow('default', 9).answered()).toBe(429)
    const socket = new RawClient(harness.realtimeUrl, undefined, { forwardedFor: '198.51.100.10' })
    await socket.whenClosed()
  })

  it('end when the gateway shuts down', async () => {
    const other = await startGatewayHarness()
    const client = new EventClient(other.gateway.url, `${PATH}default`)
    await client.received(1)
    await other.close()
    await client.closed()
  })
})
