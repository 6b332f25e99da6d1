/** A service's part of the database. */
export interface DatabaseOwnership {
  schema: string
  /** The role the service's processes connect as. */
  role: string
  /**
   * The role that owns the schema and its tables, where that is not `role`: the service can then neither change nor
   * drop a table, and has only the rights that `setUpDatabase` and the migrations grant. It cannot log in;
   * migrations take it on as the administrator (see `migrationUrl`).
   */
  tableOwner?: string
  /** Tables of `tableOwner` on which the service may insert and select only. */
  appendOnly?: readonly string[]
  /** Tables of `tableOwner` that the service may only read. */
  readOnly?: readonly string[]
}

/** Every service that keeps tables, with the schema and the role that are its alone. */
export const databaseOwners = {
  auth: { schema: 'auth', role: 'looptide_auth' },
  catalogue: { schema: 'catalogue', role: 'looptide_catalogue' },
  scheduler: { schema: 'scheduler', role: 'looptide_scheduler' },
  chat: { schema: 'chat', role: 'looptide_chat' },
  admin_audit: {
    schema: 'admin_audit',
    role: 'looptide_admin_audit',
    tableOwner: 'looptide_admin_audit_owner',
    appendOnly: ['audit_log'],
    readOnly: ['audit_chain', 'kysely_migration', 'kysely_migration_lock'],
  },
} as const satisfies Record<string, DatabaseOwnership>

export type DatabaseOwner = keyof typeof databaseOwners

/** The owners in a fixed order. */
export const databaseOwnerNames = Object.keys(databaseOwners) as DatabaseOwner[]

/** The same facts with every optional one readable. */
export const ownershipOf = (owner: DatabaseOwner): DatabaseOwnership => databaseOwners[owner]
