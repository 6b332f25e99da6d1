import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ALL_OPERATIONS } from '@looptide/contracts/operations/all'
import { deletionSteps } from '@looptide/service-kit/db/tables'
import { expect, it } from 'vitest'
import { PERSONAL_DATA } from './personal-data.ts'
import { snakeCase, tablesOf } from './service-tables.ts'

/** Columns whose names say that they name a user. */
const NAMES_A_USER = /^ {2}((?:\w+_)?user_id|viewer_id|actor_id|\w+_by) uuid/gm
const EVENT_TABLES = ['outbox', 'published_events', 'inbox', 'dead_letters', 'leases']

const SCHEMAS = {
  auth: 'auth',
  catalogue: 'catalogue',
  chat: 'chat',
  audience: 'audience',
  'stream-scheduler': 'scheduler',
  'admin-audit': 'admin_audit',
} as const

const schemaOf = (service: string): string =>
  readFileSync(fileURLToPath(new URL(`../../services/${service}/src/db/schema.sql`, import.meta.url)), 'utf8')

const userColumns = (): string[] =>
  Object.entries(SCHEMAS).flatMap(([service, schema]) => {
    const tables = schemaOf(service).matchAll(/^CREATE TABLE (\w+) \(([\s\S]*?)^\)/gm)
    return [...tables]
      .filter(([, table = '']) => !EVENT_TABLES.includes(table))
      .flatMap(([, table, body = '']) =>
        [...body.matchAll(NAMES_A_USER)].map(([, column]) => `${schema}.${table}.${column}`),
      )
  })

it('every column that names a user is in the data export, or says why not', () => {
  const columns = userColumns()
  expect(columns.length).toBeGreaterThan(30)
  expect(columns.filter((column) => PERSONAL_DATA[column] === undefined)).toEqual([])
  expect(Object.keys(PERSONAL_DATA).filter((column) => !columns.includes(column))).toEqual([])
})

it('the data export has every operation that the columns name, and each of its operations has a column', () => {
  const calls = ALL_OPERATIONS.map(({ call }) => call).filter((call) => call.startsWith('GET /api/export/'))
  const named = Object.values(PERSONAL_DATA).flatMap((entry) => ('call' in entry ? [entry.call] : []))
  expect([...new Set(named)].toSorted()).toEqual(calls.toSorted())
})

it('the rows that are deleted with an account are found by an index', () => {
  const unindexed = Object.entries(SCHEMAS).flatMap(([service, schema]) => {
    const sql = schemaOf(service)
    return deletionSteps(tablesOf(schema)).flatMap((step) => {
      if ('hook' in step) return []
      const [table, column] = [snakeCase(step.table), snakeCase(step.column)]
      const constraint = `CREATE TABLE ${table} \\([^;]*(PRIMARY KEY|UNIQUE) \\(${column}\\b`
      const index = `INDEX \\w+ ON ${table} USING btree \\(${column}\\b[^)]*\\)( WHERE ${column} IS NOT NULL)?;`
      const hasIndex = new RegExp(`${constraint}|${index}`).test(sql)
      return hasIndex ? [] : [`a migration adds an index on ${schema}.${table} (${column})`]
    })
  })
  expect(unindexed).toEqual([])
})
