import type { Client } from 'pg'

/**
 * Writes the column types of a service's `schema.ts` from a migrated database. Names, order, nullability and
 * defaults are the database's. What it cannot know stays as it is in `source`: comments, value types narrower than the
 * database's (a union, the shape of a JSON document), which defaults an insert may not rely on, `export`, and everything
 * that is no table.
 *
 * @throws Error for a column whose Postgres type has no TypeScript type yet
 */
export async function writeTypes(client: Client, schema: string, source: string): Promise<string> {
  const { rows } = await client.query<Column>(COLUMNS, [schema, KIT_TABLES])
  const tables = Map.groupBy(rows, ({ tableName }) => tableName)
  const names = [...tables.keys()]
  const known = new Set([...source.matchAll(TABLE)].map(([, , , name = '']) => name))
  const kept = source
    .replace(TABLE, (_, comment: string, exported: string | undefined, name: string, body: string) => {
      const table = names.find((each) => interfaceOf(each) === name)
      return table === undefined
        ? ''
        : `${comment}${exported ?? ''}${interfaceText(tables.get(table) ?? [], body)}`
    })
    .replace(/\n{3,}/g, '\n\n')
  const added = names.filter((table) => !known.has(interfaceOf(table)))
  const database = [
    ...added.map((table) => `${interfaceText(tables.get(table) ?? [], '')}\n`),
    databaseText(names),
    `\n${notedText(tables)}`,
  ].join('')
  return withImports(kept.replace(DATABASE, () => database))
}

interface Column {
  tableName: string
  columnName: string
  /** As `format_type` prints it, without a precision. */
  type: string
  isNullable: boolean
  hasDefault: boolean
  isGenerated: boolean
  /** An id that no foreign key checks, or a column that names a user: `tables.ts` has a note about it. */
  isNoted: boolean
}

/** Tables of each schema, whose types service-kit has, and those of the migrator. */
const KIT_TABLES = [
  ...['outbox', 'published_events', 'inbox', 'dead_letters', 'leases'],
  ...['kysely_migration', 'kysely_migration_lock'],
]

const COLUMNS = `
  SELECT c.relname AS "tableName", a.attname AS "columnName", format_type(a.atttypid, NULL) AS type,
    NOT a.attnotnull AS "isNullable", a.attgenerated = 's' OR a.attidentity = 'a' AS "isGenerated",
    a.atthasdef OR a.attidentity = 'd' AS "hasDefault",
    a.attname ~ '(^|_)user_id$|^(viewer|actor)_id$|_by$' OR (a.attname ~ '_id$|^leader$' AND NOT EXISTS (
      SELECT FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'f' AND a.attnum = ANY (k.conkey)
    )) AS "isNoted"
  FROM pg_class c
  JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = $1
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relkind = 'r' AND c.relname <> ALL ($2::text[])
  ORDER BY c.relname COLLATE "C", a.attnum`

/** The types of the drivers' values, see the parsers of `service-kit/src/db/db.ts`. */
const TYPES: Readonly<Record<string, string>> = {
  uuid: 'string',
  text: 'string',
  smallint: 'number',
  integer: 'number',
  bigint: 'number',
  'double precision': 'number',
  boolean: 'boolean',
  'timestamp with time zone': 'Date',
  date: 'Date',
  bytea: 'Buffer',
  'integer[]': 'number[]',
  'text[]': 'string[]',
  'uuid[]': 'string[]',
  jsonb: 'object',
}

const TABLE = /((?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?)(export )?interface (\w+Table) \{\n([\s\S]*?)^\}\n/gm
const DATABASE =
  /^export interface Database extends EventTables \{\n[\s\S]*?^\}\n(?:\n\/\*\*[^\n]*\*\/\nexport interface NotedColumns \{\n[\s\S]*?^\}\n)?/m
const MEMBER = /((?:^ {2}\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?)^ {2}(\w+):((?:(?!^ {2}(?:\w+:|\/\*\*))[\s\S])*)/gm

const camelCase = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
const interfaceOf = (table: string): string => `${camelCase(`_${table}`)}Table`

function interfaceText(columns: readonly Column[], body: string): string {
  const members = new Map(
    [...body.matchAll(MEMBER)].map(([, comment = '', name = '', type = '']) => [name, { comment, type }]),
  )
  const lines = columns.map((column) => {
    const name = camelCase(column.columnName)
    const { comment = '', type } = members.get(name) ?? {}
    return `${comment}  ${name}:${typeText(column, type?.trimEnd())}\n`
  })
  return `interface ${interfaceOf(columns[0]?.tableName ?? '')} {\n${lines.join('')}}\n`
}

/** The type of a column, with the space before it. `previous` stays as it is written if it says the same. */
function typeText(column: Column, previous = ''): string {
  const type = columnType(column, flat(previous))
  return flat(previous) === flat(type) ? previous : ` ${type}`
}

function columnType(column: Column, previous: string): string {
  const base = TYPES[column.type]
  if (base === undefined) {
    const where = `${column.tableName}.${column.columnName}`
    throw new Error(`${where}: add ${column.type} to TYPES of packages/testkit/src/schema/write-types.ts`)
  }
  if (previous === '') return wrapped(column, base)
  // Whether the expression of a generated column can be null is not in the catalogue.
  if (column.isGenerated && previous.startsWith('GeneratedAlways<')) return previous
  const value = selectedValue(previous)
  // A value may be required on insert although the database has a default for it.
  const hasDefault = column.hasDefault && /^(Generated|ColumnType)</.test(previous)
  return wrapped({ ...column, hasDefault }, isPlain(value) ? base : value)
}

const isPlain = (value: string): boolean => value === 'unknown' || Object.values(TYPES).includes(value)

function wrapped({ type, isNullable, hasDefault, isGenerated }: Column, value: string): string {
  const selected = isNullable ? `${value} | null` : value
  if (isGenerated) return `GeneratedAlways<${selected}>`
  if (type !== 'jsonb') return hasDefault ? `Generated<${selected}>` : selected
  if (hasDefault) return `ColumnType<${selected}, string | undefined, string>`
  return isNullable ? `JSONColumnType<${value}> | null` : `JSONColumnType<${value}>`
}

/** The value that a column's type selects, without null. */
function selectedValue(type: string): string {
  const text = type.replace(/ \| null$/, '')
  const [, argument] = /^(?:Generated|GeneratedAlways|JSONColumnType|ColumnType)<(.*)>$/.exec(text) ?? []
  return argument === undefined ? text : firstArgument(argument).replace(/ \| null$/, '')
}

/** The first of several type arguments. */
function firstArgument(text: string): string {
  let depth = 0
  const end = [...text].findIndex((letter) => {
    if ('<{(['.includes(letter)) depth++
    if ('>})]'.includes(letter)) depth--
    return letter === ',' && depth === 0
  })
  return end === -1 ? text : text.slice(0, end)
}

/** A type on one line. */
const flat = (type: string): string =>
  type
    .replace(/\s+/g, ' ')
    .replace(/(^|<) ?\| /g, '$1')
    .replace(/ >/g, '>')
    .trim()

const databaseText = (tables: readonly string[]): string =>
  [
    'export interface Database extends EventTables {',
    ...tables.map((table) => `  ${camelCase(table)}: ${interfaceOf(table)}`),
    '}\n',
  ].join('\n')

function notedText(tables: ReadonlyMap<string, readonly Column[]>): string {
  const lines = [...tables].map(([table, columns]) => {
    const noted = columns.filter(({ isNoted }) => isNoted)
    const names = noted.map(({ columnName }) => `'${camelCase(columnName)}'`)
    return `  ${camelCase(table)}: ${names.join(' | ') || 'never'}\n`
  })
  const comment =
    '/** Columns of users, and ids that no foreign key checks: `tables.ts` says what they refer to. */'
  return `${comment}\nexport interface NotedColumns {\n${lines.join('')}}\n`
}

const WRAPPERS = ['ColumnType', 'Generated', 'GeneratedAlways', 'JSONColumnType']

/** Adjusts the import of Kysely's types to those that are used. */
function withImports(source: string): string {
  const IMPORT = /^import type \{([^}]*)\} from 'kysely'\n/m
  const [line = '', list = ''] = IMPORT.exec(source) ?? []
  const others = list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !WRAPPERS.includes(name))
  const used = WRAPPERS.filter((name) => new RegExp(`\\b${name}<`).test(source))
  const names = [...others, ...used].toSorted()
  return source.replace(line, () => `import type { ${names.join(', ')} } from 'kysely'\n`)
}
