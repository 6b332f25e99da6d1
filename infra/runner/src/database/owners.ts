/** Every service that keeps tables, with the schema and the role that are its alone. */
export const databaseOwners = {
  auth: { schema: 'auth', role: 'looptide_auth' },
  catalogue: { schema: 'catalogue', role: 'looptide_catalogue' },
  scheduler: { schema: 'scheduler', role: 'looptide_scheduler' },
  chat: { schema: 'chat', role: 'looptide_chat' },
  admin_audit: { schema: 'admin_audit', role: 'looptide_admin_audit' },
} as const

export type DatabaseOwner = keyof typeof databaseOwners

/** The owners in a fixed order. */
export const databaseOwnerNames = Object.keys(databaseOwners) as DatabaseOwner[]
