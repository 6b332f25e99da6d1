import { type AddressInfo, createServer, type Server } from 'node:net'
import { withClient } from '@looptide/backing/database/set-up'
import type { Station } from '@looptide/runner/station/station'
import { startTestStation, testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { type FakeYoutube, startFakeYoutube } from '@looptide/testkit/fake-youtube/server'
import { type OpenIdProvider, startOpenIdProvider } from '@looptide/testkit/openid-provider'
import { until } from '@looptide/testkit/until'
import { fingerprint } from '../fingerprint.ts'
import { signIn, signUp, type Viewer } from '../people.ts'
import { type Route, readRoutes } from './routes.ts'
import type { Ingredients } from './schema-values.ts'
import { Sender } from './sender.ts'

/**
 * Tables that change although every request is refused: leaders renew their leases once a second, and refused admin
 * attempts are counted and audited ({@link REFUSALS}; all other audit entries are compared).
 */
const LIVING: readonly string[] = [
  'scheduler.replicas',
  'admin_audit.audit_chain',
  'admin_audit.audit_digests',
  'admin_audit.audit_log',
  'admin_audit.inbox',
  'admin_audit.outbox_seq_seq',
  'admin_audit.refused_attempts',
  'admin_audit.refused_attempts_of_networks',
  'admin_audit.security_marks',
]

/** Audit entries of refused admin attempts: one for each, and one a day for an account with many of them. */
const REFUSALS = "('security_unauthorized_admin_attempt', 'security_high_activity_detected')"

/** All audit entries except those of refused attempts. */
async function auditedChanges(databaseUrl: string): Promise<string> {
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query<{ entries: string }>(
      `select count(*) || ' entries' as entries from admin_audit.audit_log
       where action not in ${REFUSALS}`,
    ),
  )
  return rows[0]?.entries ?? ''
}

/**
 * A listener that must receive no connection: a process that connects has followed a URL in a client's text. It has its
 * own loopback address: responses repeat stored texts, and a response with the address of one of our processes is a
 * fault.
 */
interface Bait {
  /** `http://127.0.0.2:port` */
  url: string
  calls: number
}

/** A station with data and accounts, and the state that the final checks compare. */
export interface FuzzFixture {
  station: Station
  youtube: FakeYoutube
  /** The OpenID provider `company` of the station. */
  provider: OpenIdProvider
  routes: Route[]
  sender: Sender
  user: Viewer
  tokens: Record<'user' | 'admin', string>
  from: Ingredients
  bait: Bait
  /** Origin of the gateway's metrics. It is read after the start, because later the log file may have been rotated. */
  gatewayMetricsUrl: string
  /** Digests at the start. */
  pids: Record<string, number>
  /** A digest of every table and sequence that changes only when a request is accepted. */
  print(): Promise<Record<string, string>>
  close(): Promise<void>
}

async function startBait(): Promise<Bait & { server: Server }> {
  const bait = { url: '', calls: 0, server: createServer() }
  bait.server.on('connection', (socket) => {
    bait.calls += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => bait.server.listen(0, '127.0.0.2', resolve))
  bait.url = `http://127.0.0.2:${(bait.server.address() as AddressInfo).port}`
  return bait
}

/** Starts a station, creates data of every kind, and stops its channels so that it is idle. */
export async function startFuzzFixture(): Promise<FuzzFixture> {
  const [youtube, bait, provider] = await Promise.all([
    startFakeYoutube(),
    startBait(),
    startOpenIdProvider(),
  ])
  const { issuer, clientId, clientSecret } = provider
  const company = { id: 'company', name: 'Company', issuer, clientId, clientSecret }
  const env = { OIDC_PROVIDERS: JSON.stringify([company]) }
  const station = await startTestStation({ fakeYoutube: youtube.url, env, processes: 'one' })
  const [, gatewayMetricsUrl = ''] = /"metricsUrl":"([^"]+)"/.exec(station.logs('gateway')) ?? []
  const [admin, user, victim] = await Promise.all([
    signIn(station.url, testAdmin.email, testAdmin.password),
    signUp(station.url, 'user'),
    signUp(station.url, 'victim'),
  ])
  const tokens = { user: user.accessToken, admin }
  const ids = await furnish(station.url, tokens)
  await noteArrivals(station.url, tokens)
  const sender = new Sender(station.url, { ...tokens, operator: station.secrets.serviceKey })
  const print = async () => {
    const all = await fingerprint(station.databaseUrl)
    const still = Object.entries(all).filter(([name]) => !LIVING.includes(name))
    return { ...Object.fromEntries(still), audited: await auditedChanges(station.databaseUrl) }
  }
  return {
    station,
    youtube,
    provider,
    routes: await readRoutes(station.url),
    sender,
    user,
    tokens,
    from: { ids: [...ids, victim.id, 'test-card'], bait: bait.url },
    bait,
    gatewayMetricsUrl,
    pids: { ...station.pids },
    print,
    close: async () => {
      await sender.close()
      await station.stop()
      await youtube.stop()
      await provider.stop()
      bait.server.close()
    },
  }
}

/** Auth stores once that a session's tokens have arrived. Doing it here ensures that no refused request causes this write. */
async function noteArrivals(url: string, tokens: FuzzFixture['tokens']): Promise<void> {
  for (const token of Object.values(tokens)) await clientOf(url, token).call('GET /auth/v1/user')
}

/** Creates a row for each path parameter; returns the ids. */
async function furnish(url: string, tokens: FuzzFixture['tokens']): Promise<string[]> {
  const { items: videos } = await clientOf(url, tokens.user).call('GET /api/videos', { query: { limit: 3 } })
  const playlist = await clientOf(url, tokens.user).call('POST /api/playlists', { body: { name: 'Mine' } })
  const videoId = videos[0]?.id ?? ''
  const item = await clientOf(url, tokens.user).call('POST /api/playlists/:id/items', {
    params: { id: playlist.id },
    body: { videoId },
  })
  const { lines } = await clientOf(url, tokens.user).call('POST /api/videos', {
    body: {
      urls: ['https://youtu.be/fuzzwaiting'],
    },
  })
  const submitted = lines.map((line) => line.video?.id ?? '')
  const channel = await clientOf(url, tokens.admin).call('POST /api/channels', { body: { name: 'Hostile' } })
  await clientOf(url, tokens.user).call('POST /api/chat/channels/:id/messages', {
    params: { id: 'test-card' },
    body: {
      clientId: crypto.randomUUID(),
      message: 'Hello',
    },
  })
  for (const id of ['default', 'test-card', 'night-and-day'])
    await clientOf(url, tokens.admin).call('POST /api/channels/:id/stream', {
      params: { id },
      body: { action: 'stop' },
    })
  return [...videos.map(({ id }) => id), ...submitted, playlist.id, item.id, channel.id]
}

/** Number of equal digests in a row after which a station counts as idle. */
const SAME = 5

/** Pending work of the station: events to publish, channels to plan again. */
const isQueue = (table: string): boolean => table.endsWith('.outbox') || table === 'scheduler.stale_channels'
const EMPTY = '0 rows, empty'

/** Waits until a station has no pending work. */
export async function untilQuiet(fixture: FuzzFixture): Promise<Record<string, string>> {
  let last = ''
  let same = 0
  return until('the station is idle', async () => {
    const print = await fixture.print()
    const isIdle = Object.entries(print).every(([table, state]) => !isQueue(table) || state === EMPTY)
    const text = JSON.stringify(print)
    same = isIdle && text === last ? same + 1 : 0
    last = text
    return same >= SAME ? print : null
  })
}
