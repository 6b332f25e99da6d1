import { withClient } from '../../../src/database/set-up.ts'

await withClient(process.env.DATABASE_URL ?? '', (client) =>
  client.query('INSERT INTO starts DEFAULT VALUES'),
)
