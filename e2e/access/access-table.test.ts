import { serviceNames } from '@looptide/backing/service-names'
import type { Station } from '@looptide/runner/station/station'
import { startTestStation } from '@looptide/test-station/station'
import { bearerOf } from '@looptide/testkit/client'
import { startFakeYoutube } from '@looptide/testkit/fake-youtube/server'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PROXY_ROUTES } from '../../gateway/src/http/proxy-routes.ts'
import { ROLE_TOPICS, TOPIC_RULES } from '../../gateway/src/realtime/topic/topic-rules.ts'
import { startGatewayHarness } from '../../gateway/tests/_harness.ts'
import { type Accounts, createAccounts, requestOf, statusesFor } from '../support/access/accounts.ts'
import { expectedAttempts, recordedAttempts, refusedRequesters } from '../support/access/attempts.ts'
import {
  cellsOf,
  NOT_REQUESTED,
  REQUESTERS,
  type Requester,
  type Rule,
} from '../support/access/requesters.ts'
import { describeDeviceAccess, describeTokenAccess } from '../support/access/token-access.ts'
import { TOPIC_ACCESS } from '../support/access/topic-access.ts'
import { BareSocket } from '../support/bare-socket.ts'
import { letAnHourPass } from '../support/guarded-actions.ts'
import { signIn, signUp } from '../support/people.ts'
import { ALL_RULES, RULED_ROUTES, routeOf } from '../support/route-rules.ts'

interface Description {
  paths: Record<string, Record<string, { tags?: string[] }>>
}

const STRANGER_ORIGIN = 'https://evil.test'

let youtube: Awaited<ReturnType<typeof startFakeYoutube>>
let station: Station
let accounts: Accounts
/** Responses that set a cookie or, outside the auth protocol, allow pages of other sites to read them. */
const loose: string[] = []

beforeAll(async () => {
  youtube = await startFakeYoutube()
  station = await startTestStation({
    fakeYoutube: youtube.url,
    processes: 'one',
  })
  accounts = await createAccounts(station.url)
})
afterAll(async () => {
  await station.stop()
  await youtube.stop()
})

/** What `cellFor` sends instead of a rule's body. */
const UNREADABLE = '{"'

/** The status and, if refused, the error code. */
async function cellFor(requester: Requester, row: string, rule: Rule, isReadable = true): Promise<string> {
  const { method, path, ...valid } = requestOf(routeOf(row), rule, requester, accounts)
  const body = isReadable ? valid.body : method === 'GET' ? undefined : UNREADABLE
  const token = accounts.requesters[requester]?.token
  const query = isReadable ? '' : `${path.includes('?') ? '&' : '?'}limit=none&unknown=1`
  const response = await fetch(`${station.url}${path}${query}`, {
    method,
    redirect: 'manual',
    headers: {
      origin: STRANGER_ORIGIN,
      'x-supabase-api-version': '2024-01-01',
      ...(token === undefined ? {} : bearerOf(token)),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  })
  const isProtocol = path.startsWith('/auth/v1')
  if (response.headers.has('set-cookie')) loose.push(`${row} sets a cookie`)
  if (response.headers.has('access-control-allow-origin') !== (isProtocol || rule.isForAllPages === true))
    loose.push(`${row} says who else may read it, or does not`)
  if (response.headers.has('access-control-allow-credentials')) loose.push(`${row} lets cookies in`)
  if (response.headers.get('content-type') === 'text/event-stream') {
    await response.body?.cancel()
    return String(response.status)
  }
  const text = await response.text()
  if (response.status < 400) return String(response.status)
  const { code } = JSON.parse(text) as { code?: string }
  return code === undefined ? String(response.status) : `${response.status} ${code}`
}

async function cells(
  ask: (requester: Requester) => Promise<string>,
  expected: Readonly<Record<Requester, string>>,
) {
  const answers = REQUESTERS.map(
    async (requester): Promise<[Requester, string]> => [
      requester,
      expected[requester] === NOT_REQUESTED ? NOT_REQUESTED : await ask(requester),
    ],
  )
  return Object.fromEntries(await Promise.all(answers))
}

/** Why the station could not answer, from its logs, if one of the answers is a 5xx. */
function failuresOf(answers: readonly string[]): string {
  if (!answers.some((answer) => answer.startsWith('5'))) return ''
  const lines = serviceNames.flatMap((name) => station.logs(name).split('\n'))
  return lines
    .filter((line) => line.includes('"level":50'))
    .slice(-5)
    .join('\n')
}

const isUnder = (route: string, prefix: string): boolean => {
  const path = route.split(' ')[1] ?? ''
  return path === prefix || path.startsWith(`${prefix}/`)
}

/** The routes in Fastify's printed tree, which has four characters per level; without HEAD. */
function printedRoutes(tree: string): string[] {
  const path: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods = ''] =
      /^((?:│ {3}| {4})*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/u.exec(line) ?? []
    path.splice(indent.length / 4)
    path.push(part)
    const address = path
      .join('')
      .replace(/\/?\*$/, '/*')
      .replaceAll(/\/:(\w+)/g, '/{$1}')
    return methods
      .split(', ')
      .filter((method) => method !== '' && method !== 'HEAD')
      .map((method) => `${method} ${address}`)
  })
}

/** All resources of the stranger, as the stranger sees them. */
async function belongings(): Promise<unknown[]> {
  const { token, id, playlistId, publicId } = accounts.stranger
  const lists = [playlistId, publicId].flatMap((list) => [
    `/api/playlists/${list}`,
    `/api/playlists/${list}/items`,
  ])
  const paths = ['/api/me', `/api/profiles/${id}`, '/api/me/sessions', '/api/playlists', ...lists]
  return Promise.all(
    paths.map(async (path) => {
      const response = await fetch(`${station.url}${path}`, { headers: bearerOf(token) })
      // Views and titles of a video do not belong to one account.
      const named = (key: string, value: unknown) => (key === 'video' ? (value as { id: string }).id : value)
      return [path, response.status, JSON.parse(JSON.stringify(await response.json(), named))]
    }),
  )
}

describe('the access table', () => {
  it('has exactly the routes of all services', async () => {
    const description = await until('the OpenAPI document has every service', async () => {
      const merged = (await (await fetch(`${station.url}/docs/json`)).json()) as Description
      const tags = Object.values(merged.paths).flatMap((methods) =>
        Object.values(methods).flatMap((it) => it.tags ?? []),
      )
      return serviceNames.every((service) => tags.includes(service)) ? merged : undefined
    })
    const isPublic = ([path]: [string, unknown]) =>
      /^\/(?:api|auth|realtime\/v1\/api)\//.test(path) && !/[*/]$|\{\*\}/.test(path)
    const described = Object.entries(description.paths)
      .filter(isPublic)
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
    expect(described.filter((route) => !RULED_ROUTES.has(route))).toEqual([])
    const ruled = [...RULED_ROUTES].filter(
      (route) => / \/(?:api|auth|realtime\/v1\/api)\//.test(route) && !route.endsWith('*'),
    )
    expect(ruled.filter((route) => !described.includes(route))).toEqual([])
  })

  it('has every route of the gateway, and a service’s route for each proxy route', async () => {
    const { gateway, close } = await startGatewayHarness()
    const own = printedRoutes(gateway.app.printRoutes({ commonPrefix: false })).filter(
      (route) => !PROXY_ROUTES.some(({ prefix }) => isUnder(route, prefix)),
    )
    await close()
    expect(own).toContain('GET /livez')
    const isDocs = (route: string) => / \/docs\/(?!json$)/.test(route)
    expect(own.filter((route) => !RULED_ROUTES.has(route) && !isDocs(route))).toEqual([])
    const isRuled = (prefix: string) =>
      [...RULED_ROUTES].some((route) => isUnder(route, prefix.replaceAll(/:(\w+)/g, '{$1}')))
    expect(PROXY_ROUTES.filter(({ prefix }) => !isRuled(prefix))).toEqual([])
  })

  it('has every kind of topic of the hub', () => {
    expect(Object.keys(TOPIC_ACCESS).sort()).toEqual(Object.keys(TOPIC_RULES).sort())
  })
})

describe('every request gets the response in the table', () => {
  // The table has more guarded actions than an admin may do per hour.
  beforeEach(() => letAnHourPass(station))
  let before: unknown[]
  beforeAll(async () => {
    before = await belongings()
  })

  it.each(ALL_RULES)('%s', async (row, rule) => {
    const expected = cellsOf(rule)
    const answers = await cells((requester) => cellFor(requester, row, rule), expected)
    expect(answers, failuresOf(Object.values(answers))).toEqual(expected)
  })

  it.each([...refusedRequesters()])(
    '%s refuses invalid requests by others in the same way',
    async (route, refused) => {
      const [, rule] = ALL_RULES.find(([row]) => routeOf(row) === route) ?? []
      if (rule === undefined) throw new Error('no rule')
      const answers = refused.map(
        async ([requester]): Promise<[Requester, string]> => [
          requester,
          await cellFor(requester, route, rule, false),
        ],
      )
      expect(await Promise.all(answers)).toEqual(refused)
    },
  )

  it('and the stranger’s resources are unchanged', async () => {
    expect(await belongings()).toEqual(before)
  })

  it('and every attempt of a user who lacked the role is in the audit log, once', async () => {
    const expected = expectedAttempts(accounts)
    expect(expected.size).toBeGreaterThan(100)
    await until('every refusal is in the log', async () => {
      const recorded = await recordedAttempts(station.url, accounts)
      const wrong = [...expected].filter(([attempt, times]) => recorded.get(attempt) !== times)
      if (wrong.length > 0) throw new Error(`not as often as refused: ${wrong.slice(0, 10).join('; ')}`)
      return true
    })
  })

  it('and no other attempt is in the log', async () => {
    const expected = expectedAttempts(accounts)
    const others = [...(await recordedAttempts(station.url, accounts)).keys()].filter(
      (attempt) => !expected.has(attempt),
    )
    // During the preparation, the moderator requested this until chat had applied the role.
    const waiting = `${accounts.requesters.moderator?.id} PATCH /api/chat/channels/{id}/settings`
    expect(others.filter((attempt) => attempt !== waiting)).toEqual([])
  })

  it('and no response sets a cookie or, outside the auth protocol, can be read by other sites', () => {
    expect(loose).toEqual([])
  })

  it('a token in a cookie does not sign anyone in', async () => {
    const token = accounts.requesters.user?.token ?? ''
    const cookie = ['access_token', 'sb-access-token', 'session', 'authorization']
      .map((name) => `${name}=${token}`)
      .join('; ')
    expect((await fetch(`${station.url}/api/me`, { headers: { cookie } })).status).toBe(401)
  })
})

describeTokenAccess(
  () => station,
  () => accounts,
)

describeDeviceAccess(
  () => station,
  () => accounts,
)

describe('every join gets the reply in the table', () => {
  const topicOf = (kind: string, requester: Requester): string => {
    if (kind === 'stream' || kind === 'chat') return `${kind}:default`
    if (kind !== 'user') return kind
    const owner =
      requester === 'other' ? accounts.stranger : (accounts.requesters[requester] ?? accounts.stranger)
    return `user:${owner.id}`
  }

  it.each(Object.entries(TOPIC_ACCESS))('%s', async (kind, { join, broadcast, presence }) => {
    const sockets = new Map<Requester, BareSocket>()
    const socketOf = (requester: Requester): BareSocket => sockets.get(requester) as BareSocket
    for (const requester of REQUESTERS) sockets.set(requester, await BareSocket.open(station.url))
    const joined = await cells(
      (requester) =>
        socketOf(requester).tryJoin(topicOf(kind, requester), accounts.requesters[requester]?.token),
      join,
    )
    if (ROLE_TOPICS.some((topic) => topic === kind)) {
      const refused = REQUESTERS.filter((requester) =>
        join[requester].endsWith('you may not join this topic'),
      )
      await until('the refusal is in the audit log', async () => {
        const recorded = await recordedAttempts(station.url, accounts)
        const ids = refused.map((requester) => accounts.requesters[requester]?.id)
        return ids.length > 0 && ids.every((id) => recorded.get(`${id} phx_join realtime:${kind}`) === 1)
      })
    }
    const said = await cells(
      (requester) =>
        socketOf(requester).ask(topicOf(kind, requester), 'broadcast', {
          type: 'broadcast',
          event: 'hello',
          payload: {},
        }),
      broadcast,
    )
    const tracked = await cells(
      (requester) =>
        socketOf(requester).ask(topicOf(kind, requester), 'presence', {
          type: 'presence',
          event: 'track',
          payload: {},
        }),
      presence,
    )
    for (const socket of sockets.values()) socket.close()
    expect({ join: joined, broadcast: said, presence: tracked }).toEqual({ join, broadcast, presence })
  })
})

describe('what is not public', () => {
  it('internal endpoints cannot be reached from outside', async () => {
    for (const path of ['/internal/guard', '/internal/access', '/internal/videos']) {
      for (const member of Object.values(accounts.requesters)) {
        const response = await fetch(`${station.url}${path}`, {
          method: path.endsWith('guard') ? 'POST' : 'GET',
          headers: member === undefined ? {} : bearerOf(member.token),
        })
        await response.body?.cancel()
        // Any other path returns the web app's page, which shows that nothing was found.
        const isPage = response.headers.get('content-type')?.startsWith('text/html') === true
        expect([path, response.ok && !isPage]).toEqual([path, false])
      }
    }
  })
})

describe('a signed-out session', () => {
  it('is refused by every service, on the socket, and for a refresh', async () => {
    const { email, password, id } = await signUp(station.url, 'leaver')
    const token = await signIn(station.url, email, password)
    const socket = await BareSocket.open(station.url)
    await socket.join(`user:${id}`, token)
    const post = (path: string, headers: Record<string, string>, body: unknown) =>
      fetch(`${station.url}/auth/v1${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-supabase-api-version': '2024-01-01', ...headers },
        body: JSON.stringify(body),
      })
    const session = (await (
      await post('/token?grant_type=password', {}, { email, password })
    ).json()) as Record<'refresh_token' | 'access_token', string>
    const bearer = bearerOf(token)
    expect((await post('/logout?scope=global', bearer, {})).status).toBe(204)

    for (const each of [token, session.access_token]) {
      await until('every service refuses it', async () =>
        (await statusesFor(station.url, each)).every((status) => status === 401),
      )
      const user = await fetch(`${station.url}/auth/v1/user`, {
        headers: bearerOf(each),
      })
      expect(user.status).toBe(403)
      await until('the gateway refuses it', async () => {
        const again = await BareSocket.open(station.url)
        const reply = await again.tryJoin(`user:${id}`, each)
        again.close()
        return reply.endsWith('its session has ended')
      })
    }
    await until('the socket is closed', () => socket.closeCode !== undefined)
    const refreshed = await post(
      '/token?grant_type=refresh_token',
      {},
      { refresh_token: session.refresh_token },
    )
    expect([refreshed.status, ((await refreshed.json()) as { code: string }).code]).toEqual([
      400,
      'refresh_token_not_found',
    ])
  })
})
