import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type PairedSession, type PairingState, startPairing } from './pairing.ts'

const STARTED = {
  device_code: 'device-code',
  user_code: 'BCDF-GHJK',
  verification_uri: 'https://tv.example.test/pair',
  verification_uri_complete: 'https://tv.example.test/pair?code=BCDF-GHJK',
  expires_in: 900,
  interval: 5,
}
const SESSION = { access_token: 'access', refresh_token: 'refresh' }

type Answer = { status: number; body: object } | 'no answer'
const error = (code: string): Answer => ({ status: 400, body: { error: code } })

/** A pairing whose token endpoint gives these answers one after the other, and then repeats the last one. */
function pair(...answers: Answer[]) {
  const states: PairingState[] = []
  const sessions: PairedSession[] = []
  const polls: { atMs: number; form: URLSearchParams }[] = []
  const fetch = async (path: string, form: URLSearchParams): Promise<Response> => {
    if (path === '/auth/v1/device') return Response.json(STARTED)
    expect(path).toBe('/auth/v1/token?grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code')
    const answer = answers[Math.min(polls.length, answers.length - 1)] ?? 'no answer'
    polls.push({ atMs: Date.now(), form })
    if (answer === 'no answer') throw new TypeError('no network')
    return Response.json(answer.body, { status: answer.status })
  }
  const stop = startPairing({
    fetch,
    onState: (state) => states.push(state),
    onSession: async (session) => void sessions.push(session),
  })
  return { states, sessions, polls, stop, last: () => states.at(-1) }
}

describe('the pairing of a television', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 0 })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('shows the code and the address, and polls at the interval until there is a session', async () => {
    const pairing = pair(error('authorization_pending'), { status: 200, body: SESSION })
    await vi.advanceTimersByTimeAsync(0)
    expect(pairing.states).toEqual([
      { kind: 'starting' },
      {
        kind: 'waiting',
        code: 'BCDF-GHJK',
        url: 'https://tv.example.test/pair',
        urlWithCode: 'https://tv.example.test/pair?code=BCDF-GHJK',
      },
    ])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(pairing.polls.map(({ atMs }) => atMs)).toEqual([5_000, 10_000])
    expect(Object.fromEntries(pairing.polls[0]!.form)).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: 'device-code',
      client_id: 'tv',
    })
    expect(pairing.sessions).toEqual([SESSION])
    expect(pairing.last()).toEqual({ kind: 'done' })
  })

  it('polls five seconds less often after each slow_down, and while the server does not answer', async () => {
    const pairing = pair(
      error('slow_down'),
      error('slow_down'),
      'no answer',
      { status: 503, body: {} },
      error('authorization_pending'),
    )
    await vi.advanceTimersByTimeAsync(5_000 + 10_000 + 15_000 + 20_000 + 25_000 + 25_000)
    expect(pairing.polls.map(({ atMs }) => atMs / 1000)).toEqual([5, 15, 30, 50, 75, 100])
    expect(pairing.last()?.kind).toBe('waiting')
    pairing.stop()
  })

  it.each([
    ['expired_token', 'expired'],
    ['access_denied', 'denied'],
    ['invalid_grant', 'failed'],
  ] as const)('ends with %s', async (code, kind) => {
    const pairing = pair(error(code))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(pairing.polls).toHaveLength(1)
    expect(pairing.last()).toEqual({ kind })
  })

  it('neither polls nor reports anything after it was stopped', async () => {
    const pairing = pair(error('authorization_pending'))
    await vi.advanceTimersByTimeAsync(7_000)
    pairing.stop()
    const reported = pairing.states.length
    await vi.advanceTimersByTimeAsync(60_000)
    expect(pairing.polls).toHaveLength(1)
    expect(pairing.states).toHaveLength(reported)
  })
})
