import { USER_CODE_LETTERS } from '@looptide/contracts/user-codes'
import { expect, it } from 'vitest'
import { decide, lookUp, poll, sendForm, startDevice } from './_devices.ts'
import { signUp } from './_harness.ts'
import { startForTest } from './_per-test.ts'

const LIMITS = { RATE_LIMIT_FACTOR: '1' }
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i))

it('five wrong codes of a user or a network end in 429, also at once, and a right one does not count', async () => {
  const auth = await startForTest(LIMITS)
  const [guesser, neighbour, owner] = [await signUp(auth), await signUp(auth), await signUp(auth)]
  const { user_code: code } = await startDevice(auth)
  expect((await lookUp(auth, guesser, code, '203.0.113.1')).status).toBe(200)
  const guesses = await Promise.all(
    times(8, (i) => {
      const from = `203.0.113.${i}`
      return i % 2 === 0
        ? lookUp(auth, guesser, 'BCDF-GHJK', from)
        : decide(auth, guesser, 'BCDF-GHJK', 'allow', from)
    }),
  )
  const statuses = guesses.map(({ status }) => status).toSorted()
  expect(statuses).toEqual([400, 400, 400, 400, 400, 429, 429, 429])
  // The right code of a user who guessed too often is refused too.
  expect((await decide(auth, guesser, code, 'allow', '203.0.113.50')).status).toBe(429)
  for (const wrong of ['AAAA-AAAA', 'x', '', 'BCDF-GHJL', 'BCDFGHJM'])
    expect((await decide(auth, neighbour, wrong, 'allow', '203.0.113.200')).status).toBe(400)
  const limited = await decide(auth, owner, code, 'allow', '203.0.113.200')
  expect([limited.status, limited.body.code]).toEqual([429, 'over_request_rate_limit'])
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(600)
  expect((await decide(auth, owner, code, 'allow', '203.0.113.201')).status).toBe(204)
})

it('a network begins at most 30 pairings in five minutes, and its clients are told to slow down', async () => {
  const auth = await startForTest(LIMITS)
  const start = (from: string) => sendForm(auth, '/device', { client_id: 'tv' }, { from })
  const answers = await Promise.all(times(33, () => start('203.0.113.1')))
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.map(({ body }) => body.error)).toEqual(['slow_down', 'slow_down', 'slow_down'])
  const other = await start('203.0.113.2')
  expect(other.status).toBe(200)
  expect((await poll(auth, other.body)).body.error).toBe('authorization_pending')
})

it('user codes are eight letters, each any of twenty', async () => {
  const auth = await startForTest(LIMITS)
  const answers = await Promise.all(
    times(100, (i) => sendForm(auth, '/device', { client_id: 'tv' }, { from: `203.0.113.${i}` })),
  )
  const codes = answers.map(({ body }) => body.user_code.replace('-', ''))
  expect(new Set(codes).size).toBe(100)
  for (const place of times(8, (i) => i))
    expect(new Set(codes.map((code) => code[place])).size).toBeGreaterThan(10)
  expect([...new Set(codes.join(''))].toSorted().join('')).toBe(USER_CODE_LETTERS)
})
