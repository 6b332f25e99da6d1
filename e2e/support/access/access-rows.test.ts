import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { OPERATIONS } from '@looptide/contracts/operations/all'
import { expect, it } from 'vitest'
import { ALL_RULES, RULED_ROUTES } from '../route-rules.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const SOURCES = ['services/*/src/**/*.ts', 'gateway/src/**/*.ts']
/** A route that is no operation and whose path is a literal: probes and files of the site. */
const ROUTE = /\b(?:app|admin|scope)\.(get|post|put|patch|delete)(?:<[^(]*>)?\(\s*'(\/[^'*]*)'/g

const templateOf = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}')

/** The file in which the rows of an operation are. */
function rulesFileOf(operation: string): string {
  if (operation.startsWith('auth.')) return 'rules-of-accounts.ts'
  if (operation.startsWith('stream.')) return 'rules-of-channels.ts'
  return operation.startsWith('gateway.') ? 'rules-of-the-gateway.ts' : 'rules-of-the-station.ts'
}

const operations = [...OPERATIONS.values()].map(({ name, call }) => ({
  route: templateOf(call),
  file: rulesFileOf(name),
}))

/** All other routes of the sources that viewers can reach. */
const others = globSync(SOURCES, { cwd: root })
  .filter((source) => !source.endsWith('.test.ts'))
  .flatMap((source) =>
    [...readFileSync(join(root, source), 'utf8').matchAll(ROUTE)].map(([, method = '', path = '']) => ({
      route: `${method.toUpperCase()} ${templateOf(path)}`,
      file: 'rules-of-the-gateway.ts',
    })),
  )

it('every route has a row; add a missing one to the named file, then run `pnpm security:table`', () => {
  expect(operations.length).toBeGreaterThan(200)
  expect(others.length).toBeGreaterThan(3)
  const missing = [...operations, ...others]
    .filter(({ route }) => !RULED_ROUTES.has(route))
    .map(({ route, file }) => `${route}: add it to e2e/support/access/${file}`)
  expect(missing).toEqual([])
})

it('no row occurs twice; distinguish cases of one route by ` | ` and a few words', () => {
  const rows = ALL_RULES.map(([row]) => row)
  expect(rows.filter((row, at) => rows.indexOf(row) !== at)).toEqual([])
})
