import { DEVICE_GRANT } from '@looptide/contracts/http/devices'
import type { CreatedPersonalToken } from '@looptide/contracts/http/personal-tokens'
import { isStaffOperation } from '@looptide/contracts/operation'
import { OPERATIONS, SCOPE_OF } from '@looptide/contracts/operations/all'
import { authSessionLogOut, authUserRead } from '@looptide/contracts/operations/auth/sign-in'
import { DEVICE_SCOPES, TOKEN_SCOPE_NAMES, type TokenScope } from '@looptide/contracts/token-scopes'
import { bearerOf, clientOf } from '@looptide/testkit/client'
import { until } from '@looptide/testkit/until'
import { beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../people.ts'
import { type Accounts, statusesFor } from './accounts.ts'
import { recordedAttempts } from './attempts.ts'
import { UNKNOWN_ID } from './rules.ts'

interface Description {
  paths: Record<string, Record<string, { operationId?: string }>>
}

/** The id of an operation in the OpenAPI description. */
const idOf = (operation: string): string =>
  operation.replaceAll(/[^a-zA-Z0-9]+([a-zA-Z0-9])/g, (_match, letter: string) => letter.toUpperCase())

/** All described operations below a path, with their names. */
async function operationsOf(url: string, below = '/api/') {
  const { paths } = (await (await fetch(`${url}/docs/json`)).json()) as Description
  const names = new Map([...OPERATIONS.keys()].map((name) => [idOf(name), name]))
  return Object.entries(paths)
    .filter(([path]) => path.startsWith(below))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId = '' }]) => ({
        method: method.toUpperCase(),
        route: path,
        path: path.replaceAll(/\{\w+\}/g, UNKNOWN_ID),
        name: names.get(operationId) ?? operationId,
      })),
    )
}

async function createToken(
  url: string,
  session: string,
  scopes: TokenScope[],
): Promise<CreatedPersonalToken> {
  const response = await fetch(`${url}/api/me/tokens`, {
    method: 'POST',
    headers: { ...bearerOf(session), 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'A test', scopes, lifetimeDays: 7 }),
  })
  if (response.status !== 201) throw new Error(`answered ${response.status}`)
  return (await response.json()) as CreatedPersonalToken
}

/** The status and, if refused, the error code. */
async function ask(url: string, token: string | null, method: string, path: string, body?: unknown) {
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      'x-supabase-api-version': '2024-01-01',
      ...(token === null ? {} : bearerOf(token)),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (response.status < 400) return String(response.status)
  return `${response.status} ${(JSON.parse(text) as { code?: string }).code}`
}

const LACKS_SCOPE = '403 insufficient_scope'

/** Operations that accepted a token without their scope, or a token where a session is required; with the responses. */
async function notRefused(url: string, admin: string): Promise<string[]> {
  const without = new Map<TokenScope, string>()
  for (const scope of TOKEN_SCOPE_NAMES) {
    const others = TOKEN_SCOPE_NAMES.filter((other) => other !== scope)
    without.set(scope, (await createToken(url, admin, others)).token)
  }
  const everything = (await createToken(url, admin, [...TOKEN_SCOPE_NAMES])).token
  const operations = await operationsOf(url)
  expect(operations.length).toBeGreaterThan(100)
  const answered: string[] = []
  for (const { method, path, name } of operations) {
    const scope = SCOPE_OF.get(name)
    const token = (scope === undefined ? everything : without.get(scope)) ?? ''
    const answer = await ask(url, token, method, path)
    // The response of a public operation does not depend on the token.
    const isForAnyone = OPERATIONS.get(name)?.audience === 'anyone'
    if (answer === LACKS_SCOPE || (isForAnyone && answer === (await ask(url, null, method, path)))) continue
    answered.push(`${method} ${path}: ${answer}`)
  }
  return answered
}

/** Personal access tokens: their permissions and their end. */
export function describeTokenAccess(station: () => { url: string }, accounts: () => Accounts): void {
  describe('a request with a personal access token', () => {
    it('is refused for every operation outside its scopes, even for an admin', async () => {
      expect(await notRefused(station().url, accounts().requesters.admin?.token ?? '')).toEqual([])
    })

    it('that needs a permission and lacks the scope is in the audit log, once', async () => {
      const { url } = station()
      const operations = (await operationsOf(url)).filter(({ name }) =>
        isStaffOperation(OPERATIONS.get(name) ?? { audience: 'anyone' }),
      )
      expect(operations.length).toBeGreaterThan(50)
      const { id } = accounts().requesters.admin ?? {}
      await until('every refusal is in the log', async () => {
        const recorded = await recordedAttempts(url, accounts())
        return operations.every(({ method, route }) => recorded.get(`${id} ${method} ${route}`) === 1)
      })
    })

    it('is accepted if its scope and the role of its owner allow it', async () => {
      const { url } = station()
      const { requesters } = accounts()
      const viewer = await createToken(url, requesters.user?.token ?? '', ['read', 'playlists'])
      const channel = '/api/channels/default'
      const rows: [string, string, string, unknown?][] = [
        ['200', 'GET', '/api/me'],
        ['200', 'GET', '/api/playlists'],
        ['200', 'GET', '/api/videos'],
        ['201', 'POST', '/api/playlists', { name: 'By a program' }],
        [LACKS_SCOPE, 'POST', '/api/videos', { urls: ['https://youtu.be/accesstable'] }],
        [LACKS_SCOPE, 'POST', '/api/chat/channels/default/messages', { message: 'Hello' }],
        [LACKS_SCOPE, 'PATCH', channel, { name: 'Mine' }],
        ['403 forbidden', 'GET', '/api/theme/history'],
      ]
      for (const [expected, method, path, body] of rows)
        expect([path, await ask(url, viewer.token, method, path, body)]).toEqual([path, expected])
      const admin = await createToken(url, requesters.admin?.token ?? '', ['read'])
      expect(await ask(url, admin.token, 'GET', '/api/theme/history')).toBe('200')
      expect(await ask(url, viewer.token, 'GET', '/auth/v1/user')).toMatch(/^403/)
    })

    it('is refused by every service once the token is revoked', async () => {
      const { url } = station()
      const owner = await signUp(url, 'automator')
      const { id, token } = await createToken(url, owner.accessToken, ['read'])
      const statuses = await statusesFor(url, token)
      expect(statuses.every((status) => status === 200 || status === 403)).toBe(true)
      expect(await ask(url, owner.accessToken, 'DELETE', `/api/me/tokens/${id}`)).toBe('204')
      await until('every service refuses it', async () =>
        (await statusesFor(url, token)).every((status) => status === 401),
      )
    })
  })
}

/** Pairs a TV (RFC 8628) with the account of a session. Returns the TV's access token. */
async function pairTv(url: string, session: string): Promise<string> {
  const send = async (path: string, fields: Record<string, string>): Promise<Record<string, string>> => {
    const body = new URLSearchParams({ client_id: 'tv', ...fields })
    return (await (await fetch(`${url}/auth/v1${path}`, { method: 'POST', body })).json()) as Record<
      string,
      string
    >
  }
  const { device_code = '', user_code = '' } = await send('/device', {})
  await clientOf(url, session).call('POST /auth/v1/device/decision', {
    body: { user_code, decision: 'allow' },
  })
  const { access_token } = await send('/token', { grant_type: DEVICE_GRANT, device_code })
  if (access_token === undefined) throw new Error('the TV got no session')
  return access_token
}

/** What a TV may do with its account by the auth protocol: read it, and sign out. */
const AUTH_OF_DEVICES: ReadonlySet<string> = new Set([authUserRead.name, authSessionLogOut.name])

/** Paired TVs: their permissions. */
export function describeDeviceAccess(station: () => { url: string }, accounts: () => Accounts): void {
  describe('a request of a paired TV', () => {
    let tv: string
    beforeAll(async () => {
      tv = await pairTv(station().url, accounts().requesters.admin?.token ?? '')
    })

    it('is refused outside its scopes, and everything of staff also within them, even for an admin', async () => {
      const { url } = station()
      const answered: string[] = []
      for (const { method, path, name } of await operationsOf(url)) {
        const operation = OPERATIONS.get(name)
        const scope = SCOPE_OF.get(name)
        const isWithin = scope !== undefined && DEVICE_SCOPES.includes(scope)
        if (isWithin && !isStaffOperation(operation ?? { audience: 'anyone' })) continue
        const answer = await ask(url, tv, method, path)
        const isForAnyone = operation?.audience === 'anyone'
        const isRefused = answer === (isWithin ? '403 forbidden' : LACKS_SCOPE)
        if (!isRefused && !(isForAnyone && answer === (await ask(url, null, method, path))))
          answered.push(`${method} ${path}: ${answer}`)
      }
      expect(answered).toEqual([])
    })

    it('changes nothing of the account by the auth protocol, and pairs no other TV', async () => {
      const { url } = station()
      const operations = (await operationsOf(url, '/auth/v1/')).filter(
        ({ name }) => OPERATIONS.get(name)?.audience === 'user' && !AUTH_OF_DEVICES.has(name),
      )
      expect(operations.length).toBeGreaterThan(10)
      for (const { method, path } of operations)
        expect([method, path, await ask(url, tv, method, path)]).toEqual([method, path, LACKS_SCOPE])
      expect(await ask(url, tv, 'GET', '/auth/v1/user')).toBe('200')
    })
  })
}
