import type { Role } from '@looptide/contracts/common'
import type { AddRestrictionBody, AdminUser, Restriction } from '@looptide/contracts/http/users'
import { useState } from 'react'
import {
  addRestriction,
  inForceOf,
  liftRestriction,
  type RestrictionInForce,
} from '../../../lib/restrictions.ts'
import { type Toast, toast } from '../../../ui/toast.ts'
import { tellFailure } from '../desk/tell-failure.ts'
import { setRole } from './api.ts'
import { nameOf, ROLE_WORDS } from './person-words.ts'

/** Admin specification §7. */
const BAN_REASON = 'Banned from site by administrator'
const UNDO_MS = 8_000
const NO_ANSWER = 'The station did not answer. Please try again.'

/**
 * What can be done to people, one thing at a time; each says what it did in the words of the admin specification §8,
 * and resolves to whether it worked. `onDone` runs after each change.
 */
export function useMeasures(onDone: () => void) {
  const [isBusy, setBusy] = useState(false)

  const attempt = async (
    work: () => Promise<Omit<Toast, 'tone'> | undefined>,
    failed: string,
  ): Promise<boolean> => {
    if (isBusy) return false
    setBusy(true)
    try {
      const told = await work()
      if (told) toast({ ...told, tone: 'success' })
      return true
    } catch (failure) {
      tellFailure(failure, { title: failed, text: NO_ANSWER })
      return false
    } finally {
      setBusy(false)
      onDone()
    }
  }

  /** Resolves to the restriction in force, without a message, when `terms.replaces` does not name it. */
  const add = async (person: AdminUser, terms: AddRestrictionBody): Promise<boolean | RestrictionInForce> => {
    let inForce: RestrictionInForce | undefined
    const isAdded = await attempt(async () => {
      try {
        await addRestriction(person.id, { replaces: null, ...terms })
      } catch (failure) {
        inForce = inForceOf(failure)
        if (!inForce) throw failure
        return undefined
      }
      return { title: 'Restriction Added', description: `User has been ${terms.restrictionType}.` }
    }, 'Failed to add restriction.')
    return inForce ?? isAdded
  }

  const remove = (person: AdminUser, restriction: Restriction): Promise<boolean> =>
    attempt(async () => {
      await liftRestriction(restriction)
      const { restrictionType, reason, expiresAt } = restriction
      return {
        title: 'Restriction Removed',
        durationMs: UNDO_MS,
        action: {
          label: 'Undo',
          onPress: () => void add(person, { restrictionType, reason, expiresAt }),
        },
      }
    }, 'Failed to remove restriction.')

  const ban = (person: AdminUser): Promise<boolean> =>
    attempt(async () => {
      await addRestriction(person.id, { restrictionType: 'site_banned', reason: BAN_REASON })
      return { title: 'User Banned', description: `${nameOf(person)} has been banned from the site.` }
    }, 'Failed to ban user from site.')

  const changeRole = (person: AdminUser, role: Role): Promise<boolean> =>
    attempt(async () => {
      await setRole(person.id, role)
      return { title: 'Role Changed', description: `${nameOf(person)}: ${ROLE_WORDS[role].label}.` }
    }, 'Failed to change role.')

  return { isBusy, add, remove, ban, changeRole }
}
