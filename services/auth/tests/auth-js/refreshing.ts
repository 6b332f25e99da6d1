import { until } from '@looptide/testkit/until'
import { describe, expect, it, vi } from 'vitest'
import { PASSWORD } from '../_harness.ts'
import { type AuthServices, age, member, memory, stored, tab } from './tab.ts'

export function refreshingSuite(services: AuthServices): void {
  describe('refreshing', () => {
    it('happens with less than 90 s left, not before', async () => {
      const { client, storage, session } = await member(services.open)
      age(storage, 95)
      expect((await client.getSession()).data.session?.refresh_token).toBe(session.refresh_token)
      age(storage, 85)
      const fresh = (await client.getSession()).data.session
      expect(fresh?.refresh_token).not.toBe(session.refresh_token)
      expect(fresh?.expires_at).toBeGreaterThan(Date.now() / 1000 + 3500)
    })

    it('happens automatically at a tick with three ticks left', async () => {
      const { storage, session } = await member(services.open)
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
      const { client } = tab(services.open, storage, { autoRefreshToken: true })
      await client.initialize()
      age(storage, 150)
      await client.startAutoRefresh()
      vi.advanceTimersByTime(30_000)
      await new Promise((resolve) => setTimeout(resolve, 100))
      expect(stored(storage).refresh_token).toBe(session.refresh_token)
      age(storage, 119)
      vi.advanceTimersByTime(30_000)
      await until('the session is refreshed', () => stored(storage).refresh_token !== session.refresh_token)
      await client.stopAutoRefresh()
      expect((await client.getUser()).error).toBeNull()
    })

    it('by several browsers with one session gives all of them the same successor', async () => {
      const { storage } = await member(services.open)
      const browsers = Array.from({ length: 6 }, () => {
        const copy = memory()
        for (const [key, value] of storage.texts) copy.setItem(key, value)
        return tab(services.open, copy)
      })
      const results = await Promise.all(browsers.map(({ client }) => client.refreshSession()))
      expect(results.map((result) => result.error)).toEqual(Array(6).fill(null))
      expect(new Set(results.map((result) => result.data.session?.refresh_token)).size).toBe(1)
      for (const { client } of browsers) expect((await client.refreshSession()).error).toBeNull()
      for (const { client } of browsers) expect((await client.getUser()).error).toBeNull()
    })

    it('by several tabs at once leaves one valid session in their storage', async () => {
      const { storage, session } = await member(services.open)
      const tabs = Array.from({ length: 6 }, () => tab(services.open, storage))
      const results = await Promise.all(tabs.map(({ client }) => client.refreshSession()))
      // The client drops its own answer when another tab changed the storage in the meantime.
      const failed = results.flatMap((result) => (result.error === null ? [] : [result.error.name]))
      expect(failed.length).toBeLessThan(6)
      expect(new Set([...failed, 'AuthRefreshDiscardedError']).size).toBe(1)
      expect(stored(storage).refresh_token).not.toBe(session.refresh_token)
      for (const { client } of tabs) {
        expect((await client.getUser()).error).toBeNull()
        expect((await client.refreshSession()).error).toBeNull()
      }
    })

    it('succeeds although answers are lost', async () => {
      const { storage, session } = await member(services.open)
      let lost = 2
      const lossy: typeof fetch = async (...args) => {
        const response = await fetch(...args)
        lost -= 1
        if (lost >= 0) throw new TypeError('the connection broke')
        return response
      }
      const { client } = tab(services.open, storage, { fetch: lossy })
      const startedAt = performance.now()
      const { data, error } = await client.refreshSession()
      expect(error).toBeNull()
      // The client retries after 200 ms and 400 ms.
      expect(performance.now() - startedAt).toBeGreaterThan(590)
      expect(data.session?.refresh_token).not.toBe(session.refresh_token)
      expect((await client.refreshSession()).error).toBeNull()
    })

    it('keeps the session during an outage and does not retry at once', async () => {
      const { storage, session } = await member(services.open)
      let requests = 0
      const unavailable: typeof fetch = async () => {
        requests += 1
        return new Response(JSON.stringify({ code: 'service_unavailable', message: 'Please try again' }), {
          status: 503,
        })
      }
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
      const { client } = tab(services.open, storage, { fetch: unavailable })
      const refreshed = client.refreshSession()
      await vi.advanceTimersByTimeAsync(40_000)
      expect((await refreshed).error?.name).toBe('AuthRetryableFetchError')
      const attempts = requests
      expect(attempts).toBeGreaterThan(5)
      expect((await client.refreshSession()).error?.name).toBe('AuthRetryableFetchError')
      expect(requests).toBe(attempts)
      expect(stored(storage).refresh_token).toBe(session.refresh_token)
    })

    it('with a stolen former token ends the session for thief and owner', async () => {
      const { client, session, storage, email } = await member(services.open)
      const bystander = tab(services.open)
      await bystander.client.signInWithPassword({ email, password: PASSWORD })
      await client.refreshSession()
      await client.refreshSession()
      services.open.clock.advance(11_000)
      const thief = tab(services.open)
      const theft = await thief.client.refreshSession({ refresh_token: session.refresh_token })
      expect(theft.error).toMatchObject({
        code: 'refresh_token_already_used',
        message: 'Invalid Refresh Token: Already Used',
      })
      expect((await client.refreshSession()).error?.code).toBe('refresh_token_not_found')
      age(storage, -10)
      expect((await tab(services.open, storage).client.getSession()).data.session).toBeNull()
      expect((await bystander.client.getUser()).error).toBeNull()
    })

    it('with a former token succeeds within the reuse interval', async () => {
      const { client, session } = await member(services.open)
      await client.refreshSession()
      const { data } = await client.refreshSession()
      const late = await tab(services.open).client.refreshSession({ refresh_token: session.refresh_token })
      expect(late.data.session?.refresh_token).toBe(data.session?.refresh_token)
    })

    it('with an invalid, unknown or used token is refused in words that clients match', async () => {
      const refresh = async (token: string) =>
        (await tab(services.open).client.refreshSession({ refresh_token: token })).error
      const notFound = { status: 400, message: 'Invalid Refresh Token: Refresh Token Not Found' }
      expect(await refresh('nonsense')).toMatchObject({ ...notFound, code: 'validation_failed' })
      const ended = await member(services.open)
      await ended.client.signOut()
      const unknown = await refresh(ended.session.refresh_token)
      expect(unknown).toMatchObject({ ...notFound, code: 'refresh_token_not_found' })
      const { client, session } = await member(services.open)
      await client.refreshSession()
      await client.refreshSession()
      services.open.clock.advance(60_000)
      expect(await refresh(session.refresh_token)).toMatchObject({
        status: 400,
        code: 'refresh_token_already_used',
        message: 'Invalid Refresh Token: Already Used',
      })
    })
  })
}
