import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { SECURITY_DOCUMENT, withTable } from './access-document.ts'
import { ASVS_LEVEL_2 } from './asvs.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const document = await readFile(SECURITY_DOCUMENT, 'utf8')

it('docs/security.md has the current table (else: pnpm security:table)', () => {
  expect(withTable(document)).toBe(document)
})

it('docs/security.md lists every requirement of ASVS once, with a reason', () => {
  const rows = [
    ...document.matchAll(/^\| (\d+\.\d+\.\d+) \| [^|]+ \| (met|partly|not met|n\/a) \| [^|]+ \|$/gm),
  ]
  expect(rows.map(([, number]) => number)).toEqual(ASVS_LEVEL_2)
})

it('every file that docs/security.md names exists', () => {
  const named = [...document.matchAll(/`((?:[\w.@-]+\/)+[\w.-]+\.(?:tsx?|md|yaml|yml|json|conf|sh))`/g)]
  expect(named.length).toBeGreaterThan(50)
  expect(named.map(([, path = '']) => path).filter((path) => !existsSync(`${root}${path}`))).toEqual([])
})

it('every test that docs/security.md names exists in the named file', async () => {
  const named = [...document.matchAll(/`((?:[\w.@-]+\/)+[\w.-]+\.(?:test|e2e)\.ts)` “([^”]+)”/g)]
  expect(named.length).toBeGreaterThan(30)
  const missing: string[] = []
  for (const [, path = '', name = ''] of named) {
    const text = await readFile(`${root}${path}`, 'utf8')
    if (!text.includes(name)) missing.push(`${path}: ${name}`)
  }
  expect(missing).toEqual([])
})
