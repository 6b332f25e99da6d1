import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair } from 'jose'
import Provider, { type AccountClaims, type KoaContextWithOIDC } from 'oidc-provider'

const CLIENT = { client_id: 'looptide', client_secret: 'a secret of the provider, long enough' }

export interface OpenIdProvider {
  issuer: string
  clientId: string
  clientSecret: string
  /** The claims of its accounts, by login. An unknown login is refused as if the user had cancelled. */
  accounts: Map<string, Omit<AccountClaims, 'sub'>>
  /** The claims that ID tokens contain besides the subject, by login; by default none. The user info has all claims. */
  idTokens: OpenIdProvider['accounts']
  /** Signs in with `login`, as a browser that was redirected to `url`. Returns the URL of the redirect back. */
  approve(url: string, login: string): Promise<string>
  stop(): Promise<void>
}

/**
 * Starts an OpenID provider (`oidc-provider`) whose page asks for a login without a password. It accepts every URL of
 * this machine as redirect URI.
 */
export async function startOpenIdProvider(): Promise<OpenIdProvider> {
  const accounts: OpenIdProvider['accounts'] = new Map()
  const idTokens: OpenIdProvider['idTokens'] = new Map()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = await createProvider(issuer, { accounts, idTokens })
  const handle = provider.callback()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!request.url?.startsWith('/login/')) return void handle(request, response)
    logIn(provider, accounts, request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  return {
    issuer,
    clientId: CLIENT.client_id,
    clientSecret: CLIENT.client_secret,
    accounts,
    idTokens,
    approve: (url, login) => approve(issuer, url, login),
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function createProvider(
  issuer: string,
  { accounts, idTokens }: Pick<OpenIdProvider, 'accounts' | 'idTokens'>,
): Promise<Provider> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const provider = new Provider(issuer, {
    clients: [
      {
        ...CLIENT,
        token_endpoint_auth_method: 'client_secret_post',
        redirect_uris: ['http://localhost/auth/v1/callback'],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['a key for cookies'] },
    conformIdTokenClaims: false,
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, interaction) => `/login/${interaction.uid}` },
    findAccount: (_ctx, login) => ({
      accountId: login,
      claims: (use) => ({ sub: login, ...(use === 'id_token' ? idTokens : accounts).get(login) }),
    }),
    loadExistingGrant,
  })
  provider.Client.prototype.redirectUriAllowed = (uri: string) =>
    ['localhost', '127.0.0.1'].includes(new URL(uri).hostname)
  return provider
}

/** Grants consent to everything. */
async function loadExistingGrant(ctx: KoaContextWithOIDC) {
  const { provider, client, session } = ctx.oidc
  const grant = new provider.Grant({ clientId: client?.clientId, accountId: session?.accountId })
  grant.addOIDCScope('openid email profile')
  await grant.save()
  return grant
}

async function logIn(
  provider: Provider,
  accounts: OpenIdProvider['accounts'],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST') {
    response.setHeader('content-type', 'text/html').end(LOGIN_PAGE)
    return
  }
  const login = new URLSearchParams(await text(request)).get('login') ?? ''
  const result = accounts.has(login) ? { login: { accountId: login } } : { error: 'access_denied' }
  await provider.interactionFinished(request, response, result)
}

const LOGIN_PAGE = `<!doctype html><html lang="en"><title>Provider</title>
<form method="post"><label>Login <input name="login"></label> <button>Continue</button></form></html>`

/** Follows redirects with cookies, and submits the form, until the provider redirects to another site. */
async function approve(issuer: string, url: string, login: string): Promise<string> {
  const cookies = new Map<string, string>()
  let next = new URL(url)
  while (next.origin === issuer) {
    const isForm = next.pathname.startsWith('/login/')
    const response = await fetch(next, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(isForm ? { method: 'POST', body: new URLSearchParams({ login }) } : {}),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split(/=(.*)/)
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`the provider answered ${response.status} to ${next.pathname}`)
    next = new URL(location, next)
  }
  return next.href
}
