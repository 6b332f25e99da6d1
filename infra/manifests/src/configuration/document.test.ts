import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '@looptide/backing/paths'
import { expect, it } from 'vitest'
import { DESCRIPTIONS, FAMILIES } from './descriptions.ts'
import { allSettings, configurationDocument, DOCUMENT } from './document.ts'

const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8')
const { station, processes, others } = allSettings()
const names = [...station, ...processes, ...others].map(({ name }) => name)

it('describes every setting that a process reads, and no other', () => {
  expect(names.filter((name) => DESCRIPTIONS[name] === undefined)).toEqual([])
  expect(Object.keys(DESCRIPTIONS).filter((name) => !names.includes(name))).toEqual([])
})

it('describes every variable of docker-compose.yml', () => {
  const families = Object.keys(FAMILIES).map((name) => new RegExp(`^${name.replace(/<\w+>/, '\\w+')}$`))
  const variables = [...read('docker-compose.yml').matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name)
  const unknown = variables.filter((name) => !names.includes(name) && !families.some((one) => one.test(name)))
  expect(unknown).toEqual([])
})

it('is docs/configuration.md; run `pnpm docs:configuration` after a change', () => {
  expect(read(DOCUMENT)).toBe(configurationDocument())
})

it('names in the README only settings that exist', () => {
  const rows = read('README.md').match(/^\| `[A-Z_]+`.*$/gm) ?? []
  const named = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([A-Z_]+)`/g)].map(([, one]) => one),
  )
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name = '') => !names.includes(name))).toEqual([])
})
