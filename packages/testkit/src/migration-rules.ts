/** The source of a migration. */
export interface MigrationFile {
  /** The file's name without its folder, such as `20270203040506-pinned-messages.ts`. */
  name: string
  text: string
}

/** The baseline runs on an empty database, or while the station is stopped. Later migrations run while it is on the air. */
const BASELINE = '20261127000000-baseline.ts'

interface Rule {
  /** Matched against the file in lower case, with single spaces. A group `table` matches the table's name. */
  pattern: RegExp
  /** The fault, and what to do instead. */
  fault: string
  /** An exported constant that allows the statement. */
  unless?: string
}

/** Statements that block or break running replicas (docs/operations.md, "Migrations"). */
const RULES: readonly Rule[] = [
  {
    pattern:
      /create (?:unique )?index (?!concurrently)(?:if not exists )?\w* ?on (?:only )?(?<table>[\w.]+)/g,
    fault:
      'an index that blocks writes while it is built: create it concurrently, in a file with outsideTransaction',
  },
  {
    pattern:
      /alter table (?:if exists )?(?<table>[\w.]+) add column (?:if not exists )?\w+ (?:(?!default|,|`).)*not null(?!(?:(?!,|`).)* default)/g,
    fault: 'a NOT NULL column without a default, which old replicas do not fill: add a default',
  },
  {
    pattern:
      /alter table (?:if exists )?(?<table>[\w.]+) add column (?:(?!`).)*default (?:gen_random_uuid|random|clock_timestamp|nextval)\(/g,
    fault: 'a default computed per row, which rewrites the whole table: fill the column in batches',
  },
  {
    pattern:
      /alter table (?:if exists )?(?<table>[\w.]+) (?:(?!`).)*alter (?:column )?\w+ (?:set data )?type/g,
    fault: 'a change of type, which rewrites the whole table: add a column and copy the values',
  },
  {
    pattern: /alter table (?:if exists )?(?<table>[\w.]+) (?:(?!`).)*alter (?:column )?\w+ set not null/g,
    fault:
      'a scan of all rows that blocks writes: add a check "not valid", and validate it in a later migration',
  },
  {
    pattern:
      /alter table (?:if exists )?(?<table>[\w.]+) add (?:constraint \w+ )?(?:check|foreign key)(?!(?:(?!`).)*not valid)/g,
    fault: 'a constraint that scans all rows: add it "not valid", and validate it in a later migration',
  },
  {
    pattern:
      /alter table (?:if exists )?(?<table>[\w.]+) add (?:constraint \w+ )?(?:unique|primary key|exclude)(?!(?:(?!`).)*using index)/g,
    fault:
      'a key whose index blocks writes while it is built: build it concurrently, then add it "using index"',
  },
  {
    pattern: /(?:drop table|drop column|rename column|rename to|drop view)/g,
    fault: 'a change that breaks replicas of the previous version: wait a release, then export unusedSince',
    unless: 'unusedSince',
  },
  {
    // Except a trigger's `after update on` and an insert's `do update set`.
    pattern:
      /\b(?:(?<!(?:after|before|or|do|for) )update|delete from) (?<table>[\w.]+)(?: set)? (?:(?!`).)*?(?=`)/g,
    fault: 'a change of all rows at once: let the service do it in batches, or limit the rows (where)',
  },
  {
    pattern: /\b(?:truncate|lock table|vacuum full|cluster)\b/g,
    fault: 'a lock on a whole table',
  },
]

/** Returns the rules that `file` violates. The baseline may lock tables. */
export function findViolations(file: MigrationFile): string[] {
  const text = withoutComments(file.text).toLowerCase().replaceAll(/\s+/g, ' ')
  const exported = new Set(
    [...file.text.matchAll(/^export (?:async function|const) (\w+)/gm)].map(([, name]) => name),
  )
  const faults = exported.has('down') ? ['a function down: migrations are only rolled forward'] : []
  if (!exported.has('up')) faults.push('no function up')
  if (!/^\d{14}-[a-z0-9-]+\.ts$/.test(file.name))
    faults.push('a file name without a timestamp, as in 20270203040506-what.ts')
  if (file.name === BASELINE) return faults
  const own = new Set(
    [...text.matchAll(/create table (?:if not exists )?([\w.]+)/g)].map(([, table]) => table),
  )
  for (const { pattern, fault, unless } of RULES) {
    if (unless !== undefined && exported.has(unless)) continue
    const hits = [...text.matchAll(pattern)].filter(
      ({ groups, 0: hit }) =>
        !own.has(groups?.table ?? '') && !(fault.includes('(where)') && hit.includes(' where ')),
    )
    if (hits.length > 0) faults.push(fault)
  }
  return [...faults, ...concurrencyFaults(text, exported)]
}

const withoutComments = (text: string): string =>
  text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*(?:\/\/|--).*$/gm, '')

function concurrencyFaults(text: string, exported: ReadonlySet<string | undefined>): string[] {
  const isOutside = exported.has('outsideTransaction')
  const made = [...text.matchAll(/create (?:unique )?index concurrently (\w+)/g)].map(([, index]) => index)
  if (made.length > 0 && !isOutside)
    return ['an index created concurrently in a transaction: export outsideTransaction']
  const unguarded = made.filter((index) => !text.includes(`drop index concurrently if exists ${index}`))
  // An interrupted build leaves an invalid index that is updated but never used.
  return unguarded.length > 0
    ? [`no "drop index concurrently if exists" before creating ${unguarded.join(', ')}`]
    : []
}
