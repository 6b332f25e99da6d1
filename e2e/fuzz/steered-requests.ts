import type { AddVideosResult } from '@looptide/contracts/http/videos'
import { bearerOf } from '@looptide/testkit/client'
import { until } from '@looptide/testkit/until'
import { describe, expect, it } from 'vitest'
import type { FuzzFixture } from '../support/fuzz/fixture.ts'
import type { Requester } from '../support/fuzz/requests.ts'

/** URLs that could lead a faulty program to the bait. */
const baits = (url: string): string[] => {
  const { port, host } = new URL(url)
  return [
    url,
    `${url}/watch?v=aaaaaaaaaa1`,
    `https://${host}/watch?v=aaaaaaaaaa1`,
    `//${host}/watch?v=aaaaaaaaaa1`,
    `https://www.youtube.com@${host}/watch?v=aaaaaaaaaa1`,
    `https://www.youtube.com:443@${host}/watch?v=aaaaaaaaaa1`,
    `https://${host}/?https://www.youtube.com/watch?v=aaaaaaaaaa1`,
    `https://${host}#@www.youtube.com/watch?v=aaaaaaaaaa1`,
    `https://${host}\\@www.youtube.com/watch?v=aaaaaaaaaa1`,
    `https://127.1:${port}/watch?v=aaaaaaaaaa1`,
    `https://2130706433:${port}/watch?v=aaaaaaaaaa1`,
    `https://0x7f000001:${port}/watch?v=aaaaaaaaaa1`,
    `https://[::ffff:127.0.0.1]:${port}/watch?v=aaaaaaaaaa1`,
    `https://www.youtube.com.${host}/watch?v=aaaaaaaaaa1`,
    `https://youtu.be:${port}/aaaaaaaaaa1`,
    `https://youtu.be/aaaaaaaaaa1?list=${encodeURIComponent(url)}`,
    `https://img.youtube.com/vi/${encodeURIComponent(`../../../${host}`)}/0.jpg`,
  ]
}

/** Media URLs that lead to the bait, as an admin could add them; one is a redirect of the site itself. */
const mediaBaits = (url: string, siteUrl: string): string[] => {
  const { port } = new URL(url)
  const hosts = ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '127.1', '0.0.0.0']
  const direct = hosts.flatMap((host, index) =>
    ['mp4', 'webm', 'm3u8'].map((type) => `https://${host}:${port}/clip-${index}.${type}`),
  )
  const site = new URL(siteUrl)
  const onward = encodeURIComponent(`${url}/clip.mp4`)
  return [
    ...direct,
    `https://${site.host}@127.0.0.1:${port}/clip.mp4`,
    `https://127.0.0.1:${port}/test-card/../clip.mp4?origin=${encodeURIComponent(siteUrl)}`,
    `https://${site.host}/auth/v1/verify/clip.mp4?token=x&type=signup&redirect_to=${onward}`,
  ]
}

/**
 * The station connects to YouTube, by a video's id, and to the receivers of webhooks, within the internet: no text of a
 * client makes it connect to the private network (SSRF).
 */
export function describeSteeredRequests(fixture: () => FuzzFixture): void {
  describe('a URL in a client’s text', () => {
    it('is not requested by any process of the station', async () => {
      const { sender, bait, station, tokens } = fixture()
      const json = { 'content-type': 'application/json' }
      const send = (requester: Requester, method: string, path: string, body: unknown) =>
        sender.send({ requester, method, path, headers: json, body: JSON.stringify(body) })
      const me = JSON.parse(
        (
          await sender.send({
            requester: 'user',
            method: 'GET',
            path: '/api/me',
            headers: {},
            body: undefined,
          })
        ).text,
      ) as { id: string }
      const theme = JSON.parse(
        (
          await sender.send({
            requester: 'user',
            method: 'GET',
            path: '/api/theme',
            headers: {},
            body: undefined,
          })
        ).text,
      ) as object
      for (const url of baits(bait.url)) {
        const redirect = `?redirect_to=${encodeURIComponent(url)}`
        const answers = await Promise.all([
          send('user', 'PATCH', `/api/profiles/${me.id}`, { avatarUrl: url }),
          send('admin', 'PUT', '/api/theme', { ...theme, logoUrl: url, heroBackgroundUrl: url }),
          send('admin', 'POST', '/api/videos', { urls: [url] }),
          send('admin', 'POST', '/api/webhooks', {
            url,
            events: ['programme.started', 'submission.received'],
          }),
          send('admin', 'POST', '/api/videos/import', { rows: [{ url }], dryRun: false }),
          send('user', 'POST', '/api/videos', { urls: [url] }),
          send('nobody', 'POST', `/auth/v1/recover${redirect}`, { email: 'nobody@example.test' }),
          send('nobody', 'POST', '/api/csp-reports', {
            'csp-report': { 'document-uri': url, 'blocked-uri': url },
          }),
          send('admin', 'GET', `/api/metadata/playlists/${encodeURIComponent(url).slice(0, 90)}`, undefined),
          send('nobody', 'GET', `/auth/v1/verify${redirect}&token=x&type=signup`, undefined),
        ])
        for (const { status } of answers) expect(status).toBeLessThan(500)
        for (const { status } of answers) expect(status).toBeGreaterThan(0)
      }
      await until('every lookup has ended', async () => {
        const headers = bearerOf(tokens.admin)
        const response = await fetch(`${station.url}/api/metadata/status`, { headers })
        const { queued, fetching } = (await response.json()) as { queued: number; fetching: number }
        return queued + fetching === 0
      })
      expect(bait.calls).toBe(0)
    })

    it('is not probed as a media file unless the operator has listed its origin', async () => {
      const { sender, bait, station } = fixture()
      const { status, text } = await sender.send({
        requester: 'admin',
        method: 'POST',
        path: '/api/videos',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ urls: mediaBaits(bait.url, station.url) }),
      })
      expect(status).toBe(200)
      const ids = (JSON.parse(text) as AddVideosResult).lines.flatMap(({ video }) => video?.id ?? [])
      expect(ids.length).toBeGreaterThan(10)
      const isRefused = (id: string, log: readonly string[]) =>
        log.some((line) => line.includes('media probe failed') && line.includes(id))
      await until(
        'every probe was refused',
        () => {
          const log = station.logs('metadata-worker').split('\n')
          const left = ids.filter((id) => !isRefused(id, log))
          if (left.length > 0) throw new Error(`not probed: ${left.join(', ')}`)
          return true
        },
        { timeoutMs: 60_000 },
      )
      expect(bait.calls).toBe(0)
    })

    it('does not become the target of a redirect', async () => {
      const { sender, bait } = fixture()
      for (const url of baits(bait.url)) {
        const path = `/auth/v1/verify?token=x&type=signup&redirect_to=${encodeURIComponent(url)}`
        const { status, headers } = await sender.send({
          requester: 'nobody',
          method: 'GET',
          path,
          headers: {},
          body: undefined,
        })
        expect(status).toBe(303)
        expect(new URL(String(headers.location)).origin).toBe(fixture().station.url)
      }
    })
  })
}
