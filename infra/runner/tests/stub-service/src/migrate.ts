import { withClient } from '../../../src/database/set-up.ts'

await withClient(process.env.DATABASE_URL ?? '', (client) =>
  client.query('CREATE TABLE IF NOT EXISTS starts (at timestamptz NOT NULL DEFAULT now())'),
)
