import { type OpenIdProvider, startOpenIdProvider } from '@looptide/testkit/openid-provider'
import type { Provider } from '@supabase/auth-js'
import { call, newEmail, SITE, startAuth, type TestAuth } from './_harness.ts'
import { memory, tab } from './auth-js/tab.ts'

export const COMPANY = 'company' as Provider
type Client = ReturnType<typeof tab>['client']

/** A tab of an app that uses PKCE, as providers require. */
export const pkceTab = (auth: TestAuth, storage = memory()) => tab(auth, storage, { flowType: 'pkce' })

/** The setting `OIDC_PROVIDERS`. */
export const settingOf = (...providers: [OpenIdProvider, object][]): string =>
  JSON.stringify(
    providers.map(([{ issuer, clientId, clientSecret }, more]) => ({
      issuer,
      clientId,
      clientSecret,
      ...more,
    })),
  )

/** Starts the service with a provider, and returns helpers that act as a browser between the two. */
export async function startWithProvider(more: object = {}, env: Record<string, string> = {}) {
  const provider = await startOpenIdProvider()
  const settings = settingOf([provider, { id: 'company', name: 'Company', ...more }])
  const auth = await startAuth({ OIDC_PROVIDERS: settings, ...env })
  /** The redirect target of `url`. */
  const locationOf = async (url: string) => new URL((await call(url, 'GET')).headers.get('location') ?? '')
  /** The service under test listens elsewhere than at its `SITE_URL`. */
  const reachable = (url: string) => url.replace(`${SITE}/auth/v1`, auth.url)
  /** Signs in on the provider's page and returns the URL of the station's callback. */
  const approve = async (url: string, login: string) => reachable(await provider.approve(url, login))
  const land = async (url: string, login: string) => locationOf(await approve(url, login))
  const codeOf = (landed: URL) => landed.searchParams.get('code') ?? ''
  /** The authorization URL that `signInWithOAuth` leads to. */
  const begin = async (client: Client) => {
    const options = { redirectTo: `${SITE}/welcome`, skipBrowserRedirect: true }
    const { data } = await client.signInWithOAuth({ provider: COMPANY, options })
    return (await locationOf(data.url ?? '')).href
  }
  return {
    provider,
    auth,
    locationOf,
    approve,
    land,
    codeOf,
    begin,
    /** A new login at the provider, by default with a confirmed email. It is the email as well. */
    newLogin: (claims: Record<string, unknown> = {}) => {
      const email = newEmail()
      provider.accounts.set(email, { email, email_verified: true, name: 'Grace Hopper', ...claims })
      return email
    },
    signIn: async (login: string) => {
      const one = pkceTab(auth)
      const landed = await land(await begin(one.client), login)
      return { ...one, ...(await one.client.exchangeCodeForSession(codeOf(landed))) }
    },
    /** Links a login to the account of a tab. */
    link: async (client: Client, login: string) => {
      const options = { redirectTo: `${SITE}/members` }
      const { data, error } = await client.linkIdentity({ provider: COMPANY, options })
      if (error !== null) throw error
      return client.exchangeCodeForSession(codeOf(await land(data.url ?? '', login)))
    },
    stop: async () => {
      await auth.stop()
      await provider.stop()
    },
  }
}
