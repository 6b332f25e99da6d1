import { expect, it } from 'vitest'
import { createApi } from './api.ts'

interface Call {
  url: string
  init: RequestInit
}

function apiAnswering(
  status: number,
  body: string,
  token: string | null = 'token',
  options: { isConfirmed?: boolean; etag?: string } = {},
) {
  const questions: string[] = []
  const calls: Call[] = []
  let refusals = 0
  const api = createApi({
    fetch: async (input, init) => {
      calls.push({ url: String(input), init: init ?? {} })
      const headers = new Headers(options.etag === undefined ? {} : { etag: options.etag })
      return new Response(status === 204 ? null : body, { status, headers })
    },
    accessToken: async () => token,
    confirm: async (kind) => {
      questions.push(kind)
      return options.isConfirmed ?? false
    },
    onTokenRefused: () => {
      refusals += 1
    },
    nowMs: () => 0,
  })
  return { api, calls, refusals: () => refusals, questions }
}

const headerOf = (call: Call | undefined, name: string) => new Headers(call?.init.headers).get(name)

it('sends the token, except on anonymous requests', async () => {
  const { api, calls } = apiAnswering(200, '{"ok":true}')
  await expect(api.call('GET /api/me')).resolves.toEqual({ ok: true })
  await api.call('GET /api/theme', {}, { anonymous: true })
  expect(headerOf(calls[0], 'authorization')).toBe('Bearer token')
  expect(headerOf(calls[1], 'authorization')).toBeNull()
})

it('sends a body as JSON, and no content type without one', async () => {
  const { api, calls } = apiAnswering(200, '{}')
  await api.call('PATCH /api/chat/channels/:id/settings', { params: { id: 'a' }, body: { slowModeS: 1 } })
  await api.call('DELETE /api/me/tokens')
  expect(calls[0]?.init).toMatchObject({ method: 'PATCH', body: '{"slowModeS":1}' })
  expect(headerOf(calls[0], 'content-type')).toBe('application/json')
  expect(headerOf(calls[1], 'content-type')).toBeNull()
})

it('sends a picture unchanged', async () => {
  const { api, calls } = apiAnswering(200, '{}')
  const picture = new Blob(['x'], { type: 'image/webp' })
  await api.call('PUT /api/me/avatar', { body: picture })
  expect(calls[0]?.init.body).toBe(picture)
  expect(headerOf(calls[0], 'content-type')).toBe('image/webp')
})

it('returns undefined for an empty response', async () => {
  await expect(apiAnswering(204, '').api.call('DELETE /api/me/tokens')).resolves.toBeUndefined()
})

it.each([
  ['second_factor_outdated', 'factor'],
  ['recent_sign_in_required', 'sign-in'],
])('repeats a request once after %s was proved, and not if the user cancels', async (code, kind) => {
  const refusal = JSON.stringify({ code, message: 'Confirm.' })
  const confirmed = apiAnswering(403, refusal, 'token', { isConfirmed: true })
  await expect(confirmed.api.call('DELETE /api/me/tokens')).rejects.toMatchObject({ code })
  expect([confirmed.calls.length, confirmed.questions]).toEqual([2, [kind]])
  const cancelled = apiAnswering(403, refusal)
  await expect(cancelled.api.call('DELETE /api/me/tokens')).rejects.toMatchObject({ code })
  expect([cancelled.calls.length, cancelled.questions]).toEqual([1, [kind]])
})

it('reports a refused token, and only that', async () => {
  const refused = apiAnswering(401, '{"code":"unauthorized","message":"Your session has ended."}')
  await expect(refused.api.call('GET /api/me')).rejects.toMatchObject({ code: 'unauthorized', status: 401 })
  expect(refused.refusals()).toBe(1)
  await expect(refused.api.call('GET /api/me', {}, { anonymous: true })).rejects.toMatchObject({
    status: 401,
  })
  expect(refused.refusals()).toBe(1)
  const forbidden = apiAnswering(403, '{"code":"forbidden","message":"No."}')
  await expect(forbidden.api.call('GET /api/users')).rejects.toMatchObject({ code: 'forbidden' })
  expect(forbidden.refusals()).toBe(0)
})

it('fails with `unreadable_answer` on a response that is not JSON', async () => {
  await expect(apiAnswering(200, '<html>').api.call('GET /api/me')).rejects.toMatchObject({
    code: 'unreadable_answer',
  })
  await expect(apiAnswering(502, '<html>').api.call('GET /api/me')).rejects.toMatchObject({
    code: 'service_unavailable',
    status: 502,
  })
})

it('sends the version that a write is based on, and returns the new one', async () => {
  const { api, calls } = apiAnswering(200, '{}', 'token', { etag: 'W/"2"' })
  const saved = await api.callVersioned(
    'PUT /api/channels/:id/schedule/draft',
    { params: { id: 'a' }, body: {} },
    { ifMatch: '"1"' },
  )
  expect(headerOf(calls[0], 'if-match')).toBe('"1"')
  expect(saved).toEqual({ body: {}, etag: '"2"' })
})
