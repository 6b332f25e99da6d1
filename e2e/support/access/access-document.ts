import { fileURLToPath } from 'node:url'
import { PROOF_OF } from '@looptide/contracts/operations/all'
import { may, PERMISSIONS, ROLES } from '@looptide/contracts/permissions'
import { parseTopic, TOPIC_PREFIX } from '../../../gateway/src/realtime/topic/topic-name.ts'
import { ROUTE_RULES } from '../route-rules.ts'
import { type Cells, cellsOf, REQUESTERS } from './requesters.ts'
import { TOPIC_ACCESS } from './topic-access.ts'

/** The document that contains the table, between two markers. */
export const ACCESS_DOCUMENT = fileURLToPath(new URL('../../../docs/access.md', import.meta.url))
const BEGIN = '<!-- access table: pnpm security:table -->'
const END = '<!-- /access table -->'

/** The permissions of each role, a row each. */
const permissions = (): string =>
  table(
    ['permission', ...ROLES],
    PERMISSIONS.map((permission) => [
      `\`${permission}\``,
      ...ROLES.map((role) => (may(role, permission) ? 'yes' : '–')),
    ]),
  )

/** The step-up table: what is required of a session in addition. Operations that require nothing are left out. */
const proofs = (): string =>
  table(
    ['operation', 'requires'],
    [...PROOF_OF].flatMap(([row, proof]) => (proof === 'none' ? [] : [[named(row), proof]])),
  )

/** The table as Markdown: permissions, proofs, a part per kind of route, then the topics of the socket. */
function accessTable(): string {
  const parts = [...ROUTE_RULES].map(([title, rules]) =>
    part(
      title,
      'route',
      rules.map(([row, rule]) => [named(row), cellsOf(rule)]),
    ),
  )
  const topics = Object.entries(TOPIC_ACCESS).flatMap(([kind, { join, broadcast, presence }]) => {
    const name = parseTopic(`${TOPIC_PREFIX}${kind}`) === null ? `${kind}:<id>` : kind
    const actions: [string, Cells][] = [
      ['join', join],
      ['broadcast', broadcast],
      ['presence', presence],
    ]
    return actions.map(([action, cells]): [string, Cells] => [`\`realtime:${name}\` ${action}`, cells])
  })
  return [
    `## Permissions\n\n${permissions()}`,
    `## Proofs\n\n${proofs()}`,
    ...parts,
    part('Topics of the socket', 'topic', topics),
  ].join('\n\n')
}

/** A route as code, followed by its case. */
function named(row: string): string {
  const [route, circumstances] = row.split(' | ')
  return circumstances === undefined ? `\`${route}\`` : `\`${route}\` (${circumstances})`
}

function part(title: string, first: string, rows: readonly [string, Cells][]): string {
  const lines = rows.map(([name, cells]) => [name, ...REQUESTERS.map((requester) => cells[requester])])
  return `## ${title}\n\n${table([first, ...REQUESTERS], lines)}`
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Returns the document with the current table. Throws if the markers are missing. */
export function withTable(document: string): string {
  const [from, to] = [document.indexOf(BEGIN), document.indexOf(END)]
  if (from < 0 || to < from) throw new Error(`${ACCESS_DOCUMENT} has no markers for the table`)
  return `${document.slice(0, from)}${BEGIN}\n\n${accessTable()}\n\n${document.slice(to)}`
}
