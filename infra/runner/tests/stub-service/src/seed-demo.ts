import { withClient } from '@looptide/backing/database/set-up'

await withClient(process.env.DATABASE_URL ?? '', (client) =>
  client.query('INSERT INTO starts DEFAULT VALUES'),
)
