import { startPostgres } from '@looptide/testkit/postgres'
import { expect, it } from 'vitest'
import { type DatabaseOwner, databaseOwnerNames, databaseOwners } from '../src/database/owners.ts'
import { ownerUrl, setUpDatabase, withClient, withDatabase } from '../src/database/set-up.ts'

const passwords = (text: string) =>
  Object.fromEntries(databaseOwnerNames.map((owner) => [owner, `${text}-${owner}`])) as Record<
    DatabaseOwner,
    string
  >

it('is made, and given new passwords, by an administrator who is no superuser', async () => {
  const server = await startPostgres()
  try {
    await withClient(server.url, async (client) => {
      // Roles belong to the whole server: those of the tests make room.
      for (const { role } of Object.values(databaseOwners))
        await client.query(`ALTER ROLE ${role} RENAME TO the_tests_${role}`)
      await client.query("CREATE ROLE station_admin LOGIN CREATEROLE PASSWORD 'admin'")
      await client.query('CREATE DATABASE station OWNER station_admin')
    })
    const admin = new URL(withDatabase(server.url, 'station'))
    admin.username = 'station_admin'
    admin.password = 'admin'
    const setUp = (text: string) =>
      setUpDatabase({ adminUrl: admin.href, database: 'station', passwords: passwords(text) })

    await setUp('first')
    await setUp('second')

    for (const owner of databaseOwnerNames) {
      const url = ownerUrl(admin.href, 'station', owner, passwords('second')[owner])
      const { rows } = await withClient(url, (client) =>
        client.query(`SELECT current_schema() AS schema, rolsuper OR rolcreaterole OR rolcreatedb AS mighty,
          has_schema_privilege('public', 'CREATE') AS litters,
          (SELECT array_agg(nspname::text) FROM pg_namespace
           WHERE nspname !~ '^(pg_|information_schema$|public$)' AND has_schema_privilege(oid, 'USAGE')) AS sees
          FROM pg_roles WHERE rolname = current_user`),
      )
      const { schema } = databaseOwners[owner]
      expect(rows).toEqual([{ schema, mighty: false, litters: false, sees: [schema] }])
    }
  } finally {
    await server.stop()
  }
})
