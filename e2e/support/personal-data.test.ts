import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { PERSONAL_DATA } from './personal-data.ts'

/** Columns whose names say that they name a user. */
const NAMES_A_USER = /^ {2}((?:\w+_)?user_id|viewer_id|actor_id|\w+_by) uuid/gm
const EVENT_TABLES = ['outbox', 'published_events', 'inbox', 'dead_letters', 'leases']

const SCHEMAS = {
  auth: 'auth',
  catalogue: 'catalogue',
  chat: 'chat',
  'stream-scheduler': 'scheduler',
  'admin-audit': 'admin_audit',
}

const userColumns = (): string[] =>
  Object.entries(SCHEMAS).flatMap(([service, schema]) => {
    const file = new URL(`../../services/${service}/src/db/schema.sql`, import.meta.url)
    const tables = readFileSync(fileURLToPath(file), 'utf8').matchAll(/^CREATE TABLE (\w+) \(([\s\S]*?)^\)/gm)
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
