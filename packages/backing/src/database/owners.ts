/** A service's part of the database. */
export interface DatabaseOwnership {
  /** Folder of its migrations, relative to the repository. */
  migrations: string
  schema: string
  /** Role of the service's processes. */
  role: string
  /**
   * Role that owns the schema and its tables, if it is not `role`. The service can then neither change nor drop a
   * table and has only the permissions that `setUpDatabase` and the migrations grant. This role cannot log in;
   * migrations assume it as the administrator (see `migrationUrl`).
   */
  tableOwner?: string
  /**
   * Tables on which the service may insert and select only, in a database that a release before `tableOwner` made.
   * Otherwise the migrations alone decide about rights on tables.
   */
  appendOnly?: readonly string[]
}

/** Every service with tables, its schema and its role. */
export const databaseOwners = {
  auth: { migrations: 'services/auth/src/db/migrations', schema: 'auth', role: 'looptide_auth' },
  catalogue: {
    migrations: 'services/catalogue/src/db/migrations',
    schema: 'catalogue',
    role: 'looptide_catalogue',
  },
  scheduler: {
    migrations: 'services/stream-scheduler/src/db/migrations',
    schema: 'scheduler',
    role: 'looptide_scheduler',
  },
  chat: { migrations: 'services/chat/src/db/migrations', schema: 'chat', role: 'looptide_chat' },
  audience: {
    migrations: 'services/audience/src/db/migrations',
    schema: 'audience',
    role: 'looptide_audience',
  },
  admin_audit: {
    migrations: 'services/admin-audit/src/db/migrations',
    schema: 'admin_audit',
    role: 'looptide_admin_audit',
    tableOwner: 'looptide_admin_audit_owner',
    appendOnly: ['audit_log'],
  },
} as const satisfies Record<string, DatabaseOwnership>

export type DatabaseOwner = keyof typeof databaseOwners

/**
 * Passwords of the roles. A station may run without audience: its tables exist, but without a password nobody can log in as
 * its role.
 */
export type RolePasswords = Record<Exclude<DatabaseOwner, 'audience'>, string> & { audience?: string }

/** The owners in a fixed order. */
export const databaseOwnerNames = Object.keys(databaseOwners) as DatabaseOwner[]

/** The same data with all optional fields readable. */
export const ownershipOf = (owner: DatabaseOwner): DatabaseOwnership => databaseOwners[owner]
