import { until } from '@looptide/testkit/until'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Json,
  newEmail,
  PASSWORD,
  SITE,
  signUp,
  startAuth,
  type TestAuth,
  type TestSession,
} from './_harness.ts'
import { api, post } from './_requests.ts'

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const DAY_MS = 86_400_000

let auth: TestAuth
beforeAll(async () => {
  auth = await startAuth()
})
afterAll(() => auth.stop())

const from = (ip: string, userAgent: string) => ({ 'x-forwarded-for': ip, 'user-agent': userAgent })
const signIn = (email: string, client: Record<string, string>, password = PASSWORD) =>
  post(auth, '/token?grant_type=password', { email, password }, client)
const history = async (viewer: TestSession, query = ''): Promise<Json> =>
  (await api(auth, 'GET', `/me/sign-ins${query}`, viewer)).body

describe('the sign-in history', () => {
  it('lists time, method, browser and shortened network of successful and refused sign-ins', async () => {
    const viewer = await signUp(auth)
    await signIn(viewer.email, from('192.0.2.77', CHROME))
    await signIn(viewer.email, from('2001:db8:1:2::7', FIREFOX), 'not the password')
    const items = await until('the refused one is recorded', async () => {
      const page = await history(viewer)
      return page.items.length === 3 ? page.items : undefined
    })
    expect(items).toMatchObject([
      { method: 'password', succeeded: false, device: 'Firefox on Linux', network: '2001:db8:1::/48' },
      { method: 'password', succeeded: true, device: 'Chrome on Windows', network: '192.0.2.0/24' },
      { method: 'password', succeeded: true },
    ])
    expect(JSON.stringify(items)).not.toContain('192.0.2.77')
    const { items: sessions } = (await api(auth, 'GET', '/me/sessions', viewer)).body
    expect(sessions[0]).toMatchObject({ device: 'Chrome on Windows', network: '192.0.2.0/24' })
  })

  it('distinguishes links from codes', async () => {
    const viewer = await signUp(auth)
    const { email } = viewer
    await post(auth, '/otp', { email })
    const first = await auth.sink.latest(email, 'magiclink')
    await post(auth, '/verify', { type: 'magiclink', token_hash: first.tokenHash })
    auth.clock.advance(120_000)
    await post(auth, '/otp', { email })
    const second = await until('another mail', () =>
      auth.sink.to(email).find(({ code }) => code !== first.code),
    )
    const wrong = second.code === '000000' ? '000001' : '000000'
    await post(auth, '/verify', { type: 'email', email, token: wrong })
    await until('the refused one is recorded', async () => (await history(viewer)).items.length === 3)
    await post(auth, '/verify', { type: 'email', email, token: second.code })
    const { items } = await history(viewer)
    expect(items.map(({ method, succeeded }: Json) => [method, succeeded])).toEqual([
      ['code', true],
      ['code', false],
      ['link', true],
      ['password', true],
    ])
  })

  it('has pages, and refuses a forged cursor', async () => {
    const viewer = await signUp(auth)
    for (let i = 0; i < 2; i += 1) await signIn(viewer.email, from('192.0.2.1', CHROME))
    const first = await history(viewer, '?limit=2')
    const rest = await history(viewer, `?limit=2&cursor=${first.nextCursor}`)
    expect([first.items.length, rest.items.length, rest.nextCursor]).toEqual([2, 1, null])
    const forged = Buffer.from('["not an id"]').toString('base64url')
    expect((await history(viewer, `?cursor=${forged}`)).code).toBe('invalid_cursor')
  })

  it('keeps 100 attempts of each outcome', async () => {
    const viewer = await signUp(auth)
    const { id } = viewer.user
    await sql`insert into sign_ins (id, user_id, created_at, method, succeeded)
      select gen_random_uuid(), ${id}, now(), 'password', n > 100 from generate_series(1, 200) n`.execute(
      auth.db,
    )
    await signIn(viewer.email, from('192.0.2.1', CHROME))
    const count = async (): Promise<number> =>
      (await auth.db.selectFrom('signIns').select('id').where('userId', '=', id).execute()).length
    expect(await count()).toBe(200)
  })

  it('keeps attempts for 90 days', async () => {
    const viewer = await signUp(auth)
    auth.clock.advance(91 * DAY_MS)
    await auth.housekeeping.run()
    const rows = auth.db.selectFrom('signIns').select('id').where('userId', '=', viewer.user.id)
    expect(await rows.execute()).toEqual([])
  })
})

describe('the mail about a new sign-in', () => {
  const notices = (email: string) => auth.sink.to(email).filter(({ raw }) => raw.includes('New sign-in'))

  it('is sent when network and browser are both new, and only then', async () => {
    const email = newEmail()
    await signUp(auth, email)
    // The client of the sign-up is known by its session: `node` from the loopback network.
    await signIn(email, { 'user-agent': CHROME })
    await signIn(email, from('198.51.100.4', CHROME))
    await signIn(email, from('198.51.100.9', FIREFOX))
    await signIn(
      email,
      from(
        '192.0.2.9',
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
      ),
    )
    const notice = await until('the owner has a mail', () => notices(email)[0])
    expect(notice.raw).toContain('Browser: Safari on iOS')
    expect(notice.raw).toContain('Network: 192.0.2.0/24')
    expect(notice.raw).toContain(`${SITE}/members`)
    expect(notices(email)).toHaveLength(1)
  })

  it('is not suppressed by that of another account of the same mailbox', async () => {
    const email = newEmail()
    const tagged = email.replace('@', '+stranger@')
    for (const account of [tagged, email]) {
      await signUp(auth, account)
      await signIn(account, from('192.0.2.9', CHROME))
    }
    for (const account of [tagged, email]) await until('a mail', () => notices(account)[0])
  })

  it('is sent to an account that was not used for longer than its history reaches back', async () => {
    const { email, user } = await signUp(auth)
    await auth.db.deleteFrom('signIns').where('userId', '=', user.id).execute()
    await auth.db.deleteFrom('sessions').where('userId', '=', user.id).execute()
    await signIn(email, from('192.0.2.9', CHROME))
    await until('the owner has a mail', () => notices(email)[0])
  })
})
