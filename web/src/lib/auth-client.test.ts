import { expect, it, vi } from 'vitest'
import { type AuthClientOptions, createAuthClient, type Session } from './auth-client.ts'
import type { AuthDoor } from './auth-door.ts'

function clientWith(options: { mayBeSignedIn: boolean; failures?: number }) {
  let failures = options.failures ?? 0
  let tell: ((session: Session | null) => void) | undefined
  const idle: (() => void)[] = []
  const signIn = vi.fn(async () => undefined)
  const open = vi.fn<AuthClientOptions['open']>(async (onSession) => {
    if (failures > 0) {
      failures -= 1
      throw new TypeError('the library did not come')
    }
    tell = onSession
    return { signIn, accessToken: async () => 'token' } as unknown as AuthDoor
  })
  const client = createAuthClient({
    open,
    mayBeSignedIn: () => options.mayBeSignedIn,
    whenIdle: (callback) => idle.push(callback),
  })
  return { client, open, signIn, tell: (session: Session | null) => tell?.(session), idle }
}

const session = { access_token: 'token' } as Session

it('knows at once that a visitor is one, and fetches the library when there is time', async () => {
  const { client, open, idle } = clientWith({ mayBeSignedIn: false })
  expect(client.state()).toEqual({ status: 'signed-out' })
  expect(await client.accessToken()).toBeNull()
  expect(open).not.toHaveBeenCalled()
  for (const callback of idle) callback()
  expect(open).toHaveBeenCalledTimes(1)
})

it('says nothing of somebody who may be signed in before that is known', async () => {
  const { client, tell } = clientWith({ mayBeSignedIn: true })
  expect(client.state()).toEqual({ status: 'unknown' })
  expect(await client.accessToken()).toBe('token')
  const heard = vi.fn()
  client.onChange(heard)
  tell(session)
  expect(client.state()).toEqual({ status: 'signed-in', session })
  tell(null)
  expect(client.state()).toEqual({ status: 'signed-out' })
  expect(heard).toHaveBeenCalledTimes(2)
})

it('opens the door once for all who knock, and again when it did not open', async () => {
  const { client, open, signIn } = clientWith({ mayBeSignedIn: false, failures: 1 })
  await expect(client.signIn('a@example.org', 'x')).rejects.toThrow('the library did not come')
  await Promise.all([client.signIn('a@example.org', 'y'), client.signIn('a@example.org', 'z')])
  expect(open).toHaveBeenCalledTimes(2)
  expect(signIn.mock.calls).toEqual([
    ['a@example.org', 'y'],
    ['a@example.org', 'z'],
  ])
})
