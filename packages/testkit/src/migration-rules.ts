/** The source of a migration. */
export interface MigrationFile {
  /** The file's name without its folder, such as `20261121110000-theme-assets.ts`. */
  name: string
  text: string
}

/**
 * The migrations that make up the first release run on a database that holds nothing yet. What is named later runs on
 * a station that is on the air.
 */
const FIRST_RELEASE_UNTIL = '20261121120000'

interface Rule {
  /** Matched against the file in lower case, with single blanks. A group `table` names what is touched. */
  pattern: RegExp
  /** What is wrong, and what to do instead. */
  fault: string
  /** An exported constant by which the file may say that it knows. */
  unless?: string
}

/** What blocks or breaks the replicas that run while a migration does (docs/operations.md, "Migrations"). */
const RULES: readonly Rule[] = [
  {
    pattern:
      /create (?:unique )?index (?!concurrently)(?:if not exists )?\w* ?on (?:only )?(?<table>[\w.]+)/g,
    fault:
      'an index that blocks every write while it is built: make it concurrently, in a file outsideTransaction',
  },
  {
    pattern:
      /alter table (?:if exists )?(?<table>[\w.]+) add column (?:if not exists )?\w+ (?:(?!default|,|`).)*not null(?!(?:(?!,|`).)* default)/g,
    fault: 'a column that old replicas do not fill and that no old row has: give it a default',
  },
  {
    pattern:
      /alter table (?:if exists )?(?<table>[\w.]+) add column (?:(?!`).)*default (?:gen_random_uuid|random|clock_timestamp|nextval)\(/g,
    fault: 'a default that is computed for every row, which rewrites the whole table: fill it in steps',
  },
  {
    pattern:
      /alter table (?:if exists )?(?<table>[\w.]+) (?:(?!`).)*alter (?:column )?\w+ (?:set data )?type/g,
    fault: 'a change of type, which rewrites the whole table: add a column and copy the values',
  },
  {
    pattern: /alter table (?:if exists )?(?<table>[\w.]+) (?:(?!`).)*alter (?:column )?\w+ set not null/g,
    fault:
      'a look at every row while nobody may write: add a check "not valid", and validate it in a later migration',
  },
  {
    pattern:
      /alter table (?:if exists )?(?<table>[\w.]+) add (?:constraint \w+ )?(?:check|foreign key)(?!(?:(?!`).)*not valid)/g,
    fault: 'a constraint that looks at every row: add it "not valid", and validate it in a later migration',
  },
  {
    pattern:
      /alter table (?:if exists )?(?<table>[\w.]+) add (?:constraint \w+ )?(?:unique|primary key|exclude)(?!(?:(?!`).)*using index)/g,
    fault:
      'a key whose index is built while nobody may write: build it concurrently, then add it "using index"',
  },
  {
    pattern: /(?:drop table|drop column|rename column|rename to|drop view)/g,
    fault:
      'something that replicas of the version before still use: wait a release, then say since when it is unused',
    unless: 'unusedSince',
  },
  {
    // Neither a trigger's `after update on` nor an insert's `do update set`.
    pattern:
      /\b(?:(?<!(?:after|before|or|do|for) )update|delete from) (?<table>[\w.]+)(?: set)? (?:(?!`).)*?(?=`)/g,
    fault: 'a change of all rows at once: leave it to the service, in steps, or say which rows (where)',
  },
  {
    pattern: /\b(?:truncate|lock table|vacuum full|cluster)\b/g,
    fault: 'a lock on a whole table',
  },
]

/** Everything in `file` that must not run while the station does; the first release's may touch what is empty. */
export function findViolations(file: MigrationFile): string[] {
  const text = withoutComments(file.text).toLowerCase().replaceAll(/\s+/g, ' ')
  const exported = new Set(
    [...file.text.matchAll(/^export (?:async function|const) (\w+)/gm)].map(([, name]) => name),
  )
  const faults = exported.has('down') ? ['a way back: a migration is only ever followed by another one'] : []
  if (!exported.has('up')) faults.push('no function up')
  if (!/^\d{14}-[a-z0-9-]+\.ts$/.test(file.name))
    faults.push('a name without its time, as in 20261121110000-what.ts')
  if (file.name < FIRST_RELEASE_UNTIL) return faults
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
    return ['an index made concurrently within a transaction: export outsideTransaction']
  const unguarded = made.filter((index) => !text.includes(`drop index concurrently if exists ${index}`))
  // One that was broken off leaves an index that is kept up to date and never used.
  return unguarded.length > 0
    ? [`no "drop index concurrently if exists" before making ${unguarded.join(', ')}`]
    : []
}
