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

/** A channel whose current programme ends in `endsInMs`. Returns that time. */
async function channelEndingIn(id: string, endsInMs: number): Promise<number> {
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
  return programmes[0]!.endsAtMs
}

/**
 * Clients of a channel of the test's own that have its first programme, shortly before it ends. On a busy machine it has
 * ended by then: then another channel has more time.
 */
async function followToTheEnd(
  name: string,
  count = 1,
): Promise<{ id: string; followers: EventClient[]; endsAtMs: number }> {
  for (let seconds = 2; ; seconds *= 2) {
    const id = `${name}-${seconds}`
    const endsAtMs = await channelEndingIn(id, seconds * 1000)
    const followers = Array.from({ length: count }, () => follow(id))
    const events = await Promise.all(followers.map((follower) => follower.received(1)))
    if (events.every(([first]) => titleOf(first) === 'Song 0')) return { id, followers, endsAtMs }
    for (const follower of followers) follower.close()
    await until('they have left', async () => (await openStreams()) === 0)
  }
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
    const { followers, endsAtMs } = await followToTheEnd('changing')
    const events = await followers[0]!.received(2)
    const receivedAtMs = Date.now()
    expect(events.map(titleOf)).toEqual(['Song 0', 'Song 1'])
    const { now_playing } = events[1] as { now_playing: { elapsed: number; duration: number } }
    expect(receivedAtMs).toBeGreaterThanOrEqual(endsAtMs)
    expect(now_playing.elapsed).toBeLessThanOrEqual(
      Math.floor(receivedAtMs / 1000) - Math.floor(endsAtMs / 1000),
    )
  })

  it('come for a change within the second of the last one, after that second', async () => {
    const { id, followers, endsAtMs } = await followToTheEnd('skipping')
    const [client] = followers
    await client!.received(2)
    const state = harness.channels.get(id)
    if (state === undefined) throw new Error('no channel')
    harness.channels.set(id, {
      ...state,
      timelineVersion: 2,
      programmes: nowState(id).programmes.map((one) => ({ ...one, id: `again-${one.id}` })),
    })
    harness.publish('stream.timeline.changed.v1', { channelId: id, timelineVersion: 2, fromSeq: 0 })
    const events = await client!.received(3)
    // The second event came at the end of the first programme, or after it.
    expect(Date.now() - endsAtMs).toBeGreaterThanOrEqual(1000)
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
    )
    viewer.close()
  })

  it('are the same bytes for all clients of a channel', async () => {
    const { followers } = await followToTheEnd('crowded', 100)
    await Promise.all(followers.map((client) => client.received(2)))
    const second = followers.map((client) => JSON.stringify(client.events[1]))
    expect(new Set(second).size).toBe(1)
  })

  it('do not wait for a client that does not read, which gets the newest one', async () => {
    const { followers } = await followToTheEnd('paused', 2)
    const [slow, quick] = followers
    slow!.socket.pause()
    await quick!.received(2)
    slow!.socket.resume()
    const events = await slow!.received(2)
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

  it.each([
    ['ends its side of the connection', (client: EventClient) => client.socket.end()],
    ['resets the connection', (client: EventClient) => client.socket.resetAndDestroy()],
  ])('end when the client %s', async (_how, leave) => {
    const client = follow('default')
    await client.received(1)
    expect(await openStreams()).toBe(1)
    leave(client)
    await until('the gateway has let go of it', async () => (await openStreams()) === 0)
    await client.closed()
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
