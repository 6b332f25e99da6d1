import { type ReactNode, useState } from 'react'
import { useTokens } from './use-tokens.ts'

/**
 * Offers to revoke the user's access tokens with another action, which ends other access to the account. `field` is a
 * checkbox, or null without tokens; `revokeIfChosen` is called after the action.
 */
export function useTokenRevocation(): { field: ReactNode; revokeIfChosen: () => Promise<void> } {
  const { data: tokens = [], revokeAll } = useTokens()
  const [isChosen, setChosen] = useState(false)
  const count = tokens.length
  const field =
    count === 0 ? null : (
      <label className="flex min-h-11 cursor-pointer items-center gap-3">
        <input
          type="checkbox"
          className="size-5 shrink-0 accent-primary"
          checked={isChosen}
          onChange={({ target }) => setChosen(target.checked)}
        />
        {count === 1 ? 'Revoke my access token too' : `Revoke my ${count} access tokens too`}
      </label>
    )
  return {
    field,
    revokeIfChosen: async () => {
      if (isChosen) await revokeAll()
    },
  }
}
