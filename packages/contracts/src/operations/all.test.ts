import { expect, it } from 'vitest'
import { anonymousRefusal, type Operation } from '../operation.ts'
import { TOKEN_SCOPE_NAMES } from '../token-scopes.ts'
import { OPERATIONS, PROOF_OF, SCOPE_OF } from './all.ts'

const operationOf = (name: string): Operation => {
  const found = OPERATIONS.get(name)
  if (found === undefined) throw new Error(`no operation ${name}`)
  return found
}

it('each operation has a name and a call of its own, and the names start with an owner', () => {
  const all = [...OPERATIONS.values()]
  // The gateway answers this one from memory, and the scheduler answers the gateway.
  const twice = all.filter(({ name }) => name !== 'gateway.now.read').map(({ call }) => call)
  expect(new Set(twice).size).toBe(twice.length)
  expect(all.length).toBeGreaterThan(200)
  expect(all.filter(({ name }) => !/^[a-z-]+(\.[a-z_]+){2,3}$/.test(name))).toEqual([])
})

it('each scope of personal access tokens allows something', () => {
  expect(new Set(SCOPE_OF.values())).toEqual(new Set(TOKEN_SCOPE_NAMES))
})

it('tokens manage neither accounts nor dead letters, and read no audit log', () => {
  const allowed = [...SCOPE_OF.keys()].filter((name) =>
    /^auth\.(user|token|session|passkey|factor|personal_token|admin)\.|^admin\.audit|dead_letter/.test(name),
  )
  expect(allowed).toEqual([])
})

it('anonymous users may read, have playlists, delete their account and export their data', () => {
  const open = [
    'catalogue.video.search',
    'catalogue.playlist.create',
    'auth.me.delete',
    'chat.message.export',
  ]
  expect(open.map((name) => anonymousRefusal(operationOf(name)))).toEqual([null, null, null, null])
})

it('anonymous users may not write in public or use what requires an account', () => {
  const closed = [...OPERATIONS.values()].filter((operation) => anonymousRefusal(operation) !== null)
  expect(closed.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'chat.message.post',
      'catalogue.video.add',
      'auth.personal_token.create',
      'auth.profile.update',
      'auth.avatar.put',
    ]),
  )
  expect(anonymousRefusal(operationOf('chat.message.post'))).toBe('Create an account to write in the chat.')
})

it('an operation that does not say so is refused to anonymous users', () => {
  expect(anonymousRefusal({})).toBe('Create an account to do this.')
})

it('the step-up table has a row for each operation of auth for signed-in users', () => {
  const forSignedIn = [...OPERATIONS.values()].filter(
    ({ name, audience }) => name.startsWith('auth.') && audience !== 'anyone' && audience !== 'service-key',
  )
  const rows = new Set([...PROOF_OF.keys()].map((row) => row.split(' | ')[0]))
  expect(rows).toEqual(new Set(forSignedIn.map(({ name }) => name)))
  expect(forSignedIn.filter(({ proof }) => proof === undefined)).toEqual([])
})
