import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repositoryRoot } from '../../packages/backing/src/paths.ts'

const MAX_LINES = 25
/** The processes and packages that a reader meets; `infra`, `e2e` and `bench` are described in CONTRIBUTING.md. */
const PACKAGE = /^(?:gateway|web|services\/[^/]+|packages\/[^/]+)\/(package\.json|README\.md)$/

/** Faults of the README of a service or package: it is missing, or longer than 25 lines. */
export function findReadmeFaults(path: string, text: string): string[] {
  const [, name] = PACKAGE.exec(path) ?? []
  if (name === 'package.json') {
    const readme = `${dirname(path)}/README.md`
    const isThere = existsSync(join(repositoryRoot, readme))
    return isThere ? [] : [`${readme}: missing: say what the package owns and where to start reading`]
  }
  const lines = text.trimEnd().split('\n').length
  return name === undefined || lines <= MAX_LINES ? [] : [`${path}: ${lines} lines, at most ${MAX_LINES}`]
}
