import { type AuthChangeEvent, AuthClient, type SupportedStorage } from '@supabase/auth-js'
import { expect } from 'vitest'
import { newEmail, PASSWORD, type TestAuth } from '../_harness.ts'

/** The services under test: `open` accepts sign-ups directly, `confirming` requires confirmed emails. */
export interface AuthServices {
  readonly open: TestAuth
  readonly confirming: TestAuth
}

/** The storage of a browser, in memory. */
export function memory(): SupportedStorage & { texts: Map<string, string> } {
  const texts = new Map<string, string>()
  return {
    texts,
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, value) => void texts.set(key, value),
    removeItem: (key) => void texts.delete(key),
  }
}

type Options = ConstructorParameters<typeof AuthClient>[0]
/** A tab. Tabs of one browser share their storage. */
export function tab(auth: TestAuth, storage = memory(), options: Options = {}) {
  const client = new AuthClient({
    url: auth.url,
    headers: { apikey: 'looptide-public', Authorization: 'Bearer looptide-public' },
    storage,
    storageKey: 'session',
    autoRefreshToken: false,
    detectSessionInUrl: false,
    ...options,
  })
  const events: AuthChangeEvent[] = []
  client.onAuthStateChange((event) => void events.push(event))
  return { client, events, storage }
}

/** The session in a storage. */
export const stored = (storage: ReturnType<typeof memory>) =>
  JSON.parse(storage.texts.get('session') ?? 'null')
/** Changes the stored session so that it expires in `seconds`. */
export function age(storage: ReturnType<typeof memory>, seconds: number) {
  const session = stored(storage)
  session.expires_at = Math.round(Date.now() / 1000) + seconds
  storage.texts.set('session', JSON.stringify(session))
}

/** A new user who has just signed up, in their own tab. */
export async function member(auth: TestAuth) {
  const email = newEmail()
  const one = tab(auth)
  const { data, error } = await one.client.signUp({ email, password: PASSWORD })
  expect(error).toBeNull()
  return { ...one, email, session: data.session! }
}
