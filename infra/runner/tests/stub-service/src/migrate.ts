import { withClient } from '@looptide/backing/database/set-up'

await withClient(process.env.DATABASE_URL ?? '', (client) =>
  client.query('CREATE TABLE IF NOT EXISTS starts (at timestamptz NOT NULL DEFAULT now())'),
)
