/** Services; packages have no features whose SQL could be gathered. */
const SERVICE_SOURCE = /^services\/[^/]+\/src\/.*\.ts$/
/** Repositories, migrations with what they share, and tests. */
const MAY_HAVE_SQL = /-repository\.ts$|\/src\/db\/|\.test\.ts$/
/** A query of Kysely's builder, or a template of SQL. */
const SQL =
  /\.(?:selectFrom|selectNoFrom|insertInto|updateTable|deleteFrom|mergeInto)\(|\bsql(?:<[^`;]*>)?`|\bsql\.\w+\(/

/** Finds SQL of a service outside of its repositories. */
export function findMisplacedSql(path: string, text: string): string[] {
  if (!SERVICE_SOURCE.test(path) || MAY_HAVE_SQL.test(path)) return []
  return text.split('\n').flatMap((line, index) => {
    const found = SQL.exec(line)?.[0]
    return found === undefined ? [] : [`${path}:${index + 1}: ${found}: SQL is in *-repository.ts only`]
  })
}
