/**
 * Finds discouraged words in the repository's files and names the standard term for each; part of `pnpm lint`.
 *
 *   node infra/lint/plain-language.ts [FILE …]      default: every tracked source file and document
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '@looptide/backing/paths'
import { DISCOURAGED_WORDS } from './discouraged-words.ts'

const CHECKED = /\.(?:ts|tsx|mjs|css|html|sql|sh|md|ya?ml)$/
/** Applied migrations do not change; the list and the style guide name the words. */
const EXEMPT = /\/migrations\/|^infra\/lint\/discouraged-words\.ts$|^STYLE_GUIDE\.md$|^pnpm-lock\.yaml$/

const named = process.argv.slice(2)
const files = named.length > 0 ? named : trackedFiles()
const findings = files.filter((file) => CHECKED.test(file) && !EXEMPT.test(file)).flatMap(findingsIn)
for (const finding of findings) console.error(finding)
if (findings.length > 0) console.error(`\n${findings.length} discouraged words: see STYLE_GUIDE.md`)
process.exitCode = findings.length === 0 ? 0 : 1

function trackedFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: repositoryRoot, encoding: 'utf8' })
  return listed.split('\0').filter((file) => existsSync(join(repositoryRoot, file)))
}

function findingsIn(file: string): string[] {
  const lines = readFileSync(join(repositoryRoot, file), 'utf8').split('\n')
  return lines.flatMap((line, index) =>
    DISCOURAGED_WORDS.flatMap(({ pattern, instead }) => {
      const word = pattern.exec(line)?.[0]
      return word === undefined ? [] : [`${file}:${index + 1}: "${word}": write ${instead}`]
    }),
  )
}
