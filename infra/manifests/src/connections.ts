import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '@looptide/backing/paths'
import { serviceNames } from '@looptide/backing/service-names'

const TITLE = '## Allowed connections'

/** One allowed connection: `gateway → auth:8080`. */
export type Connection = `${string} → ${string}:${number}`

/**
 * The connections of the table in ARCHITECTURE.md: rows of source, target and port, with several values separated
 * by commas. "every process" is the gateway, the five services and the worker.
 */
export function documentedConnections(): Connection[] {
  const text = readFileSync(join(repositoryRoot, 'ARCHITECTURE.md'), 'utf8')
  const section = text.split(TITLE)[1]?.split('\n## ')[0]
  if (section === undefined) throw new Error(`ARCHITECTURE.md has no chapter "${TITLE}".`)
  const rows = section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .map((line) => line.split('|').slice(1, 4))
  return rows.flatMap(([from = '', to = '', ports = '']) =>
    names(from).flatMap((one) =>
      names(to).flatMap((other) =>
        ports.split(',').map((port): Connection => `${one} → ${other}:${Number(port)}`),
      ),
    ),
  )
}

function names(cell: string): string[] {
  return cell
    .split(',')
    .map((name) => name.trim())
    .flatMap((name) => (name === 'every process' ? serviceNames : [name]))
}
