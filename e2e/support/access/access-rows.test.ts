import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { ALL_RULES, RULED_ROUTES } from '../route-rules.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const SOURCES = ['services/*/src/**/*.ts', 'gateway/src/**/*.ts']
/** A route whose path is a literal. Computed paths are checked by `e2e/access/access-table.test.ts`, on a station. */
const ROUTE = /\b(?:app|admin|scope)\.(get|post|put|patch|delete)(?:<[^(]*>)?\(\s*'(\/[^'*]*)'/g

/** Routes below this folder are registered below `/auth/v1`. */
const AUTH_PROTOCOL = 'services/auth/src/protocol/'

/** The file in which a route of this source file has its rows. */
function rulesFileOf(source: string): string {
  if (source.startsWith('services/auth/')) return 'rules-of-accounts.ts'
  return source.startsWith('gateway/') ? 'rules-of-the-gateway.ts' : 'rules-of-the-station.ts'
}

/** All routes of the sources that viewers can reach, each with its source file. */
function routesOfSources(): { route: string; source: string }[] {
  return globSync(SOURCES, { cwd: root })
    .filter((source) => !source.endsWith('.test.ts'))
    .flatMap((source) => {
      const prefix = source.startsWith(AUTH_PROTOCOL) ? '/auth/v1' : ''
      return [...readFileSync(join(root, source), 'utf8').matchAll(ROUTE)].map(
        ([, method = '', path = '']) => ({
          route: `${method.toUpperCase()} ${prefix}${path.replaceAll(/:(\w+)/g, '{$1}')}`,
          source,
        }),
      )
    })
    .filter(({ route }) => !route.includes(' /internal/'))
}

const routes = routesOfSources()

it('every route has a row; add a missing one to the named file, then run `pnpm security:table`', () => {
  expect(routes.length).toBeGreaterThan(100)
  const missing = routes
    .filter(({ route }) => !RULED_ROUTES.has(route))
    .map(({ route, source }) => `${route} (${source}): add it to e2e/support/access/${rulesFileOf(source)}`)
  expect(missing).toEqual([])
})

it('no row occurs twice; distinguish cases of one route by ` | ` and a few words', () => {
  const rows = ALL_RULES.map(([row]) => row)
  expect(rows.filter((row, at) => rows.indexOf(row) !== at)).toEqual([])
})
