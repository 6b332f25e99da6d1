import { PUBLIC_API_KEY } from '@looptide/contracts/realtime'
import { until } from '@looptide/testkit/until'
import { RealtimeClient as Client10 } from 'realtime-js-2.10'
import { RealtimeClient as Client11 } from 'realtime-js-2.11'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type GatewayHarness, startGatewayHarness } from './_harness.ts'
import { RawClient } from './_raw-client.ts'

/** realtime-js 2.7 to 2.11 send the API key as access token while no user is signed in. */
let harness: GatewayHarness
const cleanups: (() => unknown)[] = []

beforeAll(async () => {
  harness = await startGatewayHarness()
})
afterAll(() => harness.close())
afterEach(() => {
  for (const cleanUp of cleanups.splice(0)) cleanUp()
})

/** What the tests use of the clients, whose types differ. */
interface OldClient {
  setAuth(token: string | null): unknown
  disconnect(): void
  channel(topic: string): {
    on(type: 'broadcast', filter: { event: string }, callback: (message: { event: string }) => void): unknown
    subscribe(callback: (status: string) => void): unknown
  }
}

const START = {
  '2.10': (url: string, apikey: string) => new Client10(url, { params: { apikey } }),
  '2.11': (url: string, apikey: string) => new Client11(url, { params: { apikey } }),
}

function start(version: keyof typeof START, apikey = PUBLIC_API_KEY): OldClient {
  const client = START[version](harness.realtimeUrl, apikey) as unknown as OldClient
  cleanups.push(() => client.disconnect())
  return client
}

/** Subscribes to a topic. Returns the statuses that the app receives, and the events of its broadcasts. */
function subscribe(client: OldClient, topic: string): { statuses: string[]; events: string[] } {
  const statuses: string[] = []
  const events: string[] = []
  const channel = client.channel(topic)
  channel.on('broadcast', { event: '*' }, ({ event }) => events.push(event))
  channel.subscribe((status) => statuses.push(status))
  return { statuses, events }
}

async function raw(query?: string): Promise<RawClient> {
  const client = new RawClient(harness.realtimeUrl, query)
  cleanups.push(() => client.close())
  return client.open()
}

describe.each(Object.keys(START) as (keyof typeof START)[])('realtime-js %s', (version) => {
  it.each([PUBLIC_API_KEY, 'a-key-of-another-station'])(
    'subscribes to public topics without a user, with the key %s',
    async (apikey) => {
      const { statuses, events } = subscribe(start(version, apikey), 'stream:default')
      await until('the snapshot is received', () => events.includes('snapshot'))
      await until('it is subscribed', () => statuses.length > 0)
      expect(statuses).toEqual(['SUBSCRIBED'])
    },
  )

  it('stays in public topics when a user signs in and out, and joins private topics in between', async () => {
    const user = await harness.identity.createUser()
    const client = start(version)
    const station = subscribe(client, 'station')
    await until('the public topic is joined', () => station.statuses.length > 0)
    await client.setAuth(user.token)
    const own = subscribe(client, `user:${user.id}`)
    await until('the private topic is joined', () => own.statuses.length > 0)
    await client.setAuth(PUBLIC_API_KEY)
    harness.publish('catalogue.home.changed.v1', {})
    await until('the push is received', () => station.events.includes('home'))
    expect([...station.statuses, ...own.statuses]).toEqual(['SUBSCRIBED', 'SUBSCRIBED'])
  })
})

describe('the API key as access token', () => {
  it('does not end a membership when a client sends it again', async () => {
    const user = await harness.identity.createUser()
    const client = await raw('apikey=other&vsn=2.0.0')
    const topic = `realtime:user:${user.id}`
    const { joinRef } = await client.join(topic, { access_token: user.token })
    for (const key of [PUBLIC_API_KEY, 'other'])
      client.send(topic, 'access_token', { access_token: key }, joinRef)
    await client.settled()
    expect(client.messages.map(([, , , event]) => event)).not.toContain('phx_close')
  })

  it('opens no private topic', async () => {
    const user = await harness.identity.createUser()
    const client = await raw()
    for (const key of [PUBLIC_API_KEY, 'k'])
      expect(await client.join(`realtime:user:${user.id}`, { access_token: key })).toMatchObject({
        status: 'error',
        response: { reason: 'Unauthorized: this topic needs an access token' },
      })
  })

  it('of another socket is an invalid token', async () => {
    expect((await (await raw()).join('realtime:station', { access_token: 'other' })).status).toBe('error')
  })

  it('that is a valid access token signs the user in', async () => {
    const user = await harness.identity.createUser()
    const client = await raw(`apikey=${user.token}&vsn=2.0.0`)
    expect((await client.join(`realtime:user:${user.id}`, { access_token: user.token })).status).toBe('ok')
  })
})
