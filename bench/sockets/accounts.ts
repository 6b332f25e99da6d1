import { randomUUID } from 'node:crypto'

interface Session {
  access_token: string
  refresh_token: string
  user: { id: string }
}

/** Concurrent sign-ups: each costs a password hash. */
const AT_ONCE = 4

async function ask(url: string, body: object): Promise<Session> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as Session
}

/** Signs an account up; returns the session as the web app stores it. */
export const sessionOf = (stationUrl: string): Promise<Session> =>
  ask(`${stationUrl}/auth/v1/signup`, {
    email: `bench-${randomUUID()}@example.test`,
    password: `pass-${randomUUID()}`,
    data: { full_name: 'Bench' },
  })

/** The token's account. */
export interface Account {
  id: string
  token: string
}

/** Signs accounts up and returns their access tokens. */
export async function signUpMany(stationUrl: string, count: number): Promise<string[]> {
  return (await tokensOf(stationUrl, count, count)).map(({ token }) => token)
}

/** Distinct access tokens of several accounts; further tokens of an account come from refreshing. */
export async function tokensOf(stationUrl: string, accounts: number, tokens: number): Promise<Account[]> {
  const found: Account[] = []
  let waiting = accounts
  const perAccount = Math.ceil(tokens / accounts)
  const next = async (): Promise<void> => {
    while (waiting > 0) {
      waiting -= 1
      let session = await sessionOf(stationUrl)
      for (let index = 0; index < perAccount; index += 1) {
        found.push({ id: session.user.id, token: session.access_token })
        if (index === perAccount - 1) break
        session = await ask(`${stationUrl}/auth/v1/token?grant_type=refresh_token`, {
          refresh_token: session.refresh_token,
        })
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next))
  return found.slice(0, tokens)
}
