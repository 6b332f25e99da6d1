import type { Station } from '@looptide/runner/station'
import { startFakeYoutube } from '@looptide/testkit/fake-youtube/server'
import { startTestStation, testAdmin } from '@looptide/testkit/station'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signIn, signUp } from './support/people.ts'
import { addressOf, FURTHER_RULES, ROUTE_RULES, type Rule } from './support/route-rules.ts'

interface Description {
  paths: Record<string, Record<string, { tags?: string[] }>>
}

const SERVICES = ['auth', 'catalogue', 'stream-scheduler', 'chat', 'admin-audit', 'metadata-worker']

let youtube: Awaited<ReturnType<typeof startFakeYoutube>>
let station: Station
let tokens: Record<'visitor' | 'user' | 'moderator', string | undefined>

async function request(route: string, token: string | undefined, body?: unknown): Promise<Response> {
  const { method, path } = addressOf(route)
  return fetch(`${station.url}${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

/** What is answered to somebody: `401 unauthorized`, `403 forbidden`, or `let in`, whatever came of it. */
async function verdict(route: string, token: string | undefined, { body }: Rule): Promise<string> {
  const response = await request(route, token, body)
  if (response.status !== 401 && response.status !== 403) {
    await response.body?.cancel()
    return 'let in'
  }
  const { code } = (await response.json()) as { code: string }
  return `${response.status} ${code}`
}

beforeAll(async () => {
  youtube = await startFakeYoutube()
  station = await startTestStation({ fakeYoutube: youtube.url })
  const [admin, user, moderator] = await Promise.all([
    signIn(station.url, testAdmin.email, testAdmin.password),
    signUp(station.url, 'user'),
    signUp(station.url, 'moderator'),
  ])
  const given = await fetch(`${station.url}/api/users/${moderator.id}/role`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
    body: JSON.stringify({ role: 'moderator' }),
  })
  expect(given.status).toBe(200)
  tokens = { visitor: undefined, user: user.accessToken, moderator: moderator.accessToken }
  await until('every service knows the moderator', async () => {
    const path = '/api/chat/channels/nowhere/settings'
    return (await verdict(`PATCH ${path}`, tokens.moderator, { audience: 'moderator' })) === 'let in'
  })
})
afterAll(async () => {
  await station.stop()
  await youtube.stop()
})

describe('who may ask for what', () => {
  it('is ruled for every address of every service, and for none that there is not', async () => {
    const description = await until('every service has described itself', async () => {
      const merged = (await (await fetch(`${station.url}/docs/json`)).json()) as Description
      const tags = Object.values(merged.paths).flatMap((methods) =>
        Object.values(methods).flatMap((it) => it.tags ?? []),
      )
      return SERVICES.every((service) => tags.includes(service)) ? merged : undefined
    })
    const routes = Object.entries(description.paths)
      .filter(([path]) => path.startsWith('/api/') && !/[*/]$|\{\*\}/.test(path))
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
    expect(routes.filter((route) => !ROUTE_RULES.has(route))).toEqual([])
    expect([...ROUTE_RULES.keys()].filter((route) => !routes.includes(route))).toEqual([])
  })

  it.each([...ROUTE_RULES, ...FURTHER_RULES])('%s', async (route, rule) => {
    const verdicts = {
      visitor: await verdict(route, tokens.visitor, rule),
      user: await verdict(route, tokens.user, rule),
      moderator: await verdict(route, tokens.moderator, rule),
    }
    const [out, no, yes] = ['401 unauthorized', '403 forbidden', 'let in']
    if (rule.audience === 'admin') expect(verdicts).toEqual({ visitor: out, user: no, moderator: no })
    else if (rule.audience === 'moderator') expect(verdicts).toMatchObject({ visitor: out, user: no })
    else if (rule.audience === 'user') expect(verdicts.visitor).toBe(out)
    else expect(verdicts).toEqual({ visitor: yes, user: yes, moderator: yes })
  })

  it('nobody reaches what services tell each other', async () => {
    for (const path of ['/internal/guard', '/internal/access', '/internal/videos']) {
      for (const token of Object.values(tokens)) {
        const response = await fetch(`${station.url}${path}`, {
          method: path.endsWith('guard') ? 'POST' : 'GET',
          headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
        })
        await response.body?.cancel()
        // Whatever is no address of ours is the web app's, whose page says that there is nothing.
        const isPage = response.headers.get('content-type')?.startsWith('text/html') === true
        expect([path, response.ok && !isPage]).toEqual([path, false])
      }
    }
  })
})
