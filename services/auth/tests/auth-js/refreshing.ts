import { until } from '@looptide/testkit/until'
import { describe, expect, it, vi } from 'vitest'
import { PASSWORD } from '../_util.ts'
import { age, member, memory, type Stage, stored, tab } from './tab.ts'

export function refreshingSuite(stage: Stage): void {
  describe('refreshing', () => {
    it('happens below 90 s, not above', async () => {
      const { client, storage, session } = await member(stage.open)
      age(storage, 95)
      expect((await client.getSession()).data.session?.refresh_token).toBe(session.refresh_token)
      age(storage, 85)
      const fresh = (await client.getSession()).data.session
      expect(fresh?.refresh_token).not.toBe(session.refresh_token)
      expect(fresh?.expires_at).toBeGreaterThan(Date.now() / 1000 + 3500)
    })

    it('happens by itself at a tick with three ticks left', async () => {
      const { storage, session } = await member(stage.open)
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
      const { client } = tab(stage.open, storage, { autoRefreshToken: true })
      await client.initialize()
      age(storage, 150)
      await client.startAutoRefresh()
      vi.advanceTimersByTime(30_000)
      await new Promise((resolve) => setTimeout(resolve, 100))
      expect(stored(storage).refresh_token).toBe(session.refresh_token)
      age(storage, 119)
      vi.advanceTimersByTime(30_000)
      await until('it was refreshed', () => stored(storage).refresh_token !== session.refresh_token)
      await client.stopAutoRefresh()
      expect((await client.getUser()).error).toBeNull()
    })

    it('by many browsers that share a session keeps them all, with one successor', async () => {
      const { storage } = await member(stage.open)
      const browsers = Array.from({ length: 6 }, () => {
        const copy = memory()
        for (const [key, value] of storage.texts) copy.setItem(key, value)
        return tab(stage.open, copy)
      })
      const results = await Promise.all(browsers.map(({ client }) => client.refreshSession()))
      expect(results.map((result) => result.error)).toEqual(Array(6).fill(null))
      expect(new Set(results.map((result) => result.data.session?.refresh_token)).size).toBe(1)
      for (const { client } of browsers) expect((await client.refreshSession()).error).toBeNull()
      for (const { client } of browsers) expect((await client.getUser()).error).toBeNull()
    })

    it('by many tabs at once leaves one good session in their storage', async () => {
      const { storage, session } = await member(stage.open)
      const tabs = Array.from({ length: 6 }, () => tab(stage.open, storage))
      const results = await Promise.all(tabs.map(({ client }) => client.refreshSession()))
      // A tab that finds the storage changed meanwhile drops its own answer: the client's rule.
      const failed = results.flatMap((result) => (result.error === null ? [] : [result.error.name]))
      expect(failed.length).toBeLessThan(6)
      expect(new Set([...failed, 'AuthRefreshDiscardedError']).size).toBe(1)
      expect(stored(storage).refresh_token).not.toBe(session.refresh_token)
      for (const { client } of tabs) {
        expect((await client.getUser()).error).toBeNull()
        expect((await client.refreshSession()).error).toBeNull()
      }
    })

    it('survives answers that are lost on the way', async () => {
      const { storage, session } = await member(stage.open)
      let lost = 2
      const lossy: typeof fetch = async (...args) => {
        const response = await fetch(...args)
        lost -= 1
        if (lost >= 0) throw new TypeError('the connection broke')
        return response
      }
      const { client } = tab(stage.open, storage, { fetch: lossy })
      const startedAt = performance.now()
      const { data, error } = await client.refreshSession()
      expect(error).toBeNull()
      // After 200 ms and 400 ms, as the client promises.
      expect(performance.now() - startedAt).toBeGreaterThan(590)
      expect(data.session?.refresh_token).not.toBe(session.refresh_token)
      expect((await client.refreshSession()).error).toBeNull()
    })

    it('keeps the session through an outage and does not ask again at once', async () => {
      const { storage, session } = await member(stage.open)
      let asked = 0
      const away: typeof fetch = async () => {
        asked += 1
        return new Response(JSON.stringify({ code: 'service_unavailable', message: 'Please try again' }), {
          status: 503,
        })
      }
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
      const { client } = tab(stage.open, storage, { fetch: away })
      const refreshed = client.refreshSession()
      await vi.advanceTimersByTimeAsync(40_000)
      expect((await refreshed).error?.name).toBe('AuthRetryableFetchError')
      const tries = asked
      expect(tries).toBeGreaterThan(5)
      expect((await client.refreshSession()).error?.name).toBe('AuthRetryableFetchError')
      expect(asked).toBe(tries)
      expect(stored(storage).refresh_token).toBe(session.refresh_token)
    })

    it('with a stolen old token ends the session for thief and owner', async () => {
      const { client, session, storage, email } = await member(stage.open)
      const bystander = tab(stage.open)
      await bystander.client.signInWithPassword({ email, password: PASSWORD })
      await client.refreshSession()
      await client.refreshSession()
      stage.open.clock.advance(11_000)
      const thief = tab(stage.open)
      const theft = await thief.client.refreshSession({ refresh_token: session.refresh_token })
      expect(theft.error).toMatchObject({
        code: 'refresh_token_already_used',
        message: 'Invalid Refresh Token: Already Used',
      })
      expect((await client.refreshSession()).error?.code).toBe('refresh_token_not_found')
      age(storage, -10)
      expect((await tab(stage.open, storage).client.getSession()).data.session).toBeNull()
      expect((await bystander.client.getUser()).error).toBeNull()
    })

    it('with an old token within the reuse interval is forgiven', async () => {
      const { client, session } = await member(stage.open)
      await client.refreshSession()
      const { data } = await client.refreshSession()
      const late = await tab(stage.open).client.refreshSession({ refresh_token: session.refresh_token })
      expect(late.data.session?.refresh_token).toBe(data.session?.refresh_token)
    })

    it('with nonsense is refused for good', async () => {
      expect(
        (await tab(stage.open).client.refreshSession({ refresh_token: 'nonsense' })).error,
      ).toMatchObject({
        status: 400,
        code: 'validation_failed',
      })
    })
  })
}
