/**
 * Checks the rules of STYLE_GUIDE.md that the linters lack; part of `pnpm lint`.
 *
 *   node infra/lint/style-guide.ts [FILE …]      default: every tracked file
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../../packages/backing/src/paths.ts'
import { findDiscouragedWords } from './discouraged-words.ts'
import {
  findLongHandlers,
  findMisplacedSql,
  findMissingDocstrings,
  findNameFaults,
  findReadmeFaults,
  findReExports,
  findRepositoryFaults,
} from './rules.ts'

/** A rule: the faults of one file, each `path:line: what is wrong`. */
type Rule = (path: string, text: string) => readonly string[]

const RULES: readonly Rule[] = [
  findDiscouragedWords,
  findMissingDocstrings,
  findMisplacedSql,
  findRepositoryFaults,
  findLongHandlers,
  findNameFaults,
  findReExports,
  findReadmeFaults,
]

const TEXT = /\.(?:ts|tsx|mjs|css|html|sql|sh|md|ya?ml|json)$/

const named = process.argv.slice(2)
const files = (named.length > 0 ? named : trackedFiles()).filter((path) => TEXT.test(path))
const faults = files.flatMap((path) => {
  const text = readFileSync(join(repositoryRoot, path), 'utf8')
  return RULES.flatMap((rule) => rule(path, text))
})
for (const fault of faults) console.error(fault)
if (faults.length > 0) console.error(`\n${faults.length} faults: see STYLE_GUIDE.md`)
process.exitCode = faults.length === 0 ? 0 : 1

/** The files of the next commit. */
function trackedFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: repositoryRoot, encoding: 'utf8' })
  return listed.split('\0').filter((path) => path !== '' && existsSync(join(repositoryRoot, path)))
}
