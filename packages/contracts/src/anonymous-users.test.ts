import { expect, it } from 'vitest'
import { anonymousRefusal } from './anonymous-users.ts'
import { OPERATIONS } from './http/operations.ts'

const isOpen = (operation: string): boolean => anonymousRefusal(operation) === null

it('anonymous users may read, have playlists, delete their account and export their data', () => {
  for (const operation of ['catalogue.video.search', 'catalogue.playlist.create', 'auth.me.delete'])
    expect(isOpen(operation)).toBe(true)
})

it('anonymous users may not write in public or use what requires an account', () => {
  const closed = [...OPERATIONS.keys()].filter((name) => !isOpen(name))
  expect(closed).toEqual(
    expect.arrayContaining([
      'chat.message.post',
      'catalogue.video.add',
      'auth.personal_token.create',
      'auth.profile.update',
      'auth.avatar.put',
    ]),
  )
  expect(anonymousRefusal('chat.message.post')).toBe('Create an account to write in the chat.')
})

it('a new operation is refused', () => {
  expect(anonymousRefusal('')).toBe('Create an account to do this.')
  expect(anonymousRefusal('catalogue.rating.add')).toBe('Create an account to do this.')
})
