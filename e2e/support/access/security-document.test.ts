import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ACCESS_DOCUMENT, withTable } from './access-document.ts'
import { ASVS_LEVEL_2 } from './asvs.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const read = (path: string): Promise<string> => readFile(`${root}${path}`, 'utf8')

it('docs/access.md has the current tables (else: pnpm security:table)', async () => {
  const document = await readFile(ACCESS_DOCUMENT, 'utf8')
  expect(withTable(document)).toBe(document)
})

it('docs/asvs.md lists every requirement of ASVS once, with a reason', async () => {
  const rows = (await read('docs/asvs.md')).matchAll(
    /^\| (\d+\.\d+\.\d+) \| [^|]+ \| (met|partly|not met|n\/a) \| [^|]+ \|$/gm,
  )
  expect([...rows].map(([, number]) => number)).toEqual(ASVS_LEVEL_2)
})

/** A path in code, a quoted name, or the end of a table's cell. */
const PIECES = /`((?:[\w.@-]+\/)+[\w.-]+\.(?:tsx?|mjs|md|ya?ml|json|conf|sh))`|“([^”]+)”|(\|)/g

/** The files that a line names, and the tests it names after the file that has them, within a cell. */
function claimsOf(line: string): { path: string; test?: string }[] {
  let file: string | undefined
  return [...line.matchAll(PIECES)].flatMap(([, path, test]) => {
    if (test === undefined) file = path
    if (path !== undefined) return [{ path }]
    return test === undefined || file === undefined ? [] : [{ path: file, test }]
  })
}

describe.each(['docs/security.md', 'docs/access.md', 'docs/asvs.md'])('%s', (document) => {
  it('names files that exist, and tests that are in the named file', async () => {
    const claims = (await read(document)).split('\n').flatMap(claimsOf)
    expect(claims.length).toBeGreaterThan(3)
    const missing: string[] = []
    for (const { path, test = '' } of claims) {
      const isThere = existsSync(`${root}${path}`) && (await read(path)).includes(test)
      if (!isThere) missing.push(`${path}: ${test}`)
    }
    expect(missing).toEqual([])
  })
})
