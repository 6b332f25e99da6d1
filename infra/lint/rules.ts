// Rules of STYLE_GUIDE.md that the linters lack; each finds the faults of one file.
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { repositoryRoot } from '../../packages/backing/src/paths.ts'

/** Code that others read to use it; a test's name says what it does, and migrations are never called by hand. */
const DOCUMENTED = /^(?:gateway|web|services\/[^/]+|packages\/[^/]+|infra\/[^/]+)\/src\/.*\.tsx?$/
const UNDOCUMENTED = /\.test\.tsx?$|\.d\.ts$|\/migrations\//
/** An exported function or class, also a function in a constant. */
const EXPORTED =
  /^export (?:(?:async )?function\*? (\w+)|(?:abstract )?class (\w+)|const (\w+)(?:: [^=]+)? = (?:async )?(?:function\b|\(|<\w))/
/** A line between a docstring and its declaration. */
const SUPPRESSION = /^\/\/ biome-ignore /

/** Finds exported functions and classes without a docstring. */
export function findMissingDocstrings(path: string, text: string): string[] {
  if (!DOCUMENTED.test(path) || UNDOCUMENTED.test(path)) return []
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    const [, ...names] = EXPORTED.exec(line) ?? []
    const name = names.find((one) => one !== undefined)
    if (name === undefined || isDocumented(lines, index)) return []
    return [`${path}:${index + 1}: ${name} has no docstring: what it returns, units, errors, why`]
  })
}

/** Whether the declaration in this line, or the first overload of it, follows a docstring. */
function isDocumented(lines: readonly string[], index: number): boolean {
  const before = lines[index - 1] ?? ''
  if (before.endsWith('*/')) return true
  return SUPPRESSION.test(before) && isDocumented(lines, index - 1)
}

const README_LINES = 25
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
  return name === undefined || lines <= README_LINES
    ? []
    : [`${path}: ${lines} lines, at most ${README_LINES}`]
}

/** Services; packages have no features whose SQL could be gathered. */
const SERVICE_SOURCE = /^services\/[^/]+\/src\/.*\.ts$/
/** Repositories, migrations with what they share, and tests. */
const MAY_HAVE_SQL = /-repository\.ts$|\/src\/db\/|\.test\.ts$/
/** A query of Kysely's builder, or a template of SQL. */
const SQL =
  /\.(?:selectFrom|selectNoFrom|insertInto|updateTable|deleteFrom|mergeInto)\(|\bsql(?:<[^`;]*>)?`|\bsql\.\w+\(/

/** Finds SQL of a service outside of its repositories. */
export function findMisplacedSql(path: string, text: string): string[] {
  if (!SERVICE_SOURCE.test(path) || MAY_HAVE_SQL.test(path)) return []
  return text.split('\n').flatMap((line, index) => {
    const found = SQL.exec(line)?.[0]
    return found === undefined ? [] : [`${path}:${index + 1}: ${found}: SQL is in *-repository.ts only`]
  })
}

/** Finds repositories that are not modules of functions. */
export function findRepositoryFaults(path: string, text: string): string[] {
  if (!path.endsWith('-repository.ts')) return []
  return text.split('\n').flatMap((line, index) => {
    const [, name] = /^export (?:(?:abstract )?class|const) (\w+) (?:extends \w+ )?(?:= )?\{/.exec(line) ?? []
    return name === undefined ? [] : [`${path}:${index + 1}: ${name}: a repository is a module of functions`]
  })
}

const HANDLER_LINES = 15

/** Finds handlers of operations that are longer than 15 lines. */
export function findLongHandlers(path: string, text: string): string[] {
  if (!/^(?:gateway|services\/[^/]+)\/src\/(?:.*[/-])?routes?\.ts$/.test(path)) return []
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    const [, indent] = /^( *)(?:route\(.*)?(?:async )?\([^()]*\) => \{$/.exec(line) ?? []
    if (indent === undefined) return []
    const length = lines.slice(index + 1).findIndex((later) => later.startsWith(`${indent}}`))
    const fault = `${path}:${index + 1}: a handler of ${length} lines, at most ${HANDLER_LINES}`
    return length <= HANDLER_LINES ? [] : [fault]
  })
}

const NAMED = /\.(?:tsx?|mjs|css)$/
/** Words in lower case, joined by hyphens; a helper of tests begins with an underscore, a setting of a tool with a dot. */
const KEBAB = /^[._]?[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+)*$/

/** Faults of a file's name: it is not in kebab-case. */
export const findNameFaults = (path: string): string[] =>
  NAMED.test(path) && !KEBAB.test(basename(path)) ? [`${path}: file names are kebab-case`] : []

/** Finds exports of what another file of the same package exports. */
export function findReExports(path: string, text: string): string[] {
  if (!NAMED.test(path)) return []
  return text
    .split('\n')
    .flatMap((line, index) =>
      /^export (?:type )?(?:\*|\{).* from '\./.test(line)
        ? [`${path}:${index + 1}: import it from the file that defines it`]
        : [],
    )
}
