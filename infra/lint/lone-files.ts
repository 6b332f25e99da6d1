/**
 * Finds small files that only one other file uses: they belong into that file, unless they have a test of their own or
 * people look for them by their name. Part of `pnpm lint`.
 *
 *   node infra/lint/lone-files.ts
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { repositoryRoot } from '../../packages/backing/src/paths.ts'

/** Longer files are more than a helper of their importer. */
const SMALL_LINES = 40
const TEST = /\.(?:test|e2e)\.tsx?$|\/tests\/|^(?:e2e|bench)\//
/** Routes, SQL, consumers, calls of a feature, programs, settings, tables, migrations, events of an owner, components. */
const LOOKED_FOR =
  /(?:^|[/-])(?:routes?|repository|api|main|process|migrate|app|config|rules|schema)\.ts$|\/consumers\/on-|\/migrations\/|^packages\/contracts\/src\/events\/|\.tsx$/

/** Files that stay alone, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'gateway/src/fast-path/raw-write.ts': 'a fast path, described in gateway/src/fast-path/README.md',
  'packages/backing/src/servers/maildev.ts': 'how to run one server, beside those of the others',
  'services/auth/src/features/credential/code/wrong-codes.ts': 'the rule of wrong codes, beside its SQL',
  'web/scripts/precompress.ts': 'a plugin of Vite',
  'web/scripts/sonner-styles.ts': 'a plugin of Vite',
  'web/src/tv/polyfills.ts': 'runs before the other imports of its importer',
}

interface Use {
  importer: string
  /** Whether the importer loads the file on demand. */
  isLazy: boolean
}

const files = execFileSync('git', ['ls-files', '-z', '*.ts', '*.tsx', '*.mjs'], {
  cwd: repositoryRoot,
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) => file !== '' && existsSync(join(repositoryRoot, file)))
const known = new Set(files)
const packages = findPackages()
const uses = findUses()

const lone = files.filter(isLone)
const findings = [
  ...lone
    .filter((file) => !(file in EXCEPTIONS))
    .map(
      (file) => `${file}: only ${uses.get(file)?.at(0)?.importer} uses it, and it has no test: move it there`,
    ),
  ...Object.keys(EXCEPTIONS)
    .filter((file) => !lone.includes(file))
    .map((file) => `${file} is no exception any more: remove it from infra/lint/lone-files.ts`),
]
for (const finding of findings) console.error(finding)
process.exitCode = findings.length === 0 ? 0 : 1

function isLone(file: string): boolean {
  if (TEST.test(file) || LOOKED_FOR.test(file) || !/\.tsx?$/.test(file)) return false
  const [use, ...others] = uses.get(file) ?? []
  if (use === undefined || others.length > 0 || use.isLazy || TEST.test(use.importer)) return false
  return lineCount(file) <= SMALL_LINES
}

function lineCount(file: string): number {
  return readFileSync(join(repositoryRoot, file), 'utf8').split('\n').length - 1
}

/** Every package by its name: the folder of the files that it exports. */
function findPackages(): Map<string, string> {
  const listed = execFileSync('git', ['ls-files', '-z', '*package.json'], {
    cwd: repositoryRoot,
    encoding: 'utf8',
  })
  const folders = listed
    .split('\0')
    .filter((file) => file !== '')
    .map(dirname)
  return new Map(
    folders.map((folder) => {
      const { name } = JSON.parse(readFileSync(join(repositoryRoot, folder, 'package.json'), 'utf8')) as {
        name: string
      }
      return [name, join(folder, 'src')]
    }),
  )
}

function findUses(): Map<string, Use[]> {
  const found = new Map<string, Use[]>()
  for (const importer of files) {
    const text = readFileSync(join(repositoryRoot, importer), 'utf8')
    const imported = new Map<string, boolean>()
    for (const [, how = '', specifier = ''] of text.matchAll(
      /\b(from|import\(|import)\s*['"]([^'"\n]+)['"]/g,
    )) {
      const file = resolve(importer, specifier)
      if (file !== undefined) imported.set(file, how === 'import(' && (imported.get(file) ?? true))
    }
    for (const [file, isLazy] of imported) found.set(file, [...(found.get(file) ?? []), { importer, isLazy }])
  }
  return found
}

/** The file of the repository that an import means. */
function resolve(importer: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) {
    const file = normalize(join(dirname(importer), specifier))
    return known.has(file) && file !== importer ? file : undefined
  }
  const [scope, name, ...path] = specifier.split('/')
  const folder = packages.get(`${scope}/${name}`)
  const file = folder === undefined ? undefined : `${folder}/${path.join('/')}.ts`
  return file !== undefined && known.has(file) ? file : undefined
}
