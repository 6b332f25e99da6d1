import { expect, it } from 'vitest'
import { withClient } from '../../../packages/backing/src/database/set-up.ts'
import { freshDatabase } from '../../../packages/testkit/src/postgres.ts'
import { reportMigration } from '../src/report-migration.ts'

it('a changed migration runs at the next start, or has no effect because it was applied', async () => {
  const database = await freshDatabase()
  await withClient(database.urlFor('chat'), (client) =>
    client.query("CREATE TABLE kysely_migration (name text); INSERT INTO kysely_migration VALUES ('1-chat')"),
  )
  const report = (name: string) =>
    reportMigration(`services/chat/src/db/migrations/${name}`, database.adminUrl)
  expect(await report('2-slow-mode.ts')).toMatch(/2-slow-mode\.ts runs at the next start/)
  expect(await report('1-chat.sql')).toMatch(
    /1-chat\.sql has been applied: .* "DELETE FROM chat\.kysely_migration WHERE name = '1-chat'"/,
  )
  await database.drop()
})
