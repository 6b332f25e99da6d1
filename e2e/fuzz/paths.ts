import { describe, expect, it } from 'vitest'
import type { FuzzFixture } from '../support/fuzz/fixture.ts'
import { getTarget } from '../support/fuzz/raw-http.ts'

/** Ways to write a path that the gateway does not forward. */
const spellings = (path: string): string[] => [
  path,
  `/${path}`,
  `//evil.test${path}`,
  `/.${path}`,
  `${path}/`,
  `${path}?/api/me`,
  path.replace('/', '/%2F'),
  path.replace('internal', '%69nternal'),
  path.replace('internal', 'INTERNAL'),
  path.replace('internal', 'internal%00'),
  path.replaceAll('/', '\\'),
  path.replaceAll('/', '%5C'),
  `http://localhost${path}`,
  `http://auth:8080${path}`,
  `https://localhost${path}`,
  `localhost${path}`,
  ...['/api/me', '/api/search', '/api/home', '/api/videos', '/auth/v1', '/assets', '/docs'].flatMap(
    (prefix) => [
      `${prefix}/../..${path}`,
      `${prefix}/..${path}`,
      `${prefix}/%2e%2e/%2e%2e${path}`,
      `${prefix}/.%2e/%2E.${path}`,
      `${prefix}/..%2f..%2f${path.slice(1)}`,
      `${prefix}/..\\..${path.replaceAll('/', '\\')}`,
      `${prefix}/\\..\\..${path}`,
      `${prefix}/%5c..%5c..${path}`,
      `${prefix}/%252e%252e/%252e%252e${path}`,
      `${prefix}/..;/..;${path}`,
      `${prefix}/%00/../..${path}`,
      `${prefix}/..%00/..${path}`,
      `${prefix}/%c0%ae%c0%ae/%c0%ae%c0%ae${path}`,
      `${prefix}/\t../..${path}`,
      `${prefix}?x=/../..${path}`,
      `${prefix}#/../..${path}`,
      `http://localhost${prefix}/../..${path}`,
    ],
  ),
]

const INTERNAL = ['/internal/access', '/internal/videos', '/metrics', '/openapi.json']
/** Texts that only internal responses contain. */
const SECRETS = /revokedSessions|"videoUrl"|looptide_[a-z_]+\{|# HELP|"\/internal\//

/** Paths that try to reach internal endpoints, and files outside the served folder. */
export function describePaths(fixture: () => FuzzFixture): void {
  describe('a request target', () => {
    it.each(INTERNAL)(
      'of %s cannot be reached in any encoding, not even with the internal token',
      async (path) => {
        const { station } = fixture()
        const answers = await Promise.all(
          spellings(path).map(async (target) => {
            const headers = ['Host: localhost', `X-Internal-Token: ${station.secrets.internalToken}`]
            const { statuses, text } = await getTarget(station.url, target, headers)
            return {
              target,
              status: statuses[0] ?? 0,
              isSecret: SECRETS.test(text) && !isPublic(target, text),
            }
          }),
        )
        const wrong = answers.filter(({ status, isSecret }) => isSecret || status === 0 || status >= 500)
        expect(wrong).toEqual([])
      },
    )

    it('of a file outside the web app’s folder is not served', async () => {
      const { station } = fixture()
      const files = [
        '/package.json',
        '/../package.json',
        '/.vite/manifest.json',
        '/.env',
        '/etc/passwd',
        '/src/main.tsx',
      ]
      const targets = files.flatMap((file) => [
        ...[
          file,
          `/assets/..${file}`,
          `/assets/../..${file}`,
          `/assets/%2e%2e/%2e%2e${file}`,
          `/assets/..%2f..%2f${file.slice(1)}`,
        ],
        ...[
          `/test-card/..\\..${file}`,
          `/assets/%2e%2e%5c%2e%2e${file}`,
          `${file}%00.js`,
          `/index.html/..${file}`,
        ],
      ])
      const answers = await Promise.all(
        targets.map(async (target) => ({ target, ...(await pageOrStatus(station.url, target)) })),
      )
      expect(
        answers.filter(({ status, isPage }) => status >= 500 || status === 0 || (status < 400 && !isPage)),
      ).toEqual([])
    })

    it('in absolute form is served by this station, whatever host it names', async () => {
      const { station, bait } = fixture()
      for (const path of [
        '/api/search?q=x',
        '/api/home',
        '/api/videos',
        '/api/config',
        '/api/channels/test-card/now',
        '/',
      ]) {
        const { statuses } = await getTarget(station.url, bait.url + path)
        expect([path, statuses.length]).toEqual([path, 1])
        expect(statuses[0]).toBeLessThan(500)
      }
      expect(bait.calls).toBe(0)
    })
  })
}

/** A search for a text that looks like an internal path is an ordinary search. */
const isPublic = (target: string, text: string): boolean =>
  (/^\/api\/(search|home|videos)[?#]/.test(target) && text.includes('"videoUrl"')) ||
  text.includes('text/html')

async function pageOrStatus(url: string, target: string): Promise<{ status: number; isPage: boolean }> {
  const { statuses, text } = await getTarget(url, target)
  return { status: statuses[0] ?? 0, isPage: /content-type: text\/html/i.test(text) }
}
