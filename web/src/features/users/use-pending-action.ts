import type { AddRestrictionBody, AdminUser } from '@looptide/contracts/http/users'
import { useState } from 'react'
import type { ConflictingRestriction } from '../../lib/session/restrictions.ts'
import type { useUserActions } from './use-user-actions.ts'

/** An action that waits for confirmation. `settle` reports to the form whether the restriction was added. */
export type PendingAction =
  | { kind: 'role'; user: AdminUser }
  | { kind: 'ban'; user: AdminUser }
  | { kind: 'sign-in'; user: AdminUser }
  | { kind: 'add'; user: AdminUser; body: AddRestrictionBody; settle: Settle }
  | { kind: 'replace'; user: AdminUser; body: AddRestrictionBody; text: string; settle: Settle }

type Settle = (isAdded: boolean) => void

export type UserActions = ReturnType<typeof useUserActions>

/** Holds the action that waits for confirmation, and runs it once it is confirmed. */
export function usePendingAction(actions: UserActions) {
  const [pending, setPending] = useState<PendingAction>()
  // A site ban ends all sessions of the user, so it needs a confirmation.
  const add = (user: AdminUser, body: AddRestrictionBody): Promise<boolean> => {
    return new Promise((settle) => {
      if (body.restrictionType === 'site_banned') setPending({ kind: 'add', user, body, settle })
      else void settleWith(actions.add(user, body), { user, body, settle })
    })
  }
  /** Settles with the result of adding a restriction. If one is in force, asks first whether to replace it. */
  const settleWith = async (
    work: Promise<boolean | ConflictingRestriction>,
    request: Pick<PendingAction & { kind: 'add' }, 'user' | 'body' | 'settle'>,
  ) => {
    const result = await work
    if (typeof result === 'boolean') {
      request.settle(result)
      setPending(undefined)
    } else {
      const body = { ...request.body, replaces: result.id }
      setPending({ ...request, kind: 'replace', body, text: result.text })
    }
  }
  const close = () => {
    if (pending && 'settle' in pending) pending.settle(false)
    setPending(undefined)
  }
  const settlePending = async (work: Promise<boolean | ConflictingRestriction>) => {
    if (pending && 'settle' in pending) return settleWith(work, pending)
    await work
    setPending(undefined)
  }
  return { pending, request: setPending, add, close, settlePending }
}
