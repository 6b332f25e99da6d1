import { expect, it } from 'vitest'
import { may, PERMISSIONS, ROLES, rolesWith } from './permissions.ts'

/** Permissions of more than one role besides `admin`. */
const SHARED: readonly string[] = ['dashboard:watch', 'programmes:simulate']

it.each(PERMISSIONS)('%s is for admins, not for users or visitors', (permission) => {
  expect(may('admin', permission)).toBe(true)
  expect(may('user', permission)).toBe(false)
  expect(may(undefined, permission)).toBe(false)
})

it('roles other than admin share only the permissions to watch the dashboard and to simulate programmes', () => {
  const shared = PERMISSIONS.filter((permission) => rolesWith(permission).length > 2)
  expect(shared).toEqual(SHARED)
  expect(ROLES.at(-1)).toBe('admin')
})
