import type { Role } from '@looptide/contracts/common'
import type { AddRestrictionBody, AdminUser, Restriction } from '@looptide/contracts/http/users'
import { api } from '../../lib/clients.ts'
import { useAction } from '../../lib/failures.ts'
import {
  addRestriction,
  type ConflictingRestriction,
  conflictingRestriction,
  liftRestriction,
} from '../../lib/session/restrictions.ts'
import { type Toast, toast } from '../../ui/toast.ts'
import { nameOf, RESTRICTION_LABELS, ROLE_LABELS } from './user-labels.ts'

/** Reason of a site ban without a form (docs/product/admin.md §7). */
const BAN_REASON = 'Banned from site by administrator'
const UNDO_MS = 8_000
const NO_RESPONSE = 'The server did not respond. Please try again.'

/**
 * Restricts users and changes their roles, one action at a time. Each action shows a toast (docs/product/admin.md §8)
 * and resolves to whether it succeeded. `onDone` runs after each action.
 */
export function useUserActions(onDone: () => void) {
  const { isBusy, attempt } = useAttempt(onDone)

  /** Resolves to the restriction in force, without a toast, if there is one that `body.replaces` does not name. */
  const add = async (
    user: AdminUser,
    body: AddRestrictionBody,
  ): Promise<boolean | ConflictingRestriction> => {
    let inForce: ConflictingRestriction | undefined
    const isAdded = await attempt(async () => {
      try {
        await addRestriction(user.id, { replaces: null, ...body })
      } catch (failure) {
        inForce = conflictingRestriction(failure)
        if (!inForce) throw failure
        return undefined
      }
      return {
        title: 'Restriction Added',
        description: `User has been ${RESTRICTION_LABELS[body.restrictionType].done}.`,
      }
    }, 'Failed to add restriction.')
    return inForce ?? isAdded
  }

  const remove = (user: AdminUser, restriction: Restriction): Promise<boolean> =>
    attempt(async () => {
      await liftRestriction(restriction)
      const { restrictionType, reason, expiresAt } = restriction
      return {
        title: 'Restriction Removed',
        durationMs: UNDO_MS,
        action: {
          label: 'Undo',
          onPress: () => void add(user, { restrictionType, reason, expiresAt }),
        },
      }
    }, 'Failed to remove restriction.')

  const ban = (user: AdminUser): Promise<boolean> =>
    attempt(async () => {
      await addRestriction(user.id, { restrictionType: 'site_banned', reason: BAN_REASON })
      return { title: 'User Banned', description: `${nameOf(user)} has been banned from the site.` }
    }, 'Failed to ban user from site.')

  const changeRole = (user: AdminUser, role: Role): Promise<boolean> =>
    attempt(async () => {
      await api.call('PUT /api/users/:id/role', { params: { id: user.id }, body: { role } })
      return { title: 'Role Changed', description: `${nameOf(user)}: ${ROLE_LABELS[role].label}.` }
    }, 'Failed to change role.')

  return { isBusy, add, remove, ban, changeRole, ...signInActions(attempt) }
}

type Attempt = ReturnType<typeof useAttempt>['attempt']

/** What admins do with the sessions and the password of a user. */
function signInActions(attempt: Attempt) {
  const signOut = (user: AdminUser): Promise<boolean> =>
    attempt(async () => {
      await api.call('DELETE /api/users/:id/sessions', { params: { id: user.id } })
      return { title: 'Sessions Ended', description: `${nameOf(user)} is signed out on all devices.` }
    }, 'Failed to end the sessions.')

  const demandPassword = (user: AdminUser): Promise<boolean> =>
    attempt(async () => {
      await api.call('POST /api/users/:id/password-reset', { params: { id: user.id } })
      return { title: 'Password Reset', description: `${nameOf(user)} gets an email to choose a new one.` }
    }, 'Failed to reset the password.')

  return { signOut, demandPassword }
}

/** Runs one action at a time, shows its message or its failure as a toast, and calls `onDone` after each. */
function useAttempt(onDone: () => void) {
  const { isBusy, run } = useAction()

  const attempt = async (
    work: () => Promise<Omit<Toast, 'tone'> | undefined>,
    failed: string,
  ): Promise<boolean> => {
    if (isBusy) return false
    const action = async () => {
      const message = await work()
      if (message) toast({ ...message, tone: 'success' })
    }
    const isDone = await run(action, { title: failed, text: NO_RESPONSE })
    onDone()
    return isDone
  }
  return { isBusy, attempt }
}
