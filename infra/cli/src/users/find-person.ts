import { fault } from '../exit-codes.ts'
import type { StationApi } from '../station-api.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The account with this id or email. Throws a fault when no account has the email. */
export async function findPerson(station: StationApi, person: string): Promise<{ id: string }> {
  if (UUID.test(person)) return { id: person }
  for await (const user of station.list('GET /api/users', { query: { q: person } })) {
    if (user.email?.toLowerCase() === person.toLowerCase()) return user
  }
  throw fault(`No account has the email ${person}.`)
}
