import { type SelectType, sql, type Transaction } from 'kysely'
import { inBatches } from './batches.ts'
import type { EventTables } from './event-tables.ts'

/** What limits the rows of a table: a sentence, or the time after which its rows are deleted. */
type Bound = string | Retention

/** Rows are deleted this long after `at`, an SQL expression of a row's time. `setting`: days that the operator sets. */
export type Retention = { at: string } & ({ hours: number } | { setting: `${string}_DAYS` })

/** Names that say that a column names a user. A column with another name may name one too. */
type UserColumnName = 'userId' | `${string}UserId` | 'viewerId' | 'actorId' | `${string}By`

/** What a column that names a user means for this user. */
type UserNote<Row, Column> = {
  /** The operation that exports the rows to their user, or why none does. */
  exported: `GET /api/export/${string}` | { not: string }
  /** SQL condition of a row (`t`) that should not exist. By default a row without its user, unless it `stays`. */
  orphan?: string
} & OnDeletion<Row, Column>

/**
 * What happens to the rows when the user's account is deleted: they are deleted, or the column becomes null, for which
 * `key` is the column that identifies a row of the user; a foreign key deletes them (`cascade`); a hook of the service
 * does more than that; they stay, and why.
 */
type OnDeletion<Row, Column> =
  | ({ onDeletion: 'delete' | (IsNullable<Row, Column> extends true ? 'clear' : never) } & KeyOf<Row>)
  | { onDeletion: 'cascade' | { hook: string } | { stays: string } }

type IsNullable<Row, Column> = Column extends keyof Row
  ? null extends SelectType<Row[Column]>
    ? true
    : false
  : false
/** `id`, unless another column is named. */
type KeyOf<Row> = Row extends { id: unknown } ? { key?: keyof Row & string } : { key: keyof Row & string }

/** A column with an id of something elsewhere that no foreign key checks. */
type IdNote =
  /** The row of this id exists, of a table or of another column than `id`. `when`: SQL condition of rows (`t`) of which this is true. */
  | { names: `${string}.${string}`; when?: string }
  /** SQL condition of a row (`t`) that should not exist. */
  | { orphan: string }
  /** Why it may name something that does not exist. */
  | { mayBeGone: string }

type ColumnNote<Row, Column> = Column extends UserColumnName
  ? UserNote<Row, Column>
  : UserNote<Row, Column> | IdNote

/** Every noted column has a note, others may have one. */
type ColumnNotes<Row, Noted extends string> = { readonly [Column in Noted]: ColumnNote<Row, Column> } & {
  readonly [Column in Exclude<keyof Row & string, Noted>]?: ColumnNote<Row, Column>
}

type TableNote<Row, Noted extends string> = { readonly bound: Bound } & ([Noted] extends [never]
  ? { readonly columns?: ColumnNotes<Row, Noted> }
  : { readonly columns: ColumnNotes<Row, Noted> })

/**
 * The tables of a service: what limits their rows, and what their columns with ids mean. `Noted` are the columns that
 * must have a note, as `schema.ts` lists them. Rows are deleted with an account in this order.
 */
export type Tables<Database extends EventTables, Noted> = {
  readonly [Table in keyof Noted]: Table extends keyof Database
    ? TableNote<Database[Table], Noted[Table] & string>
    : never
}

/** {@link Tables} of any service. */
export type AnyTables = Readonly<
  Record<string, { readonly bound: Bound; readonly columns?: Readonly<Record<string, AnyNote>> }>
>
export type AnyNote = IdNote | AnyUserNote
interface AnyUserNote {
  readonly exported: UserNote<never, never>['exported']
  readonly orphan?: string
  readonly onDeletion: 'delete' | 'clear' | 'cascade' | { hook: string } | { stays: string }
  readonly key?: string
}

/** The names of the hooks in a list of tables. */
type HookOf<T> = T extends { hook: infer Hook extends string }
  ? Hook
  : T extends object
    ? { [Key in keyof T]: HookOf<T[Key]> }[keyof T]
    : never

/** Rows that are deleted with an account, a column that is cleared, or the name of a hook. */
export type DeletionStep =
  | { table: string; column: string; key: string; change: 'delete' | 'clear' }
  | { hook: string }

/** What is done when an account is deleted, in the order of the tables; each hook once. */
export function deletionSteps(tables: AnyTables): DeletionStep[] {
  const hooks = new Set<string>()
  return Object.entries(tables).flatMap(([table, { columns = {} }]) =>
    Object.entries(columns).flatMap(([column, note]): DeletionStep[] => {
      if (!('onDeletion' in note)) return []
      const { onDeletion, key = 'id' } = note
      if (onDeletion === 'delete' || onDeletion === 'clear') {
        return [{ table, column, key, change: onDeletion }]
      }
      if (onDeletion === 'cascade' || 'stays' in onDeletion || hooks.has(onDeletion.hook)) return []
      hooks.add(onDeletion.hook)
      return [{ hook: onDeletion.hook }]
    }),
  )
}

/** What a service does itself when accounts are deleted, by the names of the hooks in its tables. */
export type DeletionHooks<T, Args extends unknown[]> = Readonly<
  Record<HookOf<T>, (...args: Args) => Promise<void>>
>

/**
 * Deletes the rows of users, clears columns that name them and runs the hooks with `args`, as `tables` say. In batches,
 * because one statement over all rows of a user could exceed the statement timeout.
 */
export async function deleteUserRows<Database, T extends AnyTables, Args extends unknown[]>(
  trx: Transaction<Database>,
  tables: T,
  userIds: readonly string[],
  hooks: DeletionHooks<T, Args>,
  ...args: Args
): Promise<void> {
  const hookOf = new Map(Object.entries<(...args: Args) => Promise<void>>(hooks))
  for (const step of deletionSteps(tables)) {
    if ('hook' in step) await hookOf.get(step.hook)?.(...args)
    else await changeRows(trx, step, userIds)
  }
}

async function changeRows<Database>(
  trx: Transaction<Database>,
  step: Exclude<DeletionStep, { hook: string }>,
  userIds: readonly string[],
): Promise<void> {
  const [table, column, key] = [sql.table(step.table), sql.ref(step.column), sql.ref(step.key)]
  const change =
    step.change === 'delete' ? sql`delete from ${table}` : sql`update ${table} set ${column} = null`
  const ofUsers = sql`${column} = any(${[...userIds]}::uuid[])`
  await inBatches((limit) =>
    sql`${change} where ${ofUsers} and ${key} = any(array(
      select ${key} from ${table} where ${ofUsers} limit ${limit}))`.execute(trx),
  )
}
