import { operation } from '@looptide/contracts/operation'
import { Line } from '@looptide/contracts/text-fields'
import { Type } from 'typebox'
import { expect, it, onTestFinished } from 'vitest'
import { buildServer } from '../http/server.ts'
import type { RequestUser } from '../identity/request-user.ts'
import { createLogger } from '../telemetry/logger.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import { bindRoutes } from './bind-routes.ts'
import { answer, type Route, route } from './route.ts'

const Note = Type.Object({ text: Type.String() })
const noteGet = operation({
  name: 'notes.note.get',
  summary: 'Get a note',
  call: 'GET /notes/:id',
  audience: 'anyone',
  token: 'read',
  versioned: ['ETag'],
  input: { params: Type.Object({ id: Line() }) },
  output: { 200: Note },
})
const noteSave = operation({
  name: 'notes.note.save',
  summary: 'Save a note',
  call: 'PUT /notes/:id',
  audience: 'user',
  token: 'session-only',
  proof: 'recent-sign-in',
  input: { params: Type.Object({ id: Line() }), body: Type.Object({ text: Line() }) },
  output: { 200: Note, 201: Note },
})
const noteDelete = operation({
  name: 'notes.note.delete',
  summary: 'Delete a note',
  call: 'DELETE /notes/:id',
  audience: 'chat:moderate',
  token: 'session-only',
  output: { 204: null },
})
const OPERATIONS = [noteGet, noteSave, noteDelete]
const ROUTES = [
  route(noteGet, ({ params, reply }) => {
    reply.header('etag', '"1"')
    return { text: params.id, secret: 'not in the definition' }
  }),
  route(noteSave, ({ body, user }) => answer(user.isAnonymous ? 200 : 201, body, { 'x-kept': 'yes' })),
  route(noteDelete, () => undefined),
]

const NOW_MS = Date.parse('2026-06-01T12:00:00Z')
const USER: RequestUser = {
  id: 'u',
  sessionId: 's',
  generation: 0,
  email: 'a@example.test',
  isAnonymous: false,
  role: 'user',
  lacksFactor: false,
  aal: 'aal1',
  signedInAtMs: NOW_MS,
  hasFactor: false,
  factorVerifiedAtMs: null,
  scopes: null,
}

async function start(user: RequestUser | null, routes: readonly Route[] = ROUTES) {
  const app = buildServer({ name: 'test', logger: createLogger('t', 'silent'), metrics: createMetrics('t') })
  onTestFinished(() => app.close())
  app.decorateRequest('user', null)
  app.addHook('onRequest', async (request) => {
    request.user = user
  })
  const options = { internalTokensAccepted: ['token'], now: () => NOW_MS }
  await bindRoutes(app, { name: 'notes', operations: OPERATIONS }, routes, options)
  return app
}

it('answers with the single status of the operation, and only with what it declares', async () => {
  const app = await start(null)
  const read = await app.inject({ method: 'GET', url: '/notes/a' })
  expect([read.statusCode, read.json(), read.headers.etag]).toEqual([200, { text: 'a' }, '"1"'])
  const moderator = await start({ ...USER, role: 'moderator' })
  const deleted = await moderator.inject({ method: 'DELETE', url: '/notes/a' })
  expect([deleted.statusCode, deleted.body]).toEqual([204, ''])
})

it('answers with the status and the headers that the handler names', async () => {
  const app = await start(USER)
  const saved = await app.inject({ method: 'PUT', url: '/notes/a', payload: { text: 'b' } })
  expect([saved.statusCode, saved.json(), saved.headers['x-kept']]).toEqual([201, { text: 'b' }, 'yes'])
})

it('refuses a caller before it looks at the body', async () => {
  const ask = async (method: string, user: RequestUser | null) => {
    const url = await (await start(user)).listen({ host: '127.0.0.1', port: 0 })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${url}/notes/a`, { method, headers, body: '{"unknown":' })
    return [response.status, ((await response.json()) as { code: string }).code]
  }
  expect(await ask('PUT', null)).toEqual([401, 'unauthorized'])
  expect(await ask('PUT', { ...USER, signedInAtMs: 0 })).toEqual([403, 'recent_sign_in_required'])
  expect(await ask('PUT', USER)).toEqual([400, 'bad_json'])
  expect(await ask('DELETE', USER)).toEqual([403, 'forbidden'])
})

it('does not start with an operation that has no handler', async () => {
  await expect(start(null, ROUTES.slice(1))).rejects.toThrow(
    'notes.note.get has no handler: add route(…) to a routes.ts of notes',
  )
})

it('does not start with a handler of an operation that it does not own', async () => {
  const foreign = operation({ ...noteGet, name: 'other.note.get', call: 'GET /others/:id' })
  const routes = [...ROUTES, route(foreign, ({ params }) => ({ text: params.id }))]
  await expect(start(null, routes)).rejects.toThrow(
    'other.note.get has a handler in notes, which does not own it',
  )
})
