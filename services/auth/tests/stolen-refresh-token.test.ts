import { bearerOf } from '@looptide/testkit/client'
import { until } from '@looptide/testkit/until'
import { describe, expect, it } from 'vitest'
import { call, PASSWORD, signUp, type TestAuth, VERSION } from './_harness.ts'
import { startForTest } from './_per-test.ts'
import { post, signIn } from './_requests.ts'

describe('a stolen refresh token', () => {
  it('that is used in parallel with the owner’s ends the session and its access tokens for both', async () => {
    const auth = await startForTest()
    const owner = await signUp(auth)
    const refresh = (token: string) => post(auth, '/token?grant_type=refresh_token', { refresh_token: token })
    const second = (await refresh(owner.refresh_token)).body
    const third = (await refresh(second.refresh_token)).body
    auth.clock.advance(11_000)
    expect((await refresh(owner.refresh_token)).body.code).toBe('refresh_token_already_used')
    for (const token of [third.access_token, owner.access_token]) {
      const answer = await call(`${auth.url}/user`, 'GET', undefined, {
        ...VERSION,
        ...bearerOf(token),
      })
      expect(answer.body.code).toBe('session_not_found')
      const me = await call(`${auth.service.url}/api/me`, 'GET', undefined, bearerOf(token))
      expect([me.status, me.body.code]).toEqual([401, 'unauthorized'])
    }
  })

  const refresh = (
    auth: TestAuth,
    token: string,
    from: { ip: string; agent: string } = { ip: '203.0.113.1', agent: 'Owner/1' },
  ) =>
    post(
      auth,
      '/token?grant_type=refresh_token',
      { refresh_token: token },
      { 'x-forwarded-for': from.ip, 'user-agent': from.agent },
    )
  const thief = { ip: '198.51.100.9', agent: 'Thief/1' }
  const getUser = (auth: TestAuth, token: string) =>
    call(`${auth.url}/user`, 'GET', undefined, { ...VERSION, ...bearerOf(token) })

  it('that is the parent of the owner’s gets nothing, ends the session, and the owner is notified by mail', async () => {
    const auth = await startForTest()
    const owner = await signUp(auth)
    const second = (await refresh(auth, owner.refresh_token)).body
    auth.clock.advance(11_000)
    const stolen = await refresh(auth, owner.refresh_token, thief)
    expect([stolen.status, stolen.body.code]).toEqual([400, 'refresh_token_already_used'])
    expect((await refresh(auth, second.refresh_token)).status).toBe(400)
    const notice = await until('the owner has a mail', () => auth.sink.to(owner.email)[0])
    expect(notice.raw).toContain('Content-Type: text/plain')
    expect(notice.raw).toContain('signed out')
    expect(notice.raw).not.toContain('text/html')
  })

  it('from the owner’s network and browser gets nothing after the owner used the new access token', async () => {
    const auth = await startForTest()
    const owner = await signUp(auth)
    const second = (await refresh(auth, owner.refresh_token)).body
    expect((await getUser(auth, second.access_token)).status).toBe(200)
    auth.clock.advance(11_000)
    const stolen = await refresh(auth, owner.refresh_token)
    expect(stolen.body.code).toBe('refresh_token_already_used')
    expect((await getUser(auth, second.access_token)).body.code).toBe('session_not_found')
  })

  it('used alternately with the owner’s never works', async () => {
    const auth = await startForTest()
    const owner = await signUp(auth)
    let [parent, active] = [owner.refresh_token, owner.refresh_token]
    let stolen = 0
    for (let attempt = 0; attempt < 5; attempt += 1) {
      auth.clock.advance(600_000)
      const own = await refresh(auth, active)
      if (own.status !== 200) break
      await getUser(auth, own.body.access_token)
      ;[parent, active] = [active, own.body.refresh_token]
      auth.clock.advance(600_000)
      if ((await refresh(auth, parent)).status === 200) stolen += 1
    }
    expect(stolen).toBe(0)
  })

  it('causes at most one mail an hour', async () => {
    const auth = await startForTest()
    const { email } = await signUp(auth)
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const session = (await signIn(auth, email, PASSWORD)).body
      await refresh(auth, session.refresh_token)
      auth.clock.advance(11_000)
      expect((await refresh(auth, session.refresh_token, thief)).status).toBe(400)
    }
    await post(auth, '/recover', { email })
    await auth.sink.latest(email, 'recovery')
    expect(auth.sink.to(email).filter((mail) => mail.type !== 'recovery')).toHaveLength(1)
  })
})
