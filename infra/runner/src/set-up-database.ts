import { EnvReader } from '@looptide/service-kit/env'
import { type DatabaseOwner, databaseOwnerNames } from './database/owners.ts'
import { setUpDatabase } from './database/set-up.ts'

// `node src/set-up-database.ts`, for containers: makes schemas, roles and extensions in the database of
// DATABASE_URL (an administrator's), with the passwords of DATABASE_PASSWORD_<OWNER>. May be run at every deploy.
const reader = new EnvReader(process.env)
const adminUrl = reader.url('DATABASE_URL')
const passwords = Object.fromEntries(
  databaseOwnerNames.map((owner) => [owner, reader.string(`DATABASE_PASSWORD_${owner.toUpperCase()}`)]),
) as Record<DatabaseOwner, string>
reader.done()
const database = new URL(adminUrl).pathname.slice(1) || 'looptide'
await setUpDatabase({ adminUrl, database, passwords })
console.log(`The database ${database} is ready for its migrations.`)
