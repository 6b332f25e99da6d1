import { randomUUID } from 'node:crypto'

/** A signed-up viewer of a running station. */
export interface Viewer {
  id: string
  email: string
  password: string
  accessToken: string
}

/** Signs a new user up over HTTP, as the web app does. Mail confirmation must be off. */
export async function signUp(stationUrl: string, name = 'viewer'): Promise<Viewer> {
  const email = `${name}-${randomUUID().slice(0, 8)}@example.test`
  const password = `pass-${randomUUID()}`
  const response = await fetch(`${stationUrl}/auth/v1/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password, data: { full_name: name } }),
  })
  const session = (await response.json()) as { access_token?: string; user?: { id: string } }
  if (!response.ok || session.access_token === undefined || session.user === undefined) {
    throw new Error(`sign-up answered ${response.status}: ${JSON.stringify(session)}`)
  }
  return { id: session.user.id, email, password, accessToken: session.access_token }
}

/** Signs in with a password and returns the access token. */
export async function signIn(stationUrl: string, email: string, password: string): Promise<string> {
  const response = await fetch(`${stationUrl}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const session = (await response.json()) as { access_token?: string }
  if (session.access_token === undefined) throw new Error(`sign-in answered ${response.status}`)
  return session.access_token
}
