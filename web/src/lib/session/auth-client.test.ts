import { expect, it, vi } from 'vitest'
import { type AuthClientOptions, createAuthClient, type Session } from './auth-client.ts'
import type { GoTrueAuth } from './gotrue-auth.ts'
import { SignInError } from './sign-in-error.ts'

function clientWith(options: { mayBeSignedIn: boolean; stored?: Session; failures?: number }) {
  let failures = options.failures ?? 0
  let notify: ((session: Session | null) => void) | undefined
  const idle: (() => void)[] = []
  const signIn = vi.fn(async () => undefined)
  const changeEmail = vi.fn(async (_email: string) => undefined)
  const confirm = vi.fn(async (_kind: string) => true)
  const load = vi.fn<AuthClientOptions['load']>(async (onSession) => {
    if (failures > 0) {
      failures -= 1
      throw new TypeError('the library failed to load')
    }
    notify = onSession
    return { signIn, changeEmail, accessToken: async () => 'token' } as unknown as GoTrueAuth
  })
  const client = createAuthClient({
    load,
    mayBeSignedIn: () => options.mayBeSignedIn,
    storedSession: () => options.stored,
    whenIdle: (callback) => idle.push(callback),
    confirm,
  })
  return {
    client,
    load,
    signIn,
    changeEmail,
    confirm,
    notify: (session: Session | null) => notify?.(session),
    idle,
  }
}

const session = { access_token: 'token' } as Session

it('is signed out at once without a stored session, and loads the library when the page is idle', async () => {
  const { client, load, idle } = clientWith({ mayBeSignedIn: false })
  expect(client.state()).toEqual({ status: 'signed-out' })
  expect(await client.accessToken()).toBeNull()
  expect(load).not.toHaveBeenCalled()
  for (const callback of idle) callback()
  expect(load).toHaveBeenCalledTimes(1)
})

it('is unknown until a possible session has been read', async () => {
  const { client, notify } = clientWith({ mayBeSignedIn: true })
  expect(client.state()).toEqual({ status: 'unknown' })
  expect(await client.accessToken()).toBe('token')
  const onChange = vi.fn()
  client.onChange(onChange)
  notify(session)
  expect(client.state()).toEqual({ status: 'signed-in', session })
  notify(null)
  expect(client.state()).toEqual({ status: 'signed-out' })
  expect(onChange).toHaveBeenCalledTimes(2)
})

it('is signed in with a stored session until the library has read it, when the page is idle', async () => {
  const stored = { access_token: 'stored', expires_at: Date.now() / 1000 + 3600 } as Session
  const { client, load, idle, notify } = clientWith({ mayBeSignedIn: true, stored })
  expect(client.state()).toEqual({ status: 'signed-in', session: stored })
  expect(await client.accessToken()).toBe('stored')
  expect(load).not.toHaveBeenCalled()
  for (const callback of idle) callback()
  await expect.poll(() => load.mock.calls.length).toBe(1)
  notify(session)
  expect(client.state()).toEqual({ status: 'signed-in', session })
  expect(await client.accessToken()).toBe('token')
})

it('loads the library for a token once the stored one is about to expire', async () => {
  const stored = { access_token: 'stored', expires_at: Date.now() / 1000 + 60 } as Session
  const { client, load } = clientWith({ mayBeSignedIn: true, stored })
  expect(await client.accessToken()).toBe('token')
  expect(load).toHaveBeenCalledTimes(1)
})

it('has no token for the app until the second factor was verified', async () => {
  const { client, notify } = clientWith({ mayBeSignedIn: true })
  await client.accessToken()
  const claims = btoa(JSON.stringify({ second_factor: 'pending' }))
  const pending = { access_token: `h.${claims}.s` } as Session
  notify(pending)
  expect(client.state()).toEqual({ status: 'second-factor', session: pending })
  expect(await client.accessToken()).toBeNull()
  notify(session)
  expect(client.state()).toEqual({ status: 'signed-in', session })
})

it('loads the library once for concurrent calls, and again after a failure', async () => {
  const { client, load, signIn } = clientWith({ mayBeSignedIn: false, failures: 1 })
  await expect(client.signIn('a@example.org', 'x')).rejects.toThrow('the library failed to load')
  await Promise.all([client.signIn('a@example.org', 'y'), client.signIn('a@example.org', 'z')])
  expect(load).toHaveBeenCalledTimes(2)
  expect(signIn.mock.calls).toEqual([
    ['a@example.org', 'y'],
    ['a@example.org', 'z'],
  ])
})

it.each([
  ['insufficient_aal', 'factor'],
  ['reauthentication_needed', 'sign-in'],
])('repeats a change that is refused with %s once the user has proved the identity', async (code, kind) => {
  const { client, changeEmail, confirm } = clientWith({ mayBeSignedIn: true })
  const refusal = new SignInError(code, 'Confirm.', undefined)
  changeEmail.mockRejectedValueOnce(refusal)
  await client.changeEmail('a@example.test')
  expect([changeEmail.mock.calls.length, confirm.mock.calls]).toEqual([2, [[kind]]])
  changeEmail.mockRejectedValueOnce(refusal)
  confirm.mockResolvedValueOnce(false)
  await expect(client.changeEmail('a@example.test')).rejects.toBe(refusal)
  expect(changeEmail).toHaveBeenCalledTimes(3)
})
