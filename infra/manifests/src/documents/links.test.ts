import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { repositoryRoot } from '@looptide/backing/paths'
import { describe, expect, it } from 'vitest'
import { readCitations } from './citations.ts'
import { type Markdown, readMarkdown } from './markdown.ts'

const NOT_OURS = ['**/node_modules/**', '**/dist/**', '.local/**', '.git/**']
/** Written by a build, so absent from a fresh clone. */
const BUILT = ['web/dist']

const find = (pattern: string): string[] => globSync(pattern, { cwd: repositoryRoot, exclude: NOT_OURS })
const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8')
const exists = (path: string): boolean => BUILT.includes(path) || existsSync(join(repositoryRoot, path))

const texts = new Map(find('**/*.md').map((path) => [path, read(path)]))
const documents = new Map<string, Markdown>([...texts].map(([path, text]) => [path, readMarkdown(text)]))

/** `` `name` in `path` `` or `` `name`, `other` in [text](path) ``: names that a document places in a file. */
const PLACED =
  /((?:`[A-Za-z_]\w*`, )*`[A-Za-z_]\w*`) in (?:`([\w/.@-]+\.tsx?)`|\[[^\]]*\]\(([^)#]+\.tsx?)\))/g

function faultsOfNames(path: string, text: string): string[] {
  return [...text.matchAll(PLACED)].flatMap(([, names = '', named, linked = '']) => {
    const file = named ?? normalize(join(dirname(path), linked))
    if (!exists(file)) return []
    const source = read(file)
    return [...names.matchAll(/\w+/g)]
      .filter(([name]) => !source.includes(name))
      .map(([name]) => `${path}: no ${name} in ${file}`)
  })
}

/** `` `path` “name”, “name” ``: tests that a document names, with their file. */
const NAMED_TESTS = /`((?:[\w@-]+\/)+[\w.-]+\.(?:test|e2e)\.ts)`((?:,? “[^”]+”)+)/g

const namedTests = (text: string): { file: string; name: string }[] =>
  [...text.matchAll(NAMED_TESTS)].flatMap(([, file = '', names = '']) =>
    [...names.matchAll(/“([^”]+)”/g)].map(([, name = '']) => ({ file, name })),
  )

/** Why a link in `path` leads nowhere; undefined for one that is good or leads to another site. */
function faultOfLink(path: string, link: string): string | undefined {
  if (/^[a-z]+:/.test(link)) return undefined
  const [file = '', anchor] = link.split('#')
  const target = file === '' ? path : normalize(join(dirname(path), decodeURI(file)))
  if (!exists(target)) return `${path}: no file ${target}`
  const anchors = documents.get(target)?.anchors
  if (anchor === undefined || anchors === undefined || anchors.has(anchor)) return undefined
  return `${path}: no heading #${anchor} in ${target}`
}

function faultsOfCitations(path: string): string[] {
  return readCitations(read(path)).flatMap(({ document, sections, title }) => {
    const found = documents.get(document)
    if (found === undefined) return [`${path}: no document ${document}`]
    const missing = sections.filter((section) => !found.sections.has(section)).map((section) => `§${section}`)
    if (title !== undefined && !texts.get(document)?.toLowerCase().includes(title.toLowerCase()))
      missing.push(`"${title}"`)
    return missing.map((what) => `${path}: no ${what} in ${document}`)
  })
}

describe('the documents', () => {
  it('link only to files and headings that exist', () => {
    const faults = [...documents].flatMap(([path, { links }]) =>
      links.map((link) => faultOfLink(path, link)).filter((fault) => fault !== undefined),
    )
    expect(faults).toEqual([])
  })

  it('name only paths that exist', () => {
    const faults = [...documents].flatMap(([path, { paths }]) =>
      paths.filter((named) => !exists(named)).map((named) => `${path}: no file ${named}`),
    )
    expect([...new Set(faults)]).toEqual([])
  })

  it('place names only in files that contain them', () => {
    const placed = [...texts].flatMap(([path, text]) => faultsOfNames(path, text))
    expect(placed).toEqual([])
    expect([...(texts.get('docs/flows.md') ?? '').matchAll(PLACED)].length).toBeGreaterThan(6)
  })

  it('name only tests that exist, in their files', () => {
    const named = [...texts].flatMap(([path, text]) => namedTests(text).map((test) => ({ path, ...test })))
    expect(named.length).toBeGreaterThan(100)
    const missing = named.filter(({ file, name }) => !exists(file) || !read(file).includes(name))
    expect(missing.map(({ path, file, name }) => `${path}: no “${name}” in ${file}`)).toEqual([])
  })
})

it('comments cite only documents and sections that exist', () => {
  const files = find('**/*.{ts,tsx,mjs,css,sql,sh,yml,yaml,md}').filter(
    (path) => !path.endsWith('links.test.ts') && !path.startsWith('docs/decisions/'),
  )
  expect(files.length).toBeGreaterThan(1000)
  expect(files.flatMap(faultsOfCitations)).toEqual([])
})

describe('the readers of documents', () => {
  it('make anchors as GitHub does', () => {
    const { anchors, sections } = readMarkdown('# A `b` C\n\n## 2.1 Sign-up\n\n## Look!\n\n## Look!\n')
    expect([...anchors]).toEqual(['a-b-c', '21-sign-up', 'look', 'look-1'])
    expect([...sections]).toEqual(['2.1'])
  })

  it('read citations across the lines of a comment', () => {
    const text = ' * (docs/product/viewer.md\n * §4 and §9). See docs/operations.md, "Secrets".'
    expect(readCitations(text)).toEqual([
      { document: 'docs/product/viewer.md', sections: ['4', '9'], title: undefined },
      { document: 'docs/operations.md', sections: [], title: 'Secrets' },
    ])
  })
})
