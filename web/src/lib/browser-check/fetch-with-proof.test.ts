import { afterEach, expect, it, vi } from 'vitest'
import { fetchWithProof, isChecking, onCheckingChange } from './fetch-with-proof.ts'

afterEach(() => vi.unstubAllGlobals())

const challenge = { parameters: { nonce: '00' } }
const refusal = (body: object, status = 429) => new Response(JSON.stringify(body), { status })

/** Makes `fetch` return these responses in turn. Returns the bodies that were sent. */
function serve(...answers: Response[]): unknown[] {
  const bodies: unknown[] = []
  vi.stubGlobal('fetch', async (_input: unknown, init?: RequestInit) => {
    bodies.push(typeof init?.body === 'string' ? JSON.parse(init.body) : init?.body)
    return answers.shift() ?? new Response('{}')
  })
  return bodies
}
const send = (solve: () => Promise<string | undefined>) =>
  fetchWithProof('/token', { method: 'POST', body: '{"email":"a"}' }, solve)

it('repeats a request with the proof the server requires, and reports that it is checking meanwhile', async () => {
  const bodies = serve(refusal({ code: 'captcha_failed', challenge }, 400))
  const states: boolean[] = []
  const stop = onCheckingChange(() => states.push(isChecking()))
  expect((await send(async () => 'solved')).status).toBe(200)
  stop()
  expect(bodies).toEqual([{ email: 'a' }, { email: 'a', gotrue_meta_security: { captcha_token: 'solved' } }])
  expect(states).toEqual([true, false])
})

it('returns the refusal without a challenge, or if it cannot be solved', async () => {
  for (const body of [{ code: 'over_request_rate_limit' }, { challenge: 'none' }, { challenge }]) {
    const bodies = serve(refusal(body))
    const answer = await send(() => Promise.reject(new Error('no Web Crypto here')))
    expect([answer.status, await answer.json(), bodies.length]).toEqual([429, body, 1])
    expect(isChecking()).toBe(false)
  }
})

it('repeats a request only once', async () => {
  const bodies = serve(refusal({ challenge }), refusal({ challenge }), refusal({ challenge }))
  expect((await send(async () => 'solved')).status).toBe(429)
  expect(bodies).toHaveLength(2)
})
